/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "lake/store/rows.h"
#include "server/rows/query_rows.h"

static struct store_rows *two_rows(void)
{
	struct store_rows *rows = rows_new(3);

	rows_set_column(rows, 0, "name", STORE_TEXT);
	rows_set_column(rows, 1, "count", STORE_I64);
	rows_set_column(rows, 2, STORE_CURSOR, STORE_TEXT);
	rows_put_text(rows, "a\"b", 3);
	rows_put_i64(rows, -7);
	rows_put_text(rows, "x", 1);
	rows_put_null(rows);
	rows_put_null(rows);
	rows_put_text(rows, "y", 1);
	assert_int_equal(rows_finish(rows, NULL), 0);
	return rows;
}

/* What a page of two_rows is as JSON. Valid until the next call. */
static const char *page_of_two_rows(int64_t limit, const struct row_extra *extra)
{
	static char text[256];
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct store_rows *rows = two_rows();
	struct row_writer writer;

	buffer_init(&out, 0);
	row_writer_begin(&writer, &ROW_FORMAT_JSON, &out);
	query_rows_page(&writer, "rows", rows, limit, extra);
	row_writer_end(&writer);
	store_rows_free(rows);
	assert_true(out.len < sizeof(text));
	return strcpy(text, out.data);
}

static void a_page_has_its_rows_and_the_cursor_of_the_next(void **state)
{
	assert_string_equal(page_of_two_rows(1, NULL),
			    "{\"rows\":[{\"name\":\"a\\\"b\",\"count\":-7}],\"next\":\"x\"}");
	assert_string_equal(page_of_two_rows(2, NULL),
			    "{\"rows\":[{\"name\":\"a\\\"b\",\"count\":-7},"
			    "{\"name\":null,\"count\":null}],\"next\":null}");
}

static void fill_count(const struct store_rows *rows, void *context, struct cell *cells)
{
	*cells = cell_i64(store_i64(rows, 1) * *(const int64_t *)context);
}

static void an_added_column_replaces_the_query_s(void **state)
{
	static const struct row_column COUNT[] = { { "count", STORE_I64 } };
	int64_t factor = 2;
	const struct row_extra extra = { COUNT, 1, fill_count, &factor };

	assert_string_equal(page_of_two_rows(1, &extra),
			    "{\"rows\":[{\"name\":\"a\\\"b\",\"count\":-14}],\"next\":\"x\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_has_its_rows_and_the_cursor_of_the_next),
		cmocka_unit_test(an_added_column_replaces_the_query_s),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
