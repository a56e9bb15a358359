/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "lake/store/store.h"

/* Runs statements of an .sql file, of which each ends with ";\n", with those of the parameters that
 * it names. Errors as of duckdb_query_named. */
int duckdb_run_statements(duckdb_connection connection, const char *sql,
			  const struct store_param *params, size_t count, struct error *err);
