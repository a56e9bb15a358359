/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/terminal/columns.h"

static void a_character_takes_the_columns_that_a_terminal_gives_it(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
	} rows[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "é", 1 },
		{ "e\u0301", 1 },
		{ "漢字", 4 },
		{ "한글", 4 },
		{ "🧬x", 3 },
		{ "█░", 2 },
		{ "…", 1 },
		{ "a\u200bb", 2 },
		{ "\xff\xfe", 2 },
		{ "\xe6\xbc", 2 },
		{ "\033[1;31mred\033[0m", 3 },
		{ "\033[2J", 4 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(columns_of(rows[i].text), rows[i].columns);
}

static void a_prefix_has_whole_characters(void **state)
{
	assert_int_equal(columns_prefix("abc", 2), 2);
	assert_int_equal(columns_prefix("abc", 9), 3);
	assert_int_equal(columns_prefix("漢字", 3), 3);
	assert_int_equal(columns_prefix("漢字", 1), 0);
	assert_int_equal(columns_prefix("e\u0301x", 1), 3);
	assert_int_equal(columns_prefix("abc", 0), 0);
}

static void text_is_fitted_to_columns(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *shown;
	} rows[] = { { "ab", 4, "ab  " },
		     { "abcd", 4, "abcd" },
		     { "abcde", 4, "abc…" },
		     { "漢字漢字", 5, "漢字…" },
		     { "漢字漢字", 4, "漢… " },
		     { "漢字", 1, "…" },
		     { "ab", 0, "" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buffer out;

		buffer_init(&out, 0);
		columns_fit(&out, rows[i].text, rows[i].columns);
		assert_string_equal(out.data ? out.data : "", rows[i].shown);
		buffer_clear(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_character_takes_the_columns_that_a_terminal_gives_it),
		cmocka_unit_test(a_prefix_has_whole_characters),
		cmocka_unit_test(text_is_fitted_to_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
