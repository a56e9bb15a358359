/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/settle/duckdb_settle.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "lake/duckdb/duckdb_watch.h"
#include "lake/store/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

/* The parts of what is stored of settled runs, each in a transaction of its own; the first is that
 * of the runs themselves. */
static const struct {
	const char *name, *sql;
} PARTS[] = {
	{ "sums", duckdb_sql_ingest_settle_sums },
	{ "series", duckdb_sql_ingest_settle_series },
};
#define PARTS_COUNT (sizeof(PARTS) / sizeof(PARTS[0]))

struct settling {
	duckdb_connection connection; /* its transaction has begun */
	struct duckdb_watched query;
	size_t part;
};

static void settling_free(struct settling *settling)
{
	if (settling)
		duckdb_disconnect(&settling->connection); /* rolls back */
	free(settling);
}

DEFINE_CLEANUP(struct settling *, settling_free)

static int find_part(const char *name, size_t *ret, struct error *err)
{
	for (*ret = 0; *ret < PARTS_COUNT; ++*ret)
		if (strcmp(PARTS[*ret].name, name) == 0)
			return 0;
	return error_set(err, -EINVAL, "a settled run has no part named '%s'", name);
}

static int set_number(duckdb_connection connection, int64_t number, struct error *err)
{
	char sql[64];

	snprintf(sql, sizeof(sql), "SET VARIABLE settled = %" PRId64, number);
	return duckdb_run(connection, sql, "the number of a settled run", err);
}

static int set_text(duckdb_connection connection, const char *sql, const char *text,
		    struct error *err)
{
	duckdb_prepared_statement statement = NULL;
	duckdb_result result;
	int rc = duckdb_prepare_sql(connection, sql, &statement, err);

	if (rc)
		return rc;
	duckdb_bind_varchar(statement, 1, text);
	if (duckdb_execute_prepared(statement, &result) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)),
			       "settling a run: %s", duckdb_result_error(&result));
	duckdb_destroy_result(&result);
	duckdb_destroy_prepare(&statement);
	return rc;
}

/* One row, one number. run_id: NULL where the statement has no parameter. */
static int read_number(duckdb_connection connection, const char *sql, const char *run_id,
		       int64_t *ret, struct error *err)
{
	const struct store_param run = { .name = "run", .type = STORE_TEXT, .text = run_id };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = duckdb_query_rows(connection, sql, &run, run_id ? 1 : 0, &rows, err);

	*ret = !rc && store_next(rows) ? store_i64(rows, 0) : 0;
	return rc;
}

/* The variables of ingest/settle_*.sql. The first read fixes what the transaction sees. */
static int set_runs(const struct settling *settling, const char *const *run_ids, size_t count,
		    struct error *err)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct json json;
	int rc;

	buffer_init(&text, 0);
	json_init(&json, &text, false);
	json_array_begin(&json);
	for (size_t i = 0; i < count; i++)
		json_text(&json, run_ids[i]);
	json_array_end(&json);
	if (text.failed)
		return error_set(err, -ENOMEM, "no memory to settle a run");
	rc = set_text(settling->connection, "SET VARIABLE settling = ($1::JSON)::VARCHAR[]",
		      text.data, err);
	return rc ? rc
		  : duckdb_run(settling->connection,
			       settling->part == 0
				       ? "SET VARIABLE numbers = (FROM new_numbers())"
				       : "SET VARIABLE numbers = (FROM settled_numbers()); "
					 "SET VARIABLE settling = (FROM settled_ids())",
			       "the numbers of settled runs", err);
}

static int begin(struct settling *settling, const char *const *run_ids, size_t count,
		 struct error *err)
{
	duckdb_connection connection = settling->connection;
	int64_t known;
	int rc = duckdb_run(connection, "BEGIN", "the store cannot begin", err);

	if (!rc)
		rc = set_runs(settling, run_ids, count, err);
	if (!rc)
		rc = read_number(connection, "SELECT count(*) FROM settled_of_settling()", NULL,
				 &known, err);
	if (rc)
		return rc;
	if (settling->part == 0 && known)
		return error_set(err, -EEXIST, "the run %s is settled already", run_ids[0]);
	if (settling->part > 0 && !known)
		return error_set(err, -ENOENT, "the run %s is not settled", run_ids[0]);
	return 0;
}

