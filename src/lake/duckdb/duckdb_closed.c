/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/cleanup.h"
#include "lake/store/rows.h"

#include <string.h>

/* Which execution_now_of a query about one run reads: that of the schema `closed` where the run
 * has no open execution (schema/views/executions.sql). */

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

/* The queries that read execution_now_of, and that of no other runs than $run or $run_ids; and the
 * list of runs. */
static const char *const READERS[] = {
	"runs",           "processes",      "run",
	"shares",         "slowness_hosts", "slowness_pipes",
	"slowness_tasks", "slowness_tools", "step_tasks",
	"steps",          "tasks",          "tools",
	"wall_images",
};

bool duckdb_reads_one_run(const char *query)
{
	for (size_t i = 0; i < sizeof(READERS) / sizeof(READERS[0]); i++)
		if (strcmp(READERS[i], query) == 0)
			return true;
	return false;
}

/* The list of runs reads those of its page that are not settled (duckdb_settled.c). */
#define OPEN_OF(variable)                                                                 \
	"SELECT 1::BIGINT AS open FROM executions WHERE is_one_of(getvariable('" variable \
	"'), run_id) AND (status IN ('running', 'lost') OR found) LIMIT 1"

bool duckdb_has_runs(const struct store_param *params, size_t count)
{
	return count > 0 && strcmp(params[0].name, "run_ids") == 0;
}

int duckdb_set_runs(duckdb_connection connection, const struct store_param *runs, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;

	return duckdb_query_rows(
		connection, "SET VARIABLE runs = TRY_CAST(TRY_CAST($run_ids AS JSON) AS VARCHAR[])",
		runs, 1, &rows, err);
}

static int find_open(duckdb_connection connection, const struct store_param *params, size_t count,
		     struct store_rows **ret, struct error *err)
{
	const struct store_param *run = duckdb_find_param(params, count, "run");

	if (run)
		return duckdb_query_rows(connection, "FROM open_of($run)", run, 1, ret, err);
	return duckdb_query_rows(
		connection, duckdb_has_runs(params, count) ? OPEN_OF("runs") : OPEN_OF("unsettled"),
		NULL, 0, ret, err);
}

int duckdb_choose_views(duckdb_connection connection, const struct store_param *params,
			size_t count, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = find_open(connection, params, count, &rows, err);

	if (rc || store_next(rows))
		return rc;
	return duckdb_run(connection, "SET search_path = 'closed,main'", "the store's views", err);
}
