/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/rows.h"

#include "base/buffer.h"
#include "lake/store/store_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct cell {
	bool is_null;
	union {
		int64_t i64;
		double number;
		bool flag;
		size_t text; /* where it begins in texts */
	};
};

struct rows_column {
	char *name;
	enum store_type type;
};

struct store_rows {
	struct buffer cells; /* struct cell, row after row */
	struct buffer texts; /* NUL-terminated */
	size_t current;      /* number of the current row, from 1; 0: before the first */
	size_t count;
	size_t columns_count;
	struct rows_column columns[];
};

struct store_rows *rows_new(size_t columns)
{
	const struct store_reader *reader = store_reader_current();
	struct store_rows *rows = calloc(1, sizeof(*rows) + columns * sizeof(rows->columns[0]));

	if (!rows)
		return NULL;
	buffer_init(&rows->cells, ROWS_LIMIT);
	buffer_init(&rows->texts, ROWS_LIMIT);
	buffer_charge(&rows->cells, reader ? reader->budget : NULL);
	buffer_charge(&rows->texts, reader ? reader->budget : NULL);
	rows->columns_count = columns;
	return rows;
}

void store_rows_free(struct store_rows *rows)
{
	if (!rows)
		return;
	for (size_t i = 0; i < rows->columns_count; i++)
		free(rows->columns[i].name);
	buffer_clear(&rows->cells);
	buffer_clear(&rows->texts);
	free(rows);
}

int rows_set_column(struct store_rows *rows, size_t column, const char *name, enum store_type type)
{
	rows->columns[column].name = strdup(name);
	rows->columns[column].type = type;
	return rows->columns[column].name ? 0 : -ENOMEM;
}

static void put(struct store_rows *rows, struct cell cell)
{
	buffer_append(&rows->cells, &cell, sizeof(cell));
}

void rows_put_null(struct store_rows *rows)
{
	put(rows, (struct cell){ .is_null = true });
}

void rows_put_i64(struct store_rows *rows, int64_t value)
{
	put(rows, (struct cell){ .i64 = value });
}

void rows_put_double(struct store_rows *rows, double value)
{
	put(rows, (struct cell){ .number = value });
}

void rows_put_bool(struct store_rows *rows, bool value)
{
	put(rows, (struct cell){ .flag = value });
}

void rows_put_text(struct store_rows *rows, const char *text, size_t len)
{
	put(rows, (struct cell){ .text = rows->texts.len });
	buffer_append(&rows->texts, text, len);
	buffer_append_char(&rows->texts, '\0');
}

int rows_finish(struct store_rows *rows, struct error *err)
{
	if (rows->cells.over_budget || rows->texts.over_budget)
		return error_set(err, -EAGAIN,
				 "the lake holds as many answers as it may (tracer-lake "
				 "--answers-memory); ask again later, or for fewer rows");
	if (rows->cells.failed || rows->texts.failed)
		return error_set(err, -EMSGSIZE,
				 "the answer is larger than %u MiB; ask for fewer rows with limit",
				 ROWS_LIMIT >> 20);
	if (rows->columns_count)
		rows->count = rows->cells.len / sizeof(struct cell) / rows->columns_count;
	return 0;
}

size_t store_columns(const struct store_rows *rows)
{
	return rows->columns_count;
}

const char *store_column_name(const struct store_rows *rows, size_t column)
{
	return rows->columns[column].name;
}

enum store_type store_column_type(const struct store_rows *rows, size_t column)
{
	return rows->columns[column].type;
}

int store_column(const struct store_rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->columns_count; i++)
		if (!strcmp(rows->columns[i].name, name))
			return (int)i;
	return -1;
}

bool store_next(struct store_rows *rows)
{
	if (rows->current > rows->count)
		return false;
	rows->current++;
	return rows->current <= rows->count;
}

void store_rewind(struct store_rows *rows)
{
	rows->current = 0;
}

static const struct cell *cell_at(const struct store_rows *rows, size_t column)
{
	size_t index = (rows->current - 1) * rows->columns_count + column;

	return (const struct cell *)(const void *)rows->cells.data + index;
}

bool store_is_null(const struct store_rows *rows, size_t column)
{
	return cell_at(rows, column)->is_null;
}

const char *store_text(const struct store_rows *rows, size_t column)
{
	const struct cell *cell = cell_at(rows, column);
	enum store_type type = rows->columns[column].type;

	if (cell->is_null || (type != STORE_TEXT && type != STORE_JSON))
		return NULL;
	return rows->texts.data + cell->text;
}

int64_t store_i64(const struct store_rows *rows, size_t column)
{
	const struct cell *cell = cell_at(rows, column);

	if (cell->is_null)
		return 0;
	switch (rows->columns[column].type) {
	case STORE_I64:
	case STORE_TIME:
		return cell->i64;
	case STORE_DOUBLE:
		return (int64_t)cell->number;
	case STORE_BOOL:
		return cell->flag;
	default:
		return 0;
	}
}

double store_double(const struct store_rows *rows, size_t column)
{
	const struct cell *cell = cell_at(rows, column);

	if (!cell->is_null && rows->columns[column].type == STORE_DOUBLE)
		return cell->number;
	return (double)store_i64(rows, column);
}

bool store_bool(const struct store_rows *rows, size_t column)
{
	return store_i64(rows, column) != 0;
}
