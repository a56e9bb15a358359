/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "lake/store/table.h"

#include <errno.h>
#include <stdio.h>

/* Stores that runs are parts of others: all of a list with one statement a table. */

#define LIST_BYTES (256u << 20) /* of the list as a JSON */

static void write_list(struct buffer *list, const struct run_join *joins, size_t count)
{
	struct json json;

	json_init(&json, list, false);
	json_array_begin(&json);
	for (size_t i = 0; i < count; i++) {
		json_object_begin(&json);
		json_key(&json, "part_id");
		json_text(&json, joins[i].part_id);
		json_key(&json, "run_id");
		json_text(&json, joins[i].run_id);
		json_key(&json, "reason");
		json_text(&json, joins[i].reason);
		json_key(&json, "value");
		json_text(&json, joins[i].value);
		json_object_end(&json);
	}
	json_array_end(&json);
}

/* Puts the list into the table `joined`. Prepared for each use, and never kept: see
 * duckdb_writer.c. */
static int take_list(duckdb_connection connection, const struct run_join *joins, size_t count,
		     struct error *err)
{
	CLEANUP(buffer_clear) struct buffer list = { 0 };
	duckdb_prepared_statement statement = NULL;
	duckdb_result result;
	int rc;

	buffer_init(&list, LIST_BYTES);
	write_list(&list, joins, count);
	if (list.failed)
		return error_set(err, -ENOMEM, "no memory to join runs");
	rc = duckdb_prepare_sql(connection, duckdb_sql_ingest_join, &statement, err);
	if (rc)
		return rc;
	duckdb_bind_varchar_length(statement, 1, list.data, list.len);
	if (duckdb_execute_prepared(statement, &result) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)),
			       "joining runs: %s", duckdb_result_error(&result));
	duckdb_destroy_result(&result);
	duckdb_destroy_prepare(&statement);
	return rc;
}

static int move(duckdb_connection connection, const char *table, struct error *err)
{
	char sql[320];

	/* The bound, a day for clocks that differ, spares DuckDB most of the table. */
	(void)snprintf(sql, sizeof(sql),
		       "UPDATE %s AS t SET run_id = j.run_id FROM joined AS j "
		       "WHERE t.run_id = j.part_id AND t.created_at >= (SELECT min(r.started_at) "
		       "FROM runs AS r SEMI JOIN joined AS j ON r.run_id = j.part_id) - INTERVAL 1 "
		       "DAY",
		       table);
	return duckdb_run(connection, sql, "joining runs", err);
}

int duckdb_join(duckdb_connection connection, const struct run_join *joins, size_t count,
		struct error *err)
{
	int rc = take_list(connection, joins, count, err);

	if (!rc)
		rc = duckdb_run(connection,
				"UPDATE parts AS p SET run_id = j.run_id FROM joined AS j "
				"WHERE p.run_id = j.part_id",
				"joining runs", err);
	for (size_t i = 0; i < TABLES_COUNT && !rc; i++)
		if (table_has_run(&TABLES[i]))
			rc = move(connection, TABLES[i].name, err);
	if (!rc)
		rc = duckdb_run(
			connection,
			"INSERT INTO parts BY NAME SELECT *, now_at() AS joined_at FROM joined",
			"joining runs", err);
	return rc ? rc : duckdb_run(connection, "DELETE FROM joined", "joining runs", err);
}
