/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "server/rows/row_writer.h"

/*
 * One list as CSV (RFC 4180) with a line of names, and nothing beside it. A text that a spreadsheet
 * would take for a formula is quoted with an apostrophe before it (OWASP, CSV Injection).
 */

static void write_text(struct buffer *out, const char *text)
{
	bool formula = *text && strchr("=+-@\t\r", *text);

	if (!formula && !strpbrk(text, "\",\r\n")) {
		buffer_append_text(out, text);
		return;
	}
	buffer_append_char(out, '"');
	if (formula)
		buffer_append_char(out, '\'');
	for (; *text; text++) {
		if (*text == '"')
			buffer_append_char(out, '"');
		buffer_append_char(out, *text);
	}
	buffer_append_char(out, '"');
}

static void write_number(struct buffer *out, double number)
{
	struct json json;

	json_init(&json, out, false);
	json_double(&json, number);
}

static void write_cell(struct buffer *out, const struct cell *cell)
{
	char text[CLOCK_TEXT_SIZE];

	switch (cell->type) {
	case STORE_NULL:
		break;
	case STORE_TEXT:
	case STORE_JSON:
		write_text(out, cell->text);
		break;
	case STORE_I64:
		buffer_printf(out, "%lld", (long long)cell->i64);
		break;
	case STORE_DOUBLE:
		write_number(out, cell->number);
		break;
	case STORE_BOOL:
		buffer_append_text(out, cell->flag ? "true" : "false");
		break;
	case STORE_TIME:
		buffer_append_text(out, clock_format(cell->i64, text));
		break;
	}
}

static void begin(struct row_writer *writer, const char *name)
{
	(void)name;
	for (size_t i = 0; i < writer->columns_count; i++) {
		if (i)
			buffer_append_char(writer->out, ',');
		buffer_append_text(writer->out, writer->columns[i].name);
	}
	buffer_append_text(writer->out, "\r\n");
}

static void row(struct row_writer *writer, const struct cell *cells)
{
	for (size_t i = 0; i < writer->columns_count; i++) {
		if (i)
			buffer_append_char(writer->out, ',');
		write_cell(writer->out, &cells[i]);
	}
	buffer_append_text(writer->out, "\r\n");
}

static void end(struct row_writer *writer)
{
	(void)writer;
}

const struct row_format ROW_FORMAT_CSV = {
	.name = "csv",
	.media_type = "text/csv; charset=utf-8; header=present",
	.begin = begin,
	.row = row,
	.end = end,
};
