/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/rows.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct store_rows *two_rows(void)
{
	struct store_rows *rows = rows_new(3);

	rows_set_column(rows, 0, "name", STORE_TEXT);
	rows_set_column(rows, 1, "count", STORE_I64);
	rows_set_column(rows, 2, "cursor", STORE_TEXT);
	rows_put_text(rows, "a\"b", 3);
	rows_put_i64(rows, -7);
	rows_put_text(rows, "x", 1);
	rows_put_null(rows);
	rows_put_null(rows);
	rows_put_null(rows);
	assert_int_equal(rows_finish(rows, NULL), 0);
	return rows;
}

static void rows_are_walked_once_from_the_first_to_the_last(void **state)
{
	struct store_rows *rows = two_rows();

	assert_int_equal(store_columns(rows), 3);
	assert_int_equal(store_column(rows, "count"), 1);
	assert_int_equal(store_column(rows, "colour"), -1);
	assert_true(store_next(rows));
	assert_string_equal(store_text(rows, 0), "a\"b");
	assert_int_equal(store_i64(rows, 1), -7);
	assert_true(store_next(rows));
	assert_true(store_is_null(rows, 0));
	assert_null(store_text(rows, 0));
	assert_int_equal(store_i64(rows, 1), 0);
	assert_false(store_next(rows));
	assert_false(store_next(rows));
	store_rows_free(rows);
}

static void numbers_turn_into_each_other(void **state)
{
	struct store_rows *rows = rows_new(3);

	rows_set_column(rows, 0, "d", STORE_DOUBLE);
	rows_set_column(rows, 1, "b", STORE_BOOL);
	rows_set_column(rows, 2, "i", STORE_I64);
	rows_put_double(rows, 2.9);
	rows_put_bool(rows, true);
	rows_put_i64(rows, 3);
	assert_int_equal(rows_finish(rows, NULL), 0);
	assert_true(store_next(rows));
	assert_int_equal(store_i64(rows, 0), 2);
	assert_true(store_bool(rows, 1));
	assert_int_equal(store_i64(rows, 1), 1);
	assert_true(store_double(rows, 2) == 3.0);
	assert_null(store_text(rows, 2));
	store_rows_free(rows);
}

static void an_answer_that_is_too_large_fails_whole(void **state)
{
	static char text[1 << 20];
	struct store_rows *rows = rows_new(1);
	struct error err = { 0 };

	memset(text, 'x', sizeof(text));
	rows_set_column(rows, 0, "text", STORE_TEXT);
	for (size_t i = 0; i < (ROWS_LIMIT >> 20) + 1; i++)
		rows_put_text(rows, text, sizeof(text));
	assert_int_equal(rows_finish(rows, &err), -EMSGSIZE);
	assert_non_null(strstr(error_text(&err), "limit"));
	assert_false(store_next(rows));
	store_rows_free(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_walked_once_from_the_first_to_the_last),
		cmocka_unit_test(numbers_turn_into_each_other),
		cmocka_unit_test(an_answer_that_is_too_large_fails_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
