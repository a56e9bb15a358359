/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "server/rows/answer.h"
#include "server/rows/row_writer.h"

/* The interface with two formats: JSON, and one that holds a table and nothing beside it. */

static void tsv_begin(struct row_writer *writer, const char *name)
{
	for (size_t i = 0; i < writer->columns_count; i++)
		buffer_printf(writer->out, "%s%s", i ? "\t" : "", writer->columns[i].name);
	buffer_append_char(writer->out, '\n');
}

static void tsv_row(struct row_writer *writer, const struct cell *cells)
{
	for (size_t i = 0; i < writer->columns_count; i++) {
		buffer_append_text(writer->out, i ? "\t" : "");
		if (cells[i].type == STORE_TEXT)
			buffer_append_text(writer->out, cells[i].text);
		else if (cells[i].type == STORE_I64)
			buffer_printf(writer->out, "%d", (int)cells[i].i64);
	}
	buffer_append_char(writer->out, '\n');
}

static void tsv_end(struct row_writer *writer)
{
}

static const struct row_format TSV = { .name = "tsv",
				       .media_type = "text/tab-separated-values",
				       .begin = tsv_begin,
				       .row = tsv_row,
				       .end = tsv_end };

static const struct row_column COLUMNS[] = {
	{ "name", STORE_TEXT },  { "count", STORE_I64 }, { "part", STORE_DOUBLE },
	{ "known", STORE_BOOL }, { "at", STORE_TIME },   { "more", STORE_JSON },
};

static void write_answer(const struct row_format *format, struct buffer *out)
{
	const struct cell full[] = { cell_text("a"),  cell_i64(3),  cell_double(0.5),
				     cell_bool(true), cell_time(1), cell_json("[1]") };
	const struct cell empty[] = { cell_text(NULL), CELL_NONE,    CELL_NONE,
				      CELL_NONE,       cell_time(0), CELL_NONE };
	struct row_writer writer;

	row_writer_begin(&writer, format, out);
	row_field(&writer, "by", cell_text("x"));
	row_group_begin(&writer, "group");
	ROW_LIST_BEGIN(&writer, "rows", COLUMNS);
	ROW_LIST_ADD(&writer, full);
	ROW_LIST_ADD(&writer, empty);
	row_list_end(&writer);
	row_group_end(&writer);
	row_field(&writer, "next", CELL_NONE);
	row_writer_end(&writer);
}

static void json_has_fields_groups_and_lists(void **state)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	write_answer(&ROW_FORMAT_JSON, &out);
	assert_string_equal(
		out.data, "{\"by\":\"x\",\"group\":{\"rows\":["
			  "{\"name\":\"a\",\"count\":3,\"part\":0.5,\"known\":true,"
			  "\"at\":\"1970-01-01T00:00:00.000000Z\",\"more\":[1]},"
			  "{\"name\":null,\"count\":null,\"part\":null,\"known\":null,\"at\":null,"
			  "\"more\":null}]},\"next\":null}");
}

static void a_format_of_tables_leaves_out_everything_beside_the_rows(void **state)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	write_answer(&TSV, &out);
	assert_string_equal(out.data,
			    "name\tcount\tpart\tknown\tat\tmore\na\t3\t\t\t\t\n\t\t\t\t\t\n");
}

static void a_list_without_a_name_is_the_whole_text(void **state)
{
	static const struct row_column ID[] = { { "id", STORE_TEXT } };
	const struct cell cells[] = { cell_text("r1") };
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct row_writer writer;

	buffer_init(&out, 0);
	row_writer_init(&writer, &ROW_FORMAT_JSON, &out);
	ROW_LIST_BEGIN(&writer, NULL, ID);
	ROW_LIST_ADD(&writer, cells);
	row_list_end(&writer);
	assert_string_equal(out.data, "[{\"id\":\"r1\"}]");
}

static void every_format_has_a_name_a_type_and_a_list(void **state)
{
	for (size_t i = 0; i < ROW_FORMATS_COUNT; i++) {
		const struct row_format *format = ROW_FORMATS[i];

		assert_true(*format->name && *format->media_type);
		assert_true(format->begin && format->row && format->end);
	}
}

static void the_header_accept_chooses_the_format(void **state)
{
	static const struct row_format *const formats[] = { &ROW_FORMAT_JSON, &TSV };
	static const struct {
		const char *accept;
		const struct row_format *expected;
	} CASES[] = {
		{ NULL, &ROW_FORMAT_JSON },
		{ "", &ROW_FORMAT_JSON },
		{ "*/*", &ROW_FORMAT_JSON },
		{ "application/json", &ROW_FORMAT_JSON },
		{ "text/tab-separated-values", &TSV },
		{ "Text/Tab-Separated-Values;q=0.9", &TSV },
		{ "text/html, text/tab-separated-values", &TSV },
		{ "text/tab-separated-values,application/json", &ROW_FORMAT_JSON },
		{ "text/tab-separated-valuesx", &ROW_FORMAT_JSON },
		{ "text/tab", &ROW_FORMAT_JSON },
		{ ",,;", &ROW_FORMAT_JSON },
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++)
		assert_ptr_equal(answer_choose(CASES[i].accept, formats, 2), CASES[i].expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_has_fields_groups_and_lists),
		cmocka_unit_test(a_format_of_tables_leaves_out_everything_beside_the_rows),
		cmocka_unit_test(a_list_without_a_name_is_the_whole_text),
		cmocka_unit_test(every_format_has_a_name_a_type_and_a_list),
		cmocka_unit_test(the_header_accept_chooses_the_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
