/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "lake/store/boundary_record.h"

#include <errno.h>
#include <stdbool.h>

/*
 * An earlier version may have stored texts that this one rejects (boundary.h), and their size would
 * make unrelated pages fail. Such texts are cut to their first characters; rows with ids that are
 * too long, which no query can name, are deleted. The statements consist of names of signal.proto.
 */
#define KEPT_CHARACTERS 1000

/* The column as one text. */
static void write_text(struct buffer *sql, const ProtobufCFieldDescriptor *field)
{
	bool list = field->label == PROTOBUF_C_LABEL_REPEATED;

	buffer_printf(sql, list ? "array_to_string(\"%s\", ' ')" : "\"%s\"", field->name);
}

static void write_statement(struct buffer *sql, const char *table,
			    const ProtobufCFieldDescriptor *field)
{
	bool list = field->label == PROTOBUF_C_LABEL_REPEATED;
	size_t most = boundary_most(field->name);

	if (text_ends_with(field->name, "_id")) {
		buffer_printf(sql, "DELETE FROM %s", table);
	} else {
		buffer_printf(sql, "UPDATE %s SET \"%s\" = ", table, field->name);
		buffer_append_text(sql, list ? "[left(" : "left(");
		write_text(sql, field);
		buffer_printf(sql, list ? ", %d)]" : ", %d)", KEPT_CHARACTERS);
	}
	buffer_append_text(sql, " WHERE strlen(");
	write_text(sql, field);
	buffer_printf(sql, ") > %zu; ", most ? most : BOUNDARY_SHORT);
}

/* A field that was added since the file was made has no column yet. */
static bool has_column(duckdb_connection connection, const char *table, const char *column)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };
	duckdb_result result;
	bool has;

	buffer_init(&sql, 0);
	buffer_printf(&sql,
		      "FROM duckdb_columns() WHERE table_name = '%s' AND column_name = '%s' AND "
		      "data_type LIKE 'VARCHAR%%'",
		      table, column);
	has = !sql.failed && duckdb_query(connection, sql.data, &result) == DuckDBSuccess &&
	      duckdb_row_count(&result) > 0;
	if (!sql.failed)
		duckdb_destroy_result(&result);
	return has;
}

/* A column at a time: DuckDB holds in memory what a statement changes. */
static int shorten_fields(duckdb_connection connection, const char *table,
			  const ProtobufCMessageDescriptor *message, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };
	int rc = 0;

	buffer_init(&sql, 0);
	for (unsigned i = 0; !rc && i < message->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &message->fields[i];

		if (field->type != PROTOBUF_C_TYPE_STRING ||
		    !has_column(connection, table, field->name))
			continue;
		buffer_reset(&sql);
		write_statement(&sql, table, field);
		rc = sql.failed ? error_set(err, -ENOMEM, "no memory to open the store")
				: duckdb_run(connection, sql.data, "texts are not shortened", err);
	}
	return rc;
}

int duckdb_shorten(duckdb_connection connection, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < TABLES_COUNT && !rc; i++) {
		const char *table = TABLES[i].name;

		if (TABLES[i].part) /* it has no texts */
			continue;
		rc = shorten_fields(connection, table, &signal__batch__descriptor, err);
		if (!rc)
			rc = shorten_fields(connection, table, table_descriptor(&TABLES[i]), err);
	}
	/* Before a checkpoint, DuckDB reads the old text with the shortened one. */
	return rc ? rc : duckdb_run(connection, "CHECKPOINT", "texts are not shortened", err);
}
