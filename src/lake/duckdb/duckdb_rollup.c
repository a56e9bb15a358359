/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_rollup.h"

#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/duckdb_sql.h"
#include "lake/store/table.h"

#include <inttypes.h>
#include <stdio.h>
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

static int end(duckdb_connection connection, int rc, struct error *err)
{
	if (!rc)
		rc = duckdb_run(connection, "COMMIT", "the store cannot commit", err);
	if (rc)
		duckdb_run(connection, "ROLLBACK", "rollback", NULL);
	return rc;
}

/* Runs statements in a transaction. They are planned each time, as merges are: duckdb_writer.c. */
static int run_all(duckdb_connection connection, const struct duckdb_sql *list, struct error *err)
{
	int rc = duckdb_run(connection, "BEGIN", "the store cannot begin", err);

	return rc ? rc : end(connection, duckdb_run_all(connection, list, err), err);
}

bool duckdb_is_rolled_up(duckdb_connection connection)
{
	return !has_rows(connection,
			 "SELECT 1 FROM samples_packed WHERE sample_key > "
			 "coalesce((SELECT max(sample_key) FROM samples_rolled), 0) LIMIT 1");
}

int duckdb_roll_up_sums(duckdb_connection connection, const struct duckdb_sums *sums, int64_t last,
			struct error *err)
{
	static const char name[] = "roll_up_samples.sql";
	char set[64];
	int rc = duckdb_sums_write(sums, connection, err);

	(void)snprintf(set, sizeof(set), "SET VARIABLE roll_until = %" PRId64 "::BIGINT", last);
	if (!rc)
		rc = duckdb_run(connection, set, name, err);
	return rc ? rc : duckdb_run(connection, duckdb_sql_ingest_roll_up_samples, name, err);
}

/* What the writer added up. */
static int roll_up_sums(duckdb_connection connection, struct duckdb_sums *sums, int64_t last,
			struct error *err)
{
	int rc = duckdb_run(connection, "BEGIN", "the store cannot begin", err);

	if (!rc)
		rc = end(connection, duckdb_roll_up_sums(connection, sums, last, err), err);
	if (rc)
		duckdb_sums_doubt(sums);
	return rc;
}

int duckdb_roll_up(duckdb_connection connection, struct duckdb_sums *sums, int64_t last,
		   bool *ret_more, struct error *err)
{
	const struct duckdb_sql hosts[] = {
		{ "roll_up_hosts.sql", duckdb_sql_ingest_roll_up_hosts },
		{ "roll_up_minutes.sql", duckdb_sql_ingest_roll_up_minutes },
		{ NULL, NULL },
	};
	const struct duckdb_sql samples[] = {
		{ "read_samples.sql", duckdb_sql_ingest_read_samples },
		{ "roll_up_samples.sql", duckdb_sql_ingest_roll_up_samples },
		{ NULL, NULL },
	};
	int rc = 0;

	if (has_rows(connection, "FROM host_samples_new LIMIT 1"))
		rc = run_all(connection, hosts, err);
	*ret_more = !rc && !duckdb_is_rolled_up(connection);
	if (*ret_more) {
		rc = duckdb_sums_are_complete(sums) ? roll_up_sums(connection, sums, last, err)
						    : run_all(connection, samples, err);
		*ret_more = !rc && !duckdb_is_rolled_up(connection);
	}
	if (!rc && !*ret_more)
		duckdb_sums_begin(sums);
	return rc;
}
