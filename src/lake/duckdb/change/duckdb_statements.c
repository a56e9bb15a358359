/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/change/duckdb_statements.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"

static int run_one(duckdb_connection connection, const char *sql, const struct store_param *params,
		   size_t count, struct error *err)
{
	struct store_rows *rows = NULL;
	int rc = duckdb_query_named(connection, sql, params, count, &rows, err);

	store_rows_free(rows);
	return rc;
}

int duckdb_run_statements(duckdb_connection connection, const char *sql,
			  const struct store_param *params, size_t count, struct error *err)
{
	CLEANUP(freep) char *copy = strdup(sql);
	char *rest = copy, *end;
	int rc = copy ? 0 : error_set(err, -ENOMEM, "no memory for the statements");

	for (; !rc && rest && *rest; rest = end ? end + 2 : NULL) {
		end = strstr(rest, ";\n");
		if (end)
			*end = '\0';
		rc = run_one(connection, rest, params, count, err);
	}
	return rc;
}
