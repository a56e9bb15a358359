/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/cleanup.h"
#include "lake/store/rows.h"

#include <string.h>

/* Which execution_now_of a query about one run reads: that of the schema `closed` where the run
 * has no open execution (schema/views/executions.sql). */

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

/* The queries that read execution_now_of, and that of no other run than $run; and the list of runs.
 */
static const char *const READERS[] = {
	"runs",           "processes",      "run",   "shares", "slowness_hosts", "slowness_pipes",
	"slowness_tasks", "slowness_tools", "steps", "tasks",  "tools",          "wall_images",
};

bool duckdb_reads_one_run(const char *query)
{
	for (size_t i = 0; i < sizeof(READERS) / sizeof(READERS[0]); i++)
		if (strcmp(READERS[i], query) == 0)
			return true;
	return false;
}

/* The list of runs reads those of its page that are not settled (duckdb_settled.c). */
#define OPEN_UNSETTLED                                                                        \
	"SELECT 1::BIGINT AS open FROM executions WHERE is_one_of(getvariable('unsettled'), " \
	"run_id) AND (status IN ('running', 'lost') OR found) LIMIT 1"

int duckdb_choose_views(duckdb_connection connection, const struct store_param *params,
			size_t count, struct error *err)
{
	const struct store_param *run = duckdb_find_param(params, count, "run");
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = duckdb_query_rows(connection, run ? "FROM open_of($run)" : OPEN_UNSETTLED, run,
				   run ? 1 : 0, &rows, err);

	if (rc || store_next(rows))
		return rc;
	return duckdb_run(connection, "SET search_path = 'closed,main'", "the store's views", err);
}
