/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "cli/terminal/columns.h"
#include "cli/terminal/lines.h"

/* The lines, each with a bar behind it. */
static void wraps(const char *text, size_t width, const char *expected)
{
	struct lines lines CLEANUP(lines_clear) = { 0 };
	char shown[1024] = "";

	lines_wrap(&lines, "! ", "  ", text, width);
	for (size_t i = 0; i < lines.count; i++) {
		strcat(shown, lines.text[i]);
		strcat(shown, "|");
	}
	assert_string_equal(shown, expected);
}

static void text_is_broken_between_words(void **state)
{
	wraps("one two three", 9, "! one two|  three|");
	wraps("one two three", 8, "! one|  two|  three|");
	wraps("one  two", 6, "! one|  two|");
	wraps("one two three", 0, "! one two three|");
	wraps("took 31 ms here", 9, "! took|  31 ms|  here|");
	wraps("code 7 afterwards", 9, "! code 7|  afterwa|  rds|");
	wraps("31 ms", 5, "! 31|  ms|");
	wraps("", 9, "! |");
	wraps("fits it", 9, "! fits it|");
}

static void a_word_wider_than_a_line_is_broken_anywhere(void **state)
{
	wraps("abcdefghij", 6, "! abcd|  efgh|  ij|");
	wraps("漢字漢字", 6, "! 漢字|  漢字|");
	wraps("漢字", 3, "! 漢字|"); /* no room for one character: it is not lost */
	wraps("a abcdefghij", 6, "! a|  abcd|  efgh|  ij|");
}

static void hostile_text_stays_on_its_line(void **state)
{
	wraps("a\n\033[2Jb\u202e", 0, "! a??[2Jb?|");
}

static void many_lines_are_cut_with_a_sign(void **state)
{
	struct lines lines CLEANUP(lines_clear) = { 0 };

	lines_wrap(&lines, "", "", "one two three four", 5);
	assert_int_equal(lines.count, 4);
	lines_shorten(&lines, 9, 5);
	assert_int_equal(lines.count, 4);
	lines_shorten(&lines, 3, 5);
	assert_int_equal(lines.count, 3);
	assert_string_equal(lines.text[2], "thre…");
	lines_shorten(&lines, 1, 5);
	assert_string_equal(lines.text[0], "one…");
}

static void there_are_no_more_lines_than_may_be(void **state)
{
	struct lines lines CLEANUP(lines_clear) = { 0 }, more CLEANUP(lines_clear) = { 0 };

	for (size_t i = 0; i < LINES_MAX + 5; i++)
		lines_add(&lines, "x");
	assert_int_equal(lines.count, LINES_MAX);
	lines_add(&more, "y");
	lines_join(&lines, &more);
	assert_int_equal(lines.count, LINES_MAX);
	assert_int_equal(more.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_broken_between_words),
		cmocka_unit_test(a_word_wider_than_a_line_is_broken_anywhere),
		cmocka_unit_test(hostile_text_stays_on_its_line),
		cmocka_unit_test(many_lines_are_cut_with_a_sign),
		cmocka_unit_test(there_are_no_more_lines_than_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
