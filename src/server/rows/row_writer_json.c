/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/json.h"
#include "server/rows/row_writer.h"

/* An answer as a JSON object: fields and groups are members, a list is an array of objects. */

_Static_assert(sizeof(struct json) <= ROW_FORMAT_STATE, "the state of a JSON writer");

static struct json *json_of(struct row_writer *writer)
{
	struct json *json = (struct json *)writer->state;

	if (!json->out)
		json_init(json, writer->out, false);
	return json;
}

static void write_time(struct json *json, int64_t at)
{
	char text[CLOCK_TEXT_SIZE];

	json_text(json, clock_format(at, text));
}

static void write_cell(struct json *json, const struct cell *cell)
{
	switch (cell->type) {
	case STORE_NULL:
		json_none(json);
		break;
	case STORE_TEXT:
		json_text(json, cell->text);
		break;
	case STORE_JSON:
		json_raw(json, cell->text, strlen(cell->text));
		break;
	case STORE_I64:
		json_i64(json, cell->i64);
		break;
	case STORE_DOUBLE:
		json_double(json, cell->number);
		break;
	case STORE_BOOL:
		json_bool(json, cell->flag);
		break;
	case STORE_TIME:
		write_time(json, cell->i64);
		break;
	}
}

static void answer_begin(struct row_writer *writer)
{
	json_object_begin(json_of(writer));
}

static void object_end(struct row_writer *writer)
{
	json_object_end(json_of(writer));
}

static void group_begin(struct row_writer *writer, const char *name)
{
	json_key(json_of(writer), name);
	json_object_begin(json_of(writer));
}

static void field(struct row_writer *writer, const char *name, const struct cell *cell)
{
	json_key(json_of(writer), name);
	write_cell(json_of(writer), cell);
}

static void begin(struct row_writer *writer, const char *name)
{
	if (name)
		json_key(json_of(writer), name);
	json_array_begin(json_of(writer));
}

static void row(struct row_writer *writer, const struct cell *cells)
{
	struct json *json = json_of(writer);

	json_object_begin(json);
	for (size_t i = 0; i < writer->columns_count; i++) {
		json_key(json, writer->columns[i].name);
		write_cell(json, &cells[i]);
	}
	json_object_end(json);
}

static void end(struct row_writer *writer)
{
	json_array_end(json_of(writer));
}

const struct row_format ROW_FORMAT_JSON = {
	.name = "json",
	.media_type = "application/json; charset=utf-8",
	.answer_begin = answer_begin,
	.answer_end = object_end,
	.group_begin = group_begin,
	.group_end = object_end,
	.field = field,
	.begin = begin,
	.row = row,
	.end = end,
};
