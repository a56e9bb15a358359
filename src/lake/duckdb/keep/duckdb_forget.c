/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_forget.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/duckdb/archive/duckdb_archive.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/keep/duckdb_mark.h"

/*
 * What is forgotten is listed first, in temporary tables: runs (with their parts), and a host. Then
 * the rows of each table that are about one of them are deleted, by the columns that the table has.
 * All of it is one transaction; a dry one is rolled back.
 */
static const char LISTS[] =
	"CREATE OR REPLACE TEMP TABLE forgotten_runs (run_id VARCHAR);"
	"CREATE OR REPLACE TEMP TABLE forgotten_hosts (host_id VARCHAR);"
	"CREATE OR REPLACE TEMP TABLE forgotten_reports (told_id VARCHAR);"
	"CREATE OR REPLACE TEMP TABLE forgotten_executions (execution_key BIGINT);"
	"CREATE OR REPLACE TEMP TABLE forgotten_numbers (number BIGINT);";

/* Of the subject, by its kind. */
static const char OF_RUN[] = "INSERT INTO forgotten_runs VALUES ($subject)";
static const char OF_USER[] =
	"INSERT INTO forgotten_runs SELECT run_id FROM runs WHERE \"user\" = $subject";
static const char OF_HOST[] = "INSERT INTO forgotten_hosts VALUES ($subject)";

/* Words about it, which may be of another run: that ann did again what bob had done. */
static const char OF_WASTES[] =
	"DELETE FROM wastes WHERE regexp_matches(document::VARCHAR, '(^|[^A-Za-z0-9_.-])' || "
	"regexp_escape($subject) || '($|[^A-Za-z0-9_.-])')";

static const char REST[] =
	"INSERT INTO forgotten_runs SELECT run_id FROM runs SEMI JOIN forgotten_hosts USING "
	"(host_id);"
	"INSERT INTO forgotten_runs SELECT part_id FROM parts SEMI JOIN forgotten_runs USING "
	"(run_id);"
	"INSERT INTO forgotten_reports SELECT told_id FROM run_links SEMI JOIN forgotten_runs "
	"USING (run_id);"
	"INSERT INTO forgotten_executions SELECT DISTINCT execution_key FROM executions SEMI JOIN "
	"forgotten_runs USING (run_id);"
	"INSERT INTO forgotten_executions SELECT execution_key FROM execution_keys SEMI JOIN "
	"forgotten_hosts USING (host_id);";
static const char NUMBERS[] = "INSERT INTO forgotten_numbers SELECT number FROM settled SEMI JOIN "
			      "forgotten_runs USING (run_id)";

/* By which column of a table which list is looked up. The ledger says of which batches there were,
 * and nothing of runs. */
static const struct {
	const char *column, *list;
} KEYS[] = {
	{ "run_id", "forgotten_runs" },
	{ "part_id", "forgotten_runs" },
	{ "host_id", "forgotten_hosts" },
	{ "told_id", "forgotten_reports" },
	{ "execution_key", "forgotten_executions" },
	{ "number", "forgotten_numbers" },
};

static int run(duckdb_connection connection, const char *sql, struct error *err)
{
	return duckdb_run(connection, sql, "nothing was forgotten", err);
}

static int run_of_subject(duckdb_connection connection, const char *sql,
			  const struct upkeep_subject *subject, struct error *err)
{
	const struct store_param param = { .name = "subject",
					   .type = STORE_TEXT,
					   .text = subject->run    ? subject->run
						   : subject->user ? subject->user
								   : subject->host };
	struct store_rows *rows = NULL;
	int rc = duckdb_query_rows(connection, sql, &param, 1, &rows, err);

	store_rows_free(rows);
	return rc;
}

static int list_subject(duckdb_connection connection, const struct upkeep_subject *subject,
			struct error *err)
{
	const char *sql = subject->run ? OF_RUN : subject->user ? OF_USER : OF_HOST;

	return run_of_subject(connection, sql, subject, err);
}

/* The first cell of an answer. */
static uint64_t number(duckdb_connection connection, const char *sql)
{
	duckdb_result result;
	uint64_t value = 0;

	if (duckdb_query(connection, sql, &result) == DuckDBSuccess)
		value = (uint64_t)duckdb_value_int64(&result, 0, 0);
	duckdb_destroy_result(&result);
	return value;
}