int duckdb_settle_begin(void *context, const char *const *run_ids, size_t count, const char *part,
			void **ret, struct error *err)
{
	struct duckdb_engine *engine = context;
	CLEANUP(settling_freep) struct settling *settling = calloc(1, sizeof(*settling));
	int rc;

	if (!settling || duckdb_connect(engine->database, &settling->connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to settle a run");
	rc = find_part(part, &settling->part, err);
	if (!rc)
		rc = begin(settling, run_ids, count, err);
	if (!rc)
		*ret = TAKE_PTR(settling);
	return rc;
}

static int write_part(const struct settling *settling, struct error *err)
{
	const struct store_param none = { 0 };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = duckdb_query_rows(settling->connection, "FROM open_of_settling()", &none, 0, &rows,
				   err);

	if (!rc && !store_next(rows))
		rc = duckdb_run(settling->connection, "SET search_path = 'closed,main'",
				"the store's views", err);
	return rc ? rc
		  : duckdb_run(settling->connection, PARTS[settling->part].sql,
			       PARTS[settling->part].name, err);
}

int duckdb_settle_write(void *context, void *settling_, struct error *err)
{
	struct duckdb_engine *engine = context;
	struct settling *settling = settling_;
	int rc;

	duckdb_watch_begin_long(engine->watch, &settling->query, settling->connection);
	rc = write_part(settling, err);
	return duckdb_watch_end(engine->watch, &settling->query, rc, err);
}

int duckdb_settle_end(void *context, void *settling_, bool keep, struct error *err)
{
	CLEANUP(settling_freep) struct settling *settling = settling_;

	return keep ? duckdb_run(settling->connection, "COMMIT", "the store cannot commit", err)
		    : 0;
}

/* Within a transaction. */
static int remove_run(duckdb_connection connection, const char *run_id, struct error *err)
{
	int64_t number;
	int rc = read_number(connection,
			     "SELECT number FROM settled WHERE run_id = $run AND NOT rows_removed",
			     run_id, &number, err);

	if (!rc && number)
		rc = set_number(connection, number, err);
	if (!rc && number)
		rc = duckdb_run(connection, duckdb_sql_ingest_unsettle, "unsettle.sql", err);
	return rc;
}

/* Ends a transaction in which rc was returned. */
static int finish(duckdb_connection connection, int rc, struct error *err)
{
	if (!rc)
		rc = duckdb_run(connection, "COMMIT", "the store cannot commit", err);
	if (rc)
		duckdb_run(connection, "ROLLBACK", "rollback", NULL);
	return rc;
}

int duckdb_unsettle(void *context, const char *run_id, bool alone, struct error *err)
{
	struct duckdb_engine *engine = context;
	duckdb_connection connection = duckdb_writer_connection(engine->writer);
	int rc = alone ? duckdb_run(connection, "BEGIN", "the store cannot begin", err) : 0;

	if (rc)
		return rc;
	rc = remove_run(connection, run_id, err);
	return alone ? finish(connection, rc, err) : rc;
}

static int replace_document(duckdb_connection connection, const struct store_param params[4],
			    struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *removed = NULL, *added = NULL;
	int rc = duckdb_query_rows(connection,
				   "DELETE FROM settled_documents WHERE kind = $kind AND number IN "
				   "(SELECT number FROM settled WHERE run_id = $run)",
				   params, 2, &removed, err);

	return rc ? rc
		  : duckdb_query_rows(connection,
				      "INSERT INTO settled_documents SELECT number, $kind, $maker, "
				      "$text FROM settled WHERE run_id = $run",
				      params, 4, &added, err);
}

int duckdb_keep(void *context, const char *run_id, const char *kind, const char *maker,
		const char *text, struct error *err)
{
	struct duckdb_engine *engine = context;
	duckdb_connection connection = duckdb_writer_connection(engine->writer);
	const struct store_param params[4] = {
		{ .name = "run", .type = STORE_TEXT, .text = run_id },
		{ .name = "kind", .type = STORE_TEXT, .text = kind },
		{ .name = "maker", .type = STORE_TEXT, .text = maker },
		{ .name = "text", .type = STORE_TEXT, .text = text },
	};
	int rc = duckdb_run(connection, "BEGIN", "the store cannot begin", err);

	return rc ? rc : finish(connection, replace_document(connection, params, err), err);
}

int duckdb_settled_relink(duckdb_connection connection, bool *ret_changed, struct error *err)
{
	const struct store_param none = { 0 };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = duckdb_query_rows(connection, duckdb_sql_ingest_links_changed, &none, 0, &rows,
				   err);

	*ret_changed = false;
	while (!rc && store_next(rows)) {
		*ret_changed = true;
		rc = remove_run(connection, store_text(rows, 0), err);
	}
	return rc;
}
