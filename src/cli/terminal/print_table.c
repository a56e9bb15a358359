/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/terminal/columns.h"
#include "cli/terminal/lines.h"
#include "cli/terminal/print.h"

/* Tables as wide as the terminal. */

#define COLUMNS_MAX 16
#define LEAST_WIDTH 16 /* of a text that is cut to make room */
#define LEAST_WORDS 32 /* of a phrase */
#define BETWEEN     2  /* blanks between two columns */

#define SPARE 2 /* bytes behind a text: "…" has two more than the character that it replaces */

/* Cuts text to limit columns, the last of them "…". The text has SPARE bytes behind it. */
static void cut(char *text, size_t limit)
{
	if (limit > 0 && columns_of(text) > limit)
		memcpy(text + columns_prefix(text, limit - 1), "…", sizeof("…"));
}

static bool is_left(enum format format)
{
	return format == FORMAT_TEXT || format == FORMAT_SENTENCE || format == FORMAT_PHRASE ||
	       format == FORMAT_STATUS || format == FORMAT_LIST || format == FORMAT_COMMAND ||
	       format == FORMAT_TIME || format == FORMAT_WAIT || format == FORMAT_BAR;
}

static void pad(FILE *out, const char *text, bool left, size_t width)
{
	size_t shown = columns_of(text);
	int padding = (int)(width > shown ? width - shown : 0);

	if (left)
		fprintf(out, "%s%*s", text, padding, "");
	else
		fprintf(out, "%*s%s", padding, "", text);
}

/* A table that is being laid out. */
struct table {
	const struct column *columns;
	size_t count; /* columns */
	size_t shown; /* columns that fit */
	size_t rows;
	size_t widths[COLUMNS_MAX];
	char **cells; /* row by row; NULL: out of memory */
};

static size_t least_width(const struct table *table, size_t c)
{
	size_t least = table->columns[c].format == FORMAT_PHRASE ? LEAST_WORDS : LEAST_WIDTH;
	bool may_be_cut = table->columns[c].width_limit > 0 && table->widths[c] > least;

	return may_be_cut ? least : table->widths[c];
}

/* The width of the columns that are shown; least: with all texts cut that may be cut. */
static size_t table_width(const struct table *table, bool least)
{
	size_t width = (table->shown - 1) * BETWEEN;

	for (size_t c = 0; c < table->shown; c++)
		width += least ? least_width(table, c) : table->widths[c];
	return width;
}

/* The widest column with texts that can be cut; NULL: none is wide enough. */
static size_t *widest(struct table *table)
{
	size_t *most = NULL;

	for (size_t c = 0; c < table->shown; c++)
		if (least_width(table, c) < table->widths[c] && (!most || table->widths[c] > *most))
			most = &table->widths[c];
	return most;
}

/* Leaves out the last columns, then cuts texts. A sentence continues on the next line. */
static void fit(struct table *table, size_t width)
{
	size_t *most;

	if (width == 0 || table->columns[table->count - 1].format == FORMAT_SENTENCE)
		return;
	while (table_width(table, true) > width && table->shown > 1)
		table->shown--;
	while (table_width(table, false) > width && (most = widest(table)))
		--*most;
}

/* The text of one cell, with SPARE bytes behind it; NULL: out of memory. */
static char *cell_text(const json_t *row, const struct column *column)
{
	struct buffer cell;
	char *text;
	size_t len;

	buffer_init(&cell, 0);
	print_value(&cell, row, column);
	len = cell.len;
	buffer_append(&cell, "\0\0", SPARE);
	text = buffer_take(&cell);
	if (text)
		text[len] = '\0';
	return text;
}

/* Fills cells and widths. limited: no text is wider than the limit of its column. */
static void fill(struct table *table, const json_t *rows, bool limited)
{
	for (size_t c = 0; c < table->count; c++)
		table->widths[c] = columns_of(table->columns[c].title);
	for (size_t i = 0; i < table->rows * table->count; i++) {
		const struct column *column = &table->columns[i % table->count];
		size_t *width = &table->widths[i % table->count];

		table->cells[i] = cell_text(json_array_get(rows, i / table->count), column);
		if (!table->cells[i])
			continue;
		if (limited)
			cut(table->cells[i], column->width_limit);
		if (columns_of(table->cells[i]) > *width)
			*width = columns_of(table->cells[i]);
	}
}

/* is_value: it is not the title of its column. */
static void print_cell(FILE *out, const char *text, enum format format, bool is_value, size_t width)
{
	size_t shown = columns_of(text);

	if (format != FORMAT_STATUS || !is_value) {
		pad(out, text, is_left(format), width);
		return;
	}
	print_coloured(out, text, print_status_colour(text));
	fprintf(out, "%*s", (int)(width > shown ? width - shown : 0), "");
}

static void print_row(FILE *out, const struct table *table, char *const *cells)
{
	for (size_t c = 0; c < table->shown; c++) {
		enum format format = table->columns[c].format;
		const char *text = cells ? cells[c] : table->columns[c].title;
		bool last = c == table->shown - 1;

		if (cells && cells[c])
			cut(cells[c], table->columns[c].width_limit ? table->widths[c] : 0);
		print_cell(out, text ? text : "?", format, cells != NULL,
			   last && is_left(format) ? 0 : table->widths[c]);
		fputs(last ? "\n" : "  ", out);
	}
}

static void print_left_out(FILE *out, const struct table *table, size_t width)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	struct lines lines CLEANUP(lines_clear) = { 0 };

	if (table->shown == table->count)
		return;
	buffer_init(&text, 0);
	for (size_t c = table->shown; c < table->count; c++)
		buffer_printf(&text, "%s%s", c == table->shown ? "(no room for " : ", ",
			      table->columns[c].title);
	buffer_append_char(&text, ')');
	if (!text.failed)
		lines_wrap(&lines, "", " ", text.data, width);
	lines_print(out, &lines);
}

void print_table(FILE *out, const json_t *rows, const struct column *columns, size_t count)
{
	struct table table = {
		.columns = columns, .count = count, .shown = count, .rows = json_array_size(rows)
	};
	size_t width = print_width(out);
	char **cells CLEANUP(freep) = calloc(table.rows * count + 1, sizeof(*cells));

	if (!cells || count == 0 || count > COLUMNS_MAX)
		return;
	table.cells = cells;
	fill(&table, rows, width > 0);
	fit(&table, width);
	print_row(out, &table, NULL);
	for (size_t i = 0; i < table.rows; i++)
		print_row(out, &table, cells + i * count);
	print_left_out(out, &table, width);
	for (size_t i = 0; i < table.rows * count; i++)
		free(cells[i]);
}
