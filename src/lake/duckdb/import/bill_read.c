/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/import/bill_format.h"
#include "lake/duckdb/import/csv_header.h"
#include "lake/duckdb/import/duckdb_import.h"
#include "lake/duckdb/import/import_file.h"

/*
 * Bills (bill_format.h). The file becomes the view `source`; of its columns those that the format
 * knows become the view `raw`, as texts; the statements of the format make `lines` of it. No text
 * of the file becomes a part of a statement: columns that the format does not know have numbers.
 */
#define LINE_LIMIT "2097152" /* bytes */

extern const char duckdb_sql_import_bill_tools[];
extern const char duckdb_sql_import_bill_rows[];
extern const char duckdb_sql_import_bill_check[];
extern const char duckdb_sql_import_bill_write[];

struct reading {
	duckdb_connection connection;
	const char *path;
	struct bill_columns columns;
	char *types;        /* of the file's columns, each NUL-terminated; NULL: all are texts */
	struct buffer text; /* a statement in the making */
};

/* DuckDB's message without the advice and the statement behind it. */
static int say_fault(const char *words, struct error *err)
{
	const char *colon = strstr(words, "Error: ");
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	words = colon ? colon + strlen("Error: ") : words;
	buffer_init(&text, 0);
	for (unsigned lines = 0; *words && lines < 3; words++) {
		if (*words == '\n' && (words[1] == '\n' || strncmp(words + 1, "Possible", 8) == 0))
			break;
		lines += *words == '\n';
		buffer_append_char(&text, *words == '\n' ? ' ' : *words);
	}
	return error_set(err, -EPROTO, "the file is not stored: %s", text.data ? text.data : "");
}

static int run_text(struct reading *reading, const char *sql, struct error *err)
{
	duckdb_result result;
	int rc = 0;

	if (duckdb_query(reading->connection, sql, &result) == DuckDBError)
		rc = duckdb_result_error_type(&result) == DUCKDB_ERROR_OUT_OF_MEMORY
			     ? error_set(err, -ENOMEM, "no memory to read the file: %s",
					 duckdb_result_error(&result))
			     : say_fault(duckdb_result_error(&result), err);
	duckdb_destroy_result(&result);
	return rc;
}

static int run(struct reading *reading, struct error *err)
{
	int rc = reading->text.failed ? error_set(err, -ENOMEM, "no memory to read the file")
				      : run_text(reading, reading->text.data, err);

	buffer_reset(&reading->text);
	return rc;
}

/* The name of the file's column `index` in the view `source`. */
static void put_name(struct reading *reading, size_t index)
{
	const char *const *names = reading->columns.format->columns;

	for (size_t i = 0; names[i]; i++) {
		if (reading->columns.found[i] != index)
			continue;
		buffer_append_text(&reading->text, names[i]);
		return;
	}
	buffer_printf(&reading->text, "column %zu", index);
}

static int open_csv(struct reading *reading, struct error *err)
{
	CLEANUP(csv_header_clear) struct csv_header header = { 0 };
	int rc = csv_header_read(reading->path, &header, err);

	if (!rc)
		rc = bill_format_find(header.names, header.count, &reading->columns, err);
	if (rc)
		return rc;
	buffer_printf(
		&reading->text,
		"CREATE VIEW source AS FROM read_csv('%s', auto_detect = false, header = true, "
		"delim = ',', quote = '\"', escape = '\"', strict_mode = true, null_padding = "
		"false, ignore_errors = false, max_line_size = " LINE_LIMIT
		", nullstr = ['', 'NULL', 'null'], compression = 'none', hive_partitioning = "
		"false, columns = {",
		reading->path);
	for (size_t i = 0; i < header.count; i++) {
		buffer_append_text(&reading->text, i ? ", '" : "'");
		put_name(reading, i);
		buffer_append_text(&reading->text, "': 'VARCHAR'");
	}
	buffer_append_text(&reading->text, "})");
	return run(reading, err);
}

/* The first two columns of an answer as lists of texts, one behind the other. */
static int take_columns(duckdb_result *result, struct buffer *names, struct buffer *types)
{
	for (idx_t i = 0; i < duckdb_row_count(result); i++) {
		char *name = duckdb_value_varchar(result, 0, i);
		char *type = duckdb_value_varchar(result, 1, i);

		buffer_append(names, name ? name : "", name ? strlen(name) + 1 : 1);
		buffer_append(types, type ? type : "", type ? strlen(type) + 1 : 1);
		duckdb_free(name);
		duckdb_free(type);
	}
	return names->failed || types->failed ? -ENOMEM : 0;
}

/* A file that says itself which columns it has. */
static int open_typed(struct reading *reading, const char *function, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer names = { 0 }, types = { 0 };
	duckdb_result result;
	size_t count = 0;
	int rc;

	buffer_printf(&reading->text, "CREATE VIEW source AS FROM %s", function);
	rc = run(reading, err);
	if (rc)
		return rc;
	buffer_init(&names, 0);
	buffer_init(&types, 0);
	if (duckdb_query(reading->connection, "DESCRIBE source", &result) == DuckDBError) {
		rc = say_fault(duckdb_result_error(&result), err);
	} else {
		count = duckdb_row_count(&result);
		rc = take_columns(&result, &names, &types);
	}
	duckdb_destroy_result(&result);
	if (!rc)
		rc = bill_format_find(names.data ? names.data : "", count, &reading->columns, err);
	if (!rc)
		reading->types = TAKE_PTR(types.data);
	return rc;
}

