/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/cleanup.h"
#include "lake/store/rows.h"

#include <string.h>

/* Which view execution_now a query reads: that of the schema `closed` where its run has no open
 * execution. (The figures of an open one may be in samples: schema/views/executions.sql.) */

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

static const char OPEN[] = "SELECT 1::BIGINT AS open FROM executions WHERE run_id = $run AND "
			   "(status IN ('running', 'lost') OR found) LIMIT 1";

static const struct store_param *find_run(const struct store_param *params, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(params[i].name, "run") == 0 && params[i].type == STORE_TEXT)
			return &params[i];
	return NULL;
}

int duckdb_choose_views(duckdb_connection connection, const struct store_param *params,
			size_t count, struct error *err)
{
	const struct store_param *run = find_run(params, count);
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc;

	if (!run)
		return 0;
	rc = duckdb_query_rows(connection, OPEN, run, 1, &rows, err);
	if (rc || store_next(rows))
		return rc;
	return duckdb_run(connection, "SET search_path = 'closed,main'", "the store's views", err);
}
