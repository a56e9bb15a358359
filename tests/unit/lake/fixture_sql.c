/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_sql.h"

#include "lake/duckdb/figures/duckdb_functions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct {
	duckdb_database database;
	duckdb_connection connection;
} raw;

void sql_open(const char *path)
{
	assert_int_equal(duckdb_open(path, &raw.database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(raw.database, &raw.connection), DuckDBSuccess);
	assert_int_equal(duckdb_functions_register(raw.connection, NULL), 0);
}

void sql_close(void)
{
	duckdb_disconnect(&raw.connection);
	duckdb_close(&raw.database);
}

void assert_sql(const char *what, const char *sql, const char *expected)
{
	duckdb_result result;

	if (duckdb_query(raw.connection, sql, &result) == DuckDBError) {
		if (!strstr(duckdb_result_error(&result), expected))
			fail_msg("%s: %s: %s", what, sql, duckdb_result_error(&result));
	} else {
		char *text = duckdb_value_varchar(&result, 0, 0);

		if (strcmp(text ? text : "NULL", expected) != 0)
			fail_msg("%s: %s gives %s, not %s", what, sql, text, expected);
		duckdb_free(text);
	}
	duckdb_destroy_result(&result);
}
