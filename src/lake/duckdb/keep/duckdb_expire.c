/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_expire.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "lake/duckdb/archive/duckdb_archive.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/rows.h"

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

/*
 * Rows of one settled run at a time: what pages show of it is in the tables settled_*. The run and
 * its executions are listed in temporary tables; what is removed is archived first. One
 * transaction, with a row in `expired` and one in `archived` for each file: killed before its end,
 * it begins again, and the archive's files have the same names.
 */
#define EXECUTIONS "(SELECT execution_key FROM executions SEMI JOIN expiring USING (run_id))"

extern const char duckdb_sql_ingest_archive_samples[];

/* What is archived: rows of a table, by the day of a time and by host. */
#define ROWS(table, time)                                                                      \
	"SELECT t.*, coalesce(strftime(t." time ", '%Y-%m-%d'), 'unknown') AS day, t.host_id " \
	"AS host FROM " table " AS t SEMI JOIN expiring USING (run_id)"
#define PARTS_MAX 5

static const struct expiry {
	const char *kind;
	const char *remove; /* statements */
	size_t count;
	struct duckdb_archive_part parts[PARTS_MAX]; /* all that is removed */
} EXPIRIES[] = {
	{ "samples",
	  "DELETE FROM samples_packed WHERE execution_key IN " EXECUTIONS,
	  1,
	  { { "samples", duckdb_sql_ingest_archive_samples } } },
	{ "files",
	  "DELETE FROM files WHERE run_id IN (SELECT run_id FROM expiring)",
	  1,
	  { { "files", ROWS("files", "last_at") } } },
	{ "processes",
	  "DELETE FROM samples_packed WHERE execution_key IN " EXECUTIONS ";"
	  "DELETE FROM execution_sums WHERE execution_key IN " EXECUTIONS ";"
	  "DELETE FROM networks WHERE run_id IN (SELECT run_id FROM expiring);"
	  "DELETE FROM io_latencies WHERE run_id IN (SELECT run_id FROM expiring);"
	  "DELETE FROM syscalls WHERE run_id IN (SELECT run_id FROM expiring);"
	  "DELETE FROM executions WHERE run_id IN (SELECT run_id FROM expiring)",
	  5,
	  { { "samples", duckdb_sql_ingest_archive_samples },
	    { "networks", ROWS("networks", "created_at") },
	    { "io_latencies", ROWS("io_latencies", "created_at") },
	    { "syscalls", ROWS("syscalls", "created_at") },
	    { "executions", ROWS("executions", "started_at") } } },
};

static int run(duckdb_connection connection, const char *sql, struct error *err)
{
	return duckdb_run(connection, sql, "old rows are not removed", err);
}

static int64_t number(duckdb_connection connection, const char *sql)
{
	duckdb_result result;
	int64_t value = 0;

	if (duckdb_query(connection, sql, &result) == DuckDBSuccess)
		value = duckdb_value_int64(&result, 0, 0);
	duckdb_destroy_result(&result);
	return value;
}

/* The oldest run that ended before the instant, with all its series (lake/store/settle), and still
 * has rows of the kind. */
static int choose(duckdb_connection connection, const struct upkeep_expire *expire,
		  struct error *err)
{
	const struct store_param params[] = {
		{ .name = "kind", .type = STORE_TEXT, .text = expire->kind },
		{ .name = "before", .type = STORE_TIME, .i64 = expire->before },
	};
	struct store_rows *rows = NULL;
	int rc = run(connection,
		     "CREATE OR REPLACE TEMP TABLE expiring (run_id VARCHAR, number BIGINT)", err);

	if (!rc)
		rc = duckdb_query_rows(
			connection,
			"INSERT INTO expiring SELECT run_id, number FROM settled AS s "
			"WHERE ended_at < $before AND (SELECT count(DISTINCT "
			"keyed_by) FROM settled_intervals AS i WHERE i.number = "
			"s.number) = 3 AND run_id NOT IN (SELECT run_id FROM expired "
			"WHERE kind = $kind) ORDER BY ended_at, number LIMIT 1",
			params, 2, &rows, err);
	store_rows_free(rows);
	return rc;
}

static int archive(duckdb_connection connection, const struct expiry *expiry, const char *folder,
		   struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = duckdb_query_rows(connection, "SELECT run_id FROM expiring", NULL, 0, &rows, err);

	if (rc || !store_next(rows))
		return rc;
	return duckdb_archive_write(connection, folder, store_text(rows, 0), expiry->parts,
				    expiry->count, err);
}

static int note(duckdb_connection connection, const char *kind, struct error *err)
{
	char sql[320];

	snprintf(sql, sizeof(sql),
		 "UPDATE settled SET rows_removed = true WHERE run_id IN (SELECT run_id FROM "
		 "expiring); INSERT INTO expired SELECT run_id, '%s', CAST(now() AT TIME ZONE "
		 "'UTC' AS TIMESTAMP) FROM expiring",
		 kind);
	return run(connection, sql, err);
}

static int remove_one(duckdb_connection connection, const struct expiry *expiry,
		      const struct upkeep_expire *expire, struct error *err)
{
	int rc = expire->archive_folder ? archive(connection, expiry, expire->archive_folder, err)
					: 0;

	if (!rc)
		rc = run(connection, expiry->remove, err);
	if (!rc)
		rc = note(connection, expiry->kind, err);
	return rc ? rc : run(connection, "COMMIT", err);
}

static const struct expiry *find(const char *kind)
{
	for (size_t i = 0; i < sizeof(EXPIRIES) / sizeof(EXPIRIES[0]); i++)
		if (strcmp(EXPIRIES[i].kind, kind) == 0)
			return &EXPIRIES[i];
	return NULL;
}

int duckdb_expire(struct duckdb_engine *engine, const struct upkeep_expire *expire, bool *ret_more,
		  struct error *err)
{
	const struct expiry *expiry = find(expire->kind);
	duckdb_connection connection;
	int rc;

	*ret_more = false;
	if (!expiry)
		return error_set(err, -EINVAL, "there are no rows of the kind %s", expire->kind);
	if (duckdb_connect(engine->database, &connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	rc = run(connection, "BEGIN", err);
	if (!rc)
		rc = choose(connection, expire, err);
	if (!rc && number(connection, "SELECT count(*) FROM expiring")) {
		rc = remove_one(connection, expiry, expire, err);
		*ret_more = !rc;
	}
	duckdb_disconnect(&connection); /* rolls back what was not committed */
	if (*ret_more)
		duckdb_writer_samples_removed(engine->writer);
	return rc;
}

int duckdb_used(struct duckdb_engine *engine, uint64_t *ret_bytes, struct error *err)
{
	duckdb_connection connection;
	int rc;

	if (duckdb_connect(engine->database, &connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	rc = run(connection, "CHECKPOINT", err);
	*ret_bytes = (uint64_t)number(connection,
				      "SELECT used_blocks * block_size FROM pragma_database_size() "
				      "WHERE database_name = current_database()");
	duckdb_disconnect(&connection);
	return rc;
}
