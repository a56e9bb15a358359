/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/import/csv_header.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The names, each followed by a bar. */
static const char *names_of(const char *bytes, size_t len)
{
	static char text[256];
	struct csv_header header = { 0 };
	const char *name;

	text[0] = '\0';
	assert_int_equal(csv_header_parse(bytes, len, &header, NULL), 0);
	name = header.names;
	for (size_t i = 0; i < header.count; i++, name += strlen(name) + 1) {
		strcat(text, name);
		strcat(text, "|");
	}
	csv_header_clear(&header);
	return text;
}

#define NAMES(bytes) names_of(bytes, sizeof(bytes) - 1)

static void names_end_at_commas_and_at_the_line(void **state)
{
	assert_string_equal(NAMES("a,b,c\n1,2,3\n"), "a|b|c|");
	assert_string_equal(NAMES("a,,\r\n"), "a|||");
	assert_string_equal(NAMES("\xef\xbb\xbf"
				  "a,b\n"),
			    "a|b|");
}

static void quotes_hold_commas_lines_and_quotes(void **state)
{
	assert_string_equal(NAMES("\"a,b\",\"c\nd\",\"e\"\"f\"\n"), "a,b|c\nd|e\"f|");
}

static void what_is_no_record_is_refused(void **state)
{
	static const char *const CASES[] = { "",        "a,b",    "\"a\n", "\"a\"b,c\n",
					     "\"a\"\"", "\"a\",", "\"",    "\"a\"" };
	struct csv_header header = { 0 };
	struct error err = { "" };

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++)
		assert_int_equal(csv_header_parse(CASES[i], strlen(CASES[i]), &header, &err),
				 -EPROTO);
	assert_int_equal(csv_header_parse("a\0b\n", 4, &header, &err), -EPROTO);
}

static void columns_have_a_limit(void **state)
{
	char *bytes = malloc(CSV_COLUMNS_LIMIT + 2);
	struct csv_header header = { 0 };
	struct error err = { "" };

	memset(bytes, ',', CSV_COLUMNS_LIMIT + 2);
	bytes[CSV_COLUMNS_LIMIT - 1] = '\n';
	assert_int_equal(csv_header_parse(bytes, CSV_COLUMNS_LIMIT, &header, &err), 0);
	assert_int_equal(header.count, CSV_COLUMNS_LIMIT);
	csv_header_clear(&header);
	bytes[CSV_COLUMNS_LIMIT - 1] = ',';
	bytes[CSV_COLUMNS_LIMIT] = '\n';
	assert_int_equal(csv_header_parse(bytes, CSV_COLUMNS_LIMIT + 1, &header, &err), -EPROTO);
	assert_non_null(strstr(error_text(&err), "more than 4096 columns"));
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_end_at_commas_and_at_the_line),
		cmocka_unit_test(quotes_hold_commas_lines_and_quotes),
		cmocka_unit_test(what_is_no_record_is_refused),
		cmocka_unit_test(columns_have_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