/* A file of an earlier version may lack it. */
static bool has_table(duckdb_connection connection, const char *name)
{
	char sql[160];

	snprintf(sql, sizeof(sql),
		 "SELECT count(*) FROM duckdb_tables() WHERE table_name = '%s' AND NOT temporary",
		 name);
	return number(connection, sql);
}

static int list_all(duckdb_connection connection, const struct upkeep_subject *subject,
		    struct upkeep_counts *counts, struct error *err)
{
	int rc = run(connection, LISTS, err);

	if (!rc)
		rc = list_subject(connection, subject, err);
	if (!rc)
		rc = run(connection, REST, err);
	if (!rc && has_table(connection, "settled"))
		rc = run(connection, NUMBERS, err);
	counts->runs = number(connection, "SELECT count(*) FROM runs SEMI JOIN forgotten_runs "
					  "USING (run_id)");
	counts->batches = number(connection, "SELECT count(*) FROM ledger SEMI JOIN "
					     "forgotten_hosts USING (host_id)");
	return rc;
}

static int delete_rows(duckdb_connection connection, const char *table, const char *column,
		       const char *list, struct upkeep_counts *counts, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };
	duckdb_result result;
	int rc = 0;

	buffer_init(&sql, 0);
	buffer_printf(&sql, "DELETE FROM \"%s\" WHERE \"%s\" IN (FROM %s)", table, column, list);
	if (sql.failed)
		return error_set(err, -ENOMEM, "out of memory");
	if (duckdb_query(connection, sql.data, &result) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)),
			       "nothing was forgotten: %s", duckdb_result_error(&result));
	else
		counts->rows += duckdb_rows_changed(&result);
	duckdb_destroy_result(&result);
	return rc;
}

static const char *list_of(const char *column)
{
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		if (strcmp(KEYS[i].column, column) == 0)
			return KEYS[i].list;
	return NULL;
}

/* Rows are found by the columns that their table has itself: the order does not matter. */
static int delete_all(duckdb_connection connection, struct upkeep_counts *counts, struct error *err)
{
	duckdb_result columns;
	int rc = 0;

	if (duckdb_query(connection,
			 "SELECT table_name, column_name FROM duckdb_columns() WHERE database_name "
			 "= current_database() AND schema_name = 'main' AND table_name IN (SELECT "
			 "table_name FROM duckdb_tables() WHERE NOT temporary) AND column_name IN "
			 "('run_id', 'part_id', 'host_id', 'told_id', 'execution_key', 'number')",
			 &columns) == DuckDBError)
		rc = error_set(err, -EIO, "nothing was forgotten: %s",
			       duckdb_result_error(&columns));
	for (idx_t i = 0; !rc && i < duckdb_row_count(&columns); i++) {
		char *table = duckdb_value_varchar(&columns, 0, i);
		char *column = duckdb_value_varchar(&columns, 1, i);

		rc = delete_rows(connection, table, column, list_of(column), counts, err);
		duckdb_free(table);
		duckdb_free(column);
	}
	duckdb_destroy_result(&columns);
	return rc;
}

/* The number of acknowledged batches goes down first: killed in between, it is too low, and says
 * nothing wrong. */
static int finish(struct duckdb_engine *engine, duckdb_connection connection, bool dry,
		  const struct upkeep_counts *counts, struct error *err)
{
	if (dry)
		return run(connection, "ROLLBACK", err);
	if (counts->batches)
		duckdb_mark_lower(engine->mark, number(connection, "SELECT count(*) FROM ledger"));
	return run(connection, "COMMIT", err);
}

int duckdb_forget(struct duckdb_engine *engine, const struct upkeep_subject *subject, bool dry,
		  struct upkeep_counts *ret, struct error *err)
{
	struct upkeep_counts counts = { 0 };
	duckdb_connection connection;
	int rc;

	if (duckdb_connect(engine->database, &connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	rc = run(connection, "BEGIN", err);
	if (!rc)
		rc = list_all(connection, subject, &counts, err);
	if (!rc)
		rc = duckdb_archive_forget(connection, engine->archive, dry, &counts, err);
	if (!rc && has_table(connection, "wastes"))
		rc = run_of_subject(connection, OF_WASTES, subject, err);
	if (!rc)
		rc = delete_all(connection, &counts, err);
	if (!rc)
		rc = finish(engine, connection, dry, &counts, err);
	if (!rc && !dry)
		rc = run(connection, "CHECKPOINT", err);
	duckdb_disconnect(&connection); /* rolls back what was not committed */
	if (!rc)
		*ret = counts;
	return rc;
}
