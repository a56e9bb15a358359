/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lake_sql FILE [-w] STATEMENT…: runs statements over the file of a lake that is not running (an
 * empty path: over no file), with the functions of the lake, and prints the rows of each, fields
 * separated by tabs. -w: they may write.
 */
#include <duckdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lake/duckdb/figures/duckdb_functions.h"

static void need(int good, const char *what, const char *why)
{
	if (good)
		return;
	fprintf(stderr, "%s: %s\n", what, why ? why : "failed");
	exit(1);
}

static void print_rows(duckdb_result *rows)
{
	idx_t columns = duckdb_column_count(rows);

	for (idx_t row = 0; row < duckdb_row_count(rows); row++)
		for (idx_t column = 0; column < columns; column++) {
			char *text = duckdb_value_varchar(rows, column, row);

			printf("%s%c", text ? text : "", column + 1 < columns ? '\t' : '\n');
			duckdb_free(text);
		}
}

static void run(duckdb_connection connection, const char *statement)
{
	duckdb_result rows;

	if (duckdb_query(connection, statement, &rows) == DuckDBError)
		need(0, statement, duckdb_result_error(&rows));
	print_rows(&rows);
	duckdb_destroy_result(&rows);
}

int main(int argc, char **argv)
{
	duckdb_database database;
	duckdb_connection connection;
	duckdb_config config;
	char *words = NULL;
	int first = 2;

	if (argc < 3)
		return 2;
	need(duckdb_create_config(&config) == DuckDBSuccess, "config", NULL);
	if (strcmp(argv[2], "-w") == 0)
		first = 3;
	else if (*argv[1])
		duckdb_set_config(config, "access_mode", "READ_ONLY");
	need(duckdb_open_ext(*argv[1] ? argv[1] : NULL, &database, config, &words) == DuckDBSuccess,
	     argv[1], words);
	need(duckdb_connect(database, &connection) == DuckDBSuccess, argv[1], NULL);
	need(duckdb_functions_register(connection, NULL) == 0, argv[1], NULL);
	for (int i = first; i < argc; i++)
		run(connection, argv[i]);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
	duckdb_destroy_config(&config);
	return 0;
}
