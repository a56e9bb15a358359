/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/prices/csv_rows.h"

#include <errno.h>

void csv_rows_init(struct csv_rows *rows,
		   int (*row)(void *context, const char *const *fields, size_t count,
			      struct error *err),
		   void *context)
{
	*rows = (struct csv_rows){ .row = row, .context = context, .line = 1 };
	buffer_init(&rows->text, CSV_ROW_BYTES);
}

void csv_rows_clear(struct csv_rows *rows)
{
	buffer_clear(&rows->text);
}

static void begin_field(struct csv_rows *rows)
{
	if (rows->count < CSV_ROW_FIELDS)
		rows->starts[rows->count] = rows->text.len;
	rows->count++;
}

static void end_field(struct csv_rows *rows)
{
	buffer_append_char(&rows->text, '\0');
}

static int end_row(struct csv_rows *rows, struct error *err)
{
	const char *fields[CSV_ROW_FIELDS];
	size_t count = rows->count;

	end_field(rows);
	rows->begun = false;
	rows->count = 0;
	if (rows->text.failed || count > CSV_ROW_FIELDS)
		return error_set(err, -EFBIG, "line %zu: a row of more than 256 KiB, or 512 fields",
				 rows->line);
	for (size_t i = 0; i < count; i++)
		fields[i] = rows->text.data + rows->starts[i];
	return rows->row(rows->context, fields, count, err);
}

static int take(struct csv_rows *rows, char byte, struct error *err)
{
	bool after_quote = rows->quote;

	rows->quote = false;
	if (rows->quoted && !after_quote) {
		rows->quote = byte == '"';
		if (!rows->quote)
			buffer_append_char(&rows->text, byte);
		return 0;
	}
	if (after_quote && byte == '"') {
		buffer_append_char(&rows->text, byte);
		return 0;
	}
	rows->quoted = false;
	if (!rows->begun && (byte == '\n' || byte == '\r'))
		return 0;
	if (!rows->begun) {
		buffer_reset(&rows->text);
		begin_field(rows);
		rows->begun = true;
	}
	if (byte == '\n')
		return end_row(rows, err);
	if (byte == ',') {
		end_field(rows);
		begin_field(rows);
	} else if (byte == '"') {
		rows->quoted = true;
	} else if (byte != '\r') {
		buffer_append_char(&rows->text, byte);
	}
	return 0;
}

int csv_rows_feed(struct csv_rows *rows, const char *bytes, size_t len, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < len; i++) {
		rc = take(rows, bytes[i], err);
		rows->line += bytes[i] == '\n';
	}
	return rc;
}

int csv_rows_end(struct csv_rows *rows, struct error *err)
{
	if (rows->quoted && !rows->quote)
		return error_set(err, -EINVAL, "line %zu: the file ends within quotes", rows->line);
	return rows->begun ? end_row(rows, err) : 0;
}
