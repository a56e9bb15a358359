/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "lake/store/table.h"

#include <stdio.h>

/* Stores that a run is a part of another one. */

static void bind(duckdb_prepared_statement statement, const char *name, const char *value)
{
	idx_t index;

	if (duckdb_bind_parameter_index(statement, &index, name) == DuckDBSuccess)
		duckdb_bind_varchar(statement, index, value);
}

/* Prepared for each use, and never kept: see duckdb_writer.c. */
static int execute(duckdb_connection connection, const char *sql, const struct run_join *join,
		   struct error *err)
{
	duckdb_prepared_statement statement = NULL;
	duckdb_result result;
	int rc = duckdb_prepare_sql(connection, sql, &statement, err);

	if (rc)
		return rc;
	bind(statement, "part_id", join->part_id);
	bind(statement, "run_id", join->run_id);
	bind(statement, "reason", join->reason);
	bind(statement, "value", join->value);
	if (duckdb_execute_prepared(statement, &result) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)),
			       "joining runs: %s", duckdb_result_error(&result));
	duckdb_destroy_result(&result);
	duckdb_destroy_prepare(&statement);
	return rc;
}

static int move(duckdb_connection connection, const char *table, const struct run_join *join,
		struct error *err)
{
	char sql[256];

	/* The bound, a day for clocks that differ, spares DuckDB most of the table. */
	(void)snprintf(
		sql, sizeof(sql),
		"UPDATE %s SET run_id = $run_id WHERE run_id = $part_id AND created_at >= "
		"(SELECT min(started_at) FROM runs WHERE run_id = $part_id) - INTERVAL 1 DAY",
		table);
	return execute(connection, sql, join, err);
}

int duckdb_join(duckdb_connection connection, const struct run_join *join, struct error *err)
{
	int rc = execute(connection, "UPDATE parts SET run_id = $run_id WHERE run_id = $part_id",
			 join, err);

	for (size_t i = 0; i < TABLES_COUNT && !rc; i++)
		if (table_has_run(&TABLES[i]))
			rc = move(connection, TABLES[i].name, join, err);
	return rc ? rc : execute(connection, duckdb_sql_ingest_join, join, err);
}
