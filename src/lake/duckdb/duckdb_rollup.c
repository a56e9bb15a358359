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

/* Planned each time, as merges are: duckdb_writer.c. */
static int add(duckdb_connection connection, struct error *err)
{
	int rc = duckdb_run(connection, duckdb_sql_ingest_roll_up_hosts, "roll_up_hosts.sql", err);

	return rc ? rc
		  : duckdb_run(connection, duckdb_sql_ingest_roll_up_minutes, "roll_up_minutes.sql",
			       err);
}

/* Whether no sample came since. */
static bool is_done(duckdb_connection connection)
{
	duckdb_result result;
	bool done = duckdb_query(connection, "FROM host_samples_new LIMIT 1", &result) ==
			    DuckDBSuccess &&
		    duckdb_row_count(&result) == 0;

	duckdb_destroy_result(&result);
	return done;
}

int duckdb_roll_up(duckdb_connection connection, struct error *err)
{
	int rc;

	if (is_done(connection))
		return 0;
	rc = duckdb_run(connection, "BEGIN", "the store cannot begin", err);
	if (rc)
		return rc;
	rc = add(connection, err);
	if (!rc)
		rc = duckdb_run(connection, "COMMIT", "the store cannot commit", err);
	if (rc)
		duckdb_run(connection, "ROLLBACK", "rollback", NULL);
	return rc;
}