static int open_parquet(struct reading *reading, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer function = { 0 };

	buffer_init(&function, 0);
	buffer_printf(&function,
		      "read_parquet('%s', binary_as_string = true, hive_partitioning = false)",
		      reading->path);
	return open_typed(reading, function.data, err);
}

static int open_json(struct reading *reading, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer function = { 0 };

	buffer_init(&function, 0);
	buffer_printf(&function,
		      "read_json('%s', sample_size = -1, convert_strings_to_integers = false, "
		      "compression = 'uncompressed', hive_partitioning = false)",
		      reading->path);
	return open_typed(reading, function.data, err);
}

/* Whether the file's column has members: it becomes a text of JSON. */
static bool has_members(const struct reading *reading, size_t index)
{
	const char *type = reading->types;

	for (size_t i = 0; type && i < index; i++)
		type += strlen(type) + 1;
	return type && (strncmp(type, "STRUCT", 6) == 0 || strncmp(type, "MAP", 3) == 0 ||
			strstr(type, "[]"));
}

/* Names of columns are looked up in any case. Those of CSV are the format's; those of others differ
 * from them at most in case, and "_" for ".". */
static int make_raw(struct reading *reading, struct error *err)
{
	const char *const *names = reading->columns.format->columns;

	buffer_append_text(&reading->text, "CREATE VIEW raw AS SELECT ");
	for (size_t i = 0; names[i]; i++) {
		size_t found = reading->columns.found[i];

		buffer_append_text(&reading->text, i ? ", " : "");
		if (found == BILL_NO_COLUMN)
			buffer_printf(&reading->text, "NULL::VARCHAR AS \"%s\"", names[i]);
		else if (has_members(reading, found))
			buffer_printf(&reading->text, "to_json(\"%s\")::VARCHAR AS \"%s\"",
				      names[i], names[i]);
		else
			buffer_printf(&reading->text, "nullif(\"%s\"::VARCHAR, '') AS \"%s\"",
				      names[i], names[i]);
	}
	buffer_append_text(&reading->text, " FROM source");
	return run(reading, err);
}

static int open_source(struct reading *reading, struct error *err)
{
	enum import_file_type type;
	int rc = import_file_look(reading->path, &type, err);

	if (rc)
		return rc;
	return type == IMPORT_CSV       ? open_csv(reading, err)
	       : type == IMPORT_PARQUET ? open_parquet(reading, err)
					: open_json(reading, err);
}

static int write_rows(struct reading *reading, const char *rows, struct error *err)
{
	buffer_printf(
		&reading->text,
		"COPY (SELECT '%s' AS format, * FROM (%s)) TO '%s' (FORMAT parquet, COMPRESSION "
		"zstd)",
		reading->columns.name, duckdb_sql_import_bill_rows, rows);
	return run(reading, err);
}

static int check_rows(struct reading *reading, const char *rows, struct error *err)
{
	duckdb_result result;
	char *words;
	int rc;

	buffer_printf(&reading->text, "CREATE VIEW rows AS FROM read_parquet('%s')", rows);
	rc = run(reading, err);
	if (rc)
		return rc;
	if (duckdb_query(reading->connection, duckdb_sql_import_bill_check, &result) ==
	    DuckDBError) {
		rc = say_fault(duckdb_result_error(&result), err);
	} else if (duckdb_row_count(&result)) {
		words = duckdb_value_varchar(&result, 0, 0);
		rc = error_set(err, -EPROTO, "the file is not stored: %s", words ? words : "");
		duckdb_free(words);
	}
	duckdb_destroy_result(&result);
	return rc;
}

static int read_bill(duckdb_connection sandbox, const char *path, const char *rows,
		     struct error *err)
{
	struct reading reading = { .connection = sandbox, .path = path };
	int rc;

	buffer_init(&reading.text, 0);
	rc = open_source(&reading, err);
	if (!rc)
		rc = make_raw(&reading, err);
	if (!rc)
		rc = run_text(&reading, duckdb_sql_import_bill_tools, err);
	if (!rc)
		rc = run_text(&reading, reading.columns.format->sql, err);
	if (!rc)
		rc = write_rows(&reading, rows, err);
	if (!rc)
		rc = check_rows(&reading, rows, err);
	free(reading.types);
	buffer_clear(&reading.text);
	return rc;
}

const struct import_kind IMPORT_BILL = {
	.name = "bill",
	.read = read_bill,
	.refusal = "SELECT 'it was imported already, as ' || name || ' at ' || "
		   "strftime(imported_at, '%Y-%m-%dT%H:%M:%SZ') || ' (bill ' || bill_id || ')' "
		   "FROM bills WHERE bill_id = bill_id_of($hash, $batch, $parts)",
	.write = duckdb_sql_import_bill_write,
	.answer = "SELECT bill_id AS id, format, lines, bill_id IN (SELECT bill_id FROM "
		  "bills_complete) AS complete FROM bills WHERE bill_id = bill_id_of($hash, "
		  "$batch, $parts)",
};
