/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_rollup.h"

#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/duckdb_sql.h"
#include "lake/store/table.h"

#include <string.h>

static const struct table *host_samples(void)
{
	for (size_t i = 0; i < TABLES_COUNT; i++)
		if (strcmp(TABLES[i].name, "host_samples") == 0)
			return &TABLES[i];
	return NULL;
}

int duckdb_rollup_plan(struct duckdb_plan **ret, duckdb_connection connection, struct error *err)
{
	return duckdb_plan_make_for(ret, connection, host_samples(), "host_samples_new", err);
}

static bool has_rows(duckdb_connection connection, const char *sql)
{
	duckdb_result result;
	bool any = duckdb_query(connection, sql, &result) == DuckDBError ||
		   duckdb_row_count(&result) > 0;

	duckdb_destroy_result(&result);
	return any;
}

/* Runs statements in a transaction. They are planned each time, as merges are: duckdb_writer.c. */
static int run_all(duckdb_connection connection, const struct duckdb_sql *list, struct error *err)
{
	int rc = duckdb_run(connection, "BEGIN", "the store cannot begin", err);

	if (rc)
		return rc;
	rc = duckdb_run_all(connection, list, err);
	if (!rc)
		rc = duckdb_run(connection, "COMMIT", "the store cannot commit", err);
	if (rc)
		duckdb_run(connection, "ROLLBACK", "rollback", NULL);
	return rc;
}

int duckdb_roll_up(duckdb_connection connection, bool *ret_more, struct error *err)
{
	const struct duckdb_sql hosts[] = {
		{ "roll_up_hosts.sql", duckdb_sql_ingest_roll_up_hosts },
		{ "roll_up_minutes.sql", duckdb_sql_ingest_roll_up_minutes },
		{ NULL, NULL },
	};
	const struct duckdb_sql samples[] = {
		{ "roll_up_samples.sql", duckdb_sql_ingest_roll_up_samples },
		{ NULL, NULL },
	};
	int rc = 0;

	if (has_rows(connection, "FROM host_samples_new LIMIT 1"))
		rc = run_all(connection, hosts, err);
	if (!rc && has_rows(connection, "FROM samples_new LIMIT 1"))
		rc = run_all(connection, samples, err);
	*ret_more = !rc && has_rows(connection, "FROM samples_new LIMIT 1");
	return rc;
}
