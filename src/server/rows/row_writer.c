/* SPDX-License-Identifier: Apache-2.0 */
#include "server/rows/row_writer.h"

#include <assert.h>

const struct row_format *const ROW_FORMATS[] = { &ROW_FORMAT_JSON };
const size_t ROW_FORMATS_COUNT = sizeof(ROW_FORMATS) / sizeof(ROW_FORMATS[0]);

void row_writer_init(struct row_writer *writer, const struct row_format *format, struct buffer *out)
{
	*writer = (struct row_writer){ .format = format, .out = out };
}

void row_writer_begin(struct row_writer *writer, const struct row_format *format,
		      struct buffer *out)
{
	row_writer_init(writer, format, out);
	if (format->answer_begin)
		format->answer_begin(writer);
}

void row_writer_end(struct row_writer *writer)
{
	if (writer->format->answer_end)
		writer->format->answer_end(writer);
}

void row_list_begin(struct row_writer *writer, const char *name, const struct row_column *columns,
		    size_t count)
{
	writer->columns = columns;
	writer->columns_count = count;
	writer->format->begin(writer, name);
}

void row_list_add(struct row_writer *writer, const struct cell *cells, size_t count)
{
	assert(count == writer->columns_count);
	writer->format->row(writer, cells);
}

void row_list_end(struct row_writer *writer)
{
	writer->format->end(writer);
	writer->columns = NULL;
	writer->columns_count = 0;
}

void row_field(struct row_writer *writer, const char *name, struct cell cell)
{
	if (writer->format->field)
		writer->format->field(writer, name, &cell);
}

void row_group_begin(struct row_writer *writer, const char *name)
{
	if (writer->format->group_begin)
		writer->format->group_begin(writer, name);
}

void row_group_end(struct row_writer *writer)
{
	if (writer->format->group_end)
		writer->format->group_end(writer);
}
