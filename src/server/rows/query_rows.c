/* SPDX-License-Identifier: Apache-2.0 */
#include "server/rows/query_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "server/http/reply.h"

/* A page that grew as large ends there, though more rows were asked for. */
#define PAGE_BYTES (REPLY_LIMIT / 2)

struct cell query_rows_cell(const struct store_rows *rows, size_t column)
{
	struct cell cell = { .type = store_column_type(rows, column) };

	if (store_is_null(rows, column))
		return CELL_NONE;
	switch (cell.type) {
	case STORE_NULL:
		break;
	case STORE_TEXT:
	case STORE_JSON:
		cell.text = store_text(rows, column);
		break;
	case STORE_I64:
	case STORE_TIME:
		cell.i64 = store_i64(rows, column);
		break;
	case STORE_DOUBLE:
		cell.number = store_double(rows, column);
		break;
	case STORE_BOOL:
		cell.flag = store_bool(rows, column);
		break;
	}
	return cell;
}

static bool is_shown(const char *name, const struct row_extra *extra)
{
	for (size_t i = 0; extra && i < extra->count; i++)
		if (strcmp(extra->columns[i].name, name) == 0)
			return false;
	return strcmp(name, STORE_CURSOR) != 0;
}

/* The columns of a list of query rows, and the cells of one row. */
struct table {
	const struct row_extra *extra;
	size_t *sources; /* of the columns that are shown: their numbers in the query */
	struct row_column *columns;
	struct cell *cells;
	size_t shown, count; /* of the query; with the added ones */
};

static void table_clear(struct table *table)
{
	free(table->sources);
	free(table->columns);
	free(table->cells);
}

/* false: no memory, which the writer's buffer then says. */
static bool table_init(struct table *table, const struct store_rows *rows,
		       const struct row_extra *extra, struct buffer *out)
{
	size_t most = store_columns(rows) + (extra ? extra->count : 0);

	table->extra = extra;
	table->sources = calloc(most + 1, sizeof(*table->sources));
	table->columns = calloc(most + 1, sizeof(*table->columns));
	table->cells = calloc(most + 1, sizeof(*table->cells));
	if (!table->sources || !table->columns || !table->cells) {
		out->failed = true;
		return false;
	}
	for (size_t i = 0; i < store_columns(rows); i++) {
		const char *name = store_column_name(rows, i);

		if (!is_shown(name, extra))
			continue;
		table->sources[table->shown] = i;
		table->columns[table->shown++] =
			(struct row_column){ name, store_column_type(rows, i) };
	}
	table->count = table->shown;
	for (size_t i = 0; extra && i < extra->count; i++)
		table->columns[table->count++] = extra->columns[i];
	return true;
}

static void add_row(struct row_writer *writer, struct table *table, const struct store_rows *rows)
{
	for (size_t i = 0; i < table->shown; i++)
		table->cells[i] = query_rows_cell(rows, table->sources[i]);
	if (table->extra)
		table->extra->fill(rows, table->extra->context, table->cells + table->shown);
	row_list_add(writer, table->cells, table->count);
}

void query_rows_list(struct row_writer *writer, const char *name, struct store_rows *rows,
		     const struct row_extra *extra)
{
	CLEANUP(table_clear) struct table table = { 0 };

	if (!table_init(&table, rows, extra, writer->out))
		return;
	row_list_begin(writer, name, table.columns, table.count);
	while (store_next(rows))
		add_row(writer, &table, rows);
	row_list_end(writer);
}

static void keep_cursor(struct buffer *cursor, const struct store_rows *rows)
{
	int column = store_column(rows, STORE_CURSOR);
	const char *text = column < 0 ? NULL : store_text(rows, (size_t)column);

	buffer_reset(cursor);
	buffer_append_text(cursor, text ? text : "");
}

void query_rows_page(struct row_writer *writer, const char *name, struct store_rows *rows,
		     int64_t limit, const struct row_extra *extra)
{
	CLEANUP(table_clear) struct table table = { 0 };
	CLEANUP(buffer_clear) struct buffer cursor = { 0 };
	int64_t count = 0;
	bool left;

	buffer_init(&cursor, 0);
	if (!table_init(&table, rows, extra, writer->out))
		return;
	row_list_begin(writer, name, table.columns, table.count);
	while ((left = store_next(rows)) && count++ < limit && writer->out->len < PAGE_BYTES) {
		add_row(writer, &table, rows);
		keep_cursor(&cursor, rows);
	}
	row_list_end(writer);
	row_field(writer, "next", cell_text(left ? cursor.data : NULL));
}

void query_rows_fields(struct row_writer *writer, const struct store_rows *rows, size_t from,
		       size_t to, const struct row_extra *extra)
{
	CLEANUP(table_clear) struct table table = { 0 };

	if (!table_init(&table, rows, extra, writer->out))
		return;
	for (size_t i = 0; i < table.shown; i++)
		if (table.sources[i] >= from && table.sources[i] < to)
			row_field(writer, table.columns[i].name,
				  query_rows_cell(rows, table.sources[i]));
	if (!extra)
		return;
	extra->fill(rows, extra->context, table.cells);
	for (size_t i = 0; i < extra->count; i++)
		row_field(writer, extra->columns[i].name, table.cells[i]);
}
