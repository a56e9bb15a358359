/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/duckdb/figures/duckdb_functions.h"
#include "lake/duckdb/duckdb_sql.h"

#include <errno.h>
#include <string.h>

/* The value of a new column in rows that were there before: "unknown" for its type. A list is the
 * cast of a text: `[]` is a call of a function, which DuckDB cannot look up when it replays its
 * log after the lake was killed. */
static const struct {
	const char *type, *unknown;
} unknowns[] = {
	{ "BIGINT", "0" },
	{ "DOUBLE", "0" },
	{ "BOOLEAN", "false" },
	{ "VARCHAR", "''" },
	{ "JSON", "'{}'" },
	{ "VARCHAR[]", "'[]'::VARCHAR[]" },
	{ "BIGINT[]", "'[]'::BIGINT[]" },
	{ "TIMESTAMP", "NULL" },
};

static const char *unknown_of(const char *type)
{
	for (size_t i = 0; i < sizeof(unknowns) / sizeof(unknowns[0]); i++)
		if (strcmp(unknowns[i].type, type) == 0)
			return unknowns[i].unknown;
	return "NULL";
}

/* The statements consist of names of this program's own schema. */
static int add_column(duckdb_connection connection, duckdb_result *wanted, idx_t row,
		      struct error *err)
{
	char *table = duckdb_value_varchar(wanted, 0, row);
	char *column = duckdb_value_varchar(wanted, 1, row);
	char *type = duckdb_value_varchar(wanted, 2, row);
	struct buffer sql;
	int rc = -ENOMEM;

	buffer_init(&sql, 1024);
	if (table && column && type) {
		buffer_printf(
			&sql,
			"ALTER TABLE IF EXISTS %s ADD COLUMN IF NOT EXISTS \"%s\" %s DEFAULT %s",
			table, column, type, unknown_of(type));
		if (!sql.failed)
			rc = duckdb_run(connection, sql.data,
					"the store cannot be brought up to date", err);
	}
	buffer_clear(&sql);
	duckdb_free(table);
	duckdb_free(column);
	duckdb_free(type);
	return rc;
}

static int add_columns(duckdb_connection connection, duckdb_connection model, struct error *err)
{
	duckdb_result wanted;
	int rc = 0;

	if (duckdb_query(
		    model,
		    "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT "
		    "internal AND table_name IN (SELECT table_name FROM duckdb_tables()) "
		    "ORDER BY table_name, column_index",
		    &wanted) == DuckDBError)
		rc = error_set(err, -EIO, "the store's own schema: %s",
			       duckdb_result_error(&wanted));
	for (idx_t row = 0; !rc && row < duckdb_row_count(&wanted); row++)
		rc = add_column(connection, &wanted, row, err);
	duckdb_destroy_result(&wanted);
	return rc;
}

/* The names of all columns in one text; NULL: no memory, or an error. Freed by duckdb_free. */
static char *names_of(duckdb_connection connection)
{
	duckdb_result names;
	char *text = NULL;

	if (duckdb_query(
		    connection,
		    "SELECT string_agg(table_name || '.' || column_name, ' ' ORDER BY table_name, column_name) "
		    "FROM duckdb_columns() WHERE NOT internal AND table_name IN "
		    "(SELECT table_name FROM duckdb_tables())",
		    &names) == DuckDBSuccess)
		text = duckdb_value_varchar(&names, 0, 0);
	duckdb_destroy_result(&names);
	return text;
}

static bool is_wide(duckdb_connection connection, duckdb_connection model)
{
	char *have = names_of(connection), *want = names_of(model);
	bool wide = have && want && strcmp(have, want) == 0;

	duckdb_free(have);
	duckdb_free(want);
	return wide;
}

int duckdb_widen(duckdb_connection connection, const struct duckdb_sql *tables,
		 const struct duckdb_sql *views, struct error *err)
{
	duckdb_database database;
	duckdb_connection model = NULL;
	int rc;

	if (duckdb_open(NULL, &database) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to look at the store's schema");
	if (duckdb_connect(database, &model) == DuckDBError)
		rc = error_set(err, -ENOMEM, "no memory to look at the store's schema");
	else
		rc = duckdb_functions_register(model, err);
	if (!rc)
		rc = duckdb_run_all(model, tables, err);
	if (!rc && views)
		rc = duckdb_run_all(model, views, err);
	if (!rc && !is_wide(connection, model))
		rc = add_columns(connection, model, err);
	duckdb_disconnect(&model);
	duckdb_close(&database);
	return rc;
}
