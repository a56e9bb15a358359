/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "server/http/filter.h"

static const char *const COLOURS[] = { "red", "green", NULL };
static const struct filter FILTERS[] = {
	{ .name = "name", .kind = FILTER_TEXT },
	{ .name = "colour", .kind = FILTER_CHOICE, .choices = COLOURS, .fallback = "green" },
	{ .name = "limit", .kind = FILTER_NUMBER, .min = 1, .max = 1000, .fallback = "100" },
	{ .name = "cursor", .kind = FILTER_CURSOR },
	{ 0 },
};
enum { NAME, COLOUR, LIMIT, CURSOR };

static void absent_filters_have_their_fallback(void **state)
{
	struct filter_value values[FILTERS_MAX];

	assert_int_equal(filters_read(FILTERS, NULL, values, NULL), 0);
	assert_false(values[NAME].given);
	assert_int_equal(values[COLOUR].number, 1);
	assert_int_equal(values[LIMIT].number, 100);
	assert_false(values[CURSOR].given);
}

static void given_filters_are_decoded(void **state)
{
	struct filter_value values[FILTERS_MAX];

	assert_int_equal(filters_read(FILTERS,
				      "name=a%26b+c&limit=1000&&colour=red&cursor=41+task-7",
				      values, NULL),
			 0);
	assert_string_equal(values[NAME].text, "a&b c");
	assert_int_equal(values[COLOUR].number, 0);
	assert_int_equal(values[LIMIT].number, 1000);
	assert_string_equal(values[CURSOR].text, "41 task-7");
}

/* The words must name what is wrong. */
static const char *const REFUSED[][2] = {
	{ "limit=0", "limit" },
	{ "limit=1001", "limit" },
	{ "limit=99999999999999999999", "limit" },
	{ "limit=7x", "limit" },
	{ "limit=", "limit" },
	{ "limit", "limit" },
	{ "colour=blue", "red green" },
	{ "colour=red&colour=red", "twice" },
	{ "limits=5", "did you mean limit" },
	{ "name=%00", "name" },
	{ "name=%ff", "name" },
	{ "cursor=41", "cursor" },
	{ "cursor=+x", "cursor" },
	{ "cursor=41+", "cursor" },
	{ "cursor=x+y", "cursor" },
	{ "cursor=12345678901234567890+y", "cursor" },
	{ "%zz=1", "badly encoded" },
};

static void wrong_filters_are_refused_by_name(void **state)
{
	for (size_t i = 0; i < sizeof(REFUSED) / sizeof(REFUSED[0]); i++) {
		struct filter_value values[FILTERS_MAX];
		struct error err = { "" };

		if (filters_read(FILTERS, REFUSED[i][0], values, &err) != -EINVAL)
			fail_msg("%s was taken", REFUSED[i][0]);
		if (!strstr(err.text, REFUSED[i][1]))
			fail_msg("%s: \"%s\" does not say \"%s\"", REFUSED[i][0], err.text,
				 REFUSED[i][1]);
	}
}

static void a_text_at_the_cap_is_taken_and_one_beyond_is_not(void **state)
{
	struct filter_value values[FILTERS_MAX];
	char query[5 + FILTER_TEXT_MAX + 2] = "name=";

	memset(query + 5, 'x', FILTER_TEXT_MAX);
	query[5 + FILTER_TEXT_MAX] = '\0';
	assert_int_equal(filters_read(FILTERS, query, values, NULL), 0);
	assert_int_equal(strlen(values[NAME].text), FILTER_TEXT_MAX);
	query[5 + FILTER_TEXT_MAX] = 'x';
	query[5 + FILTER_TEXT_MAX + 1] = '\0';
	assert_int_equal(filters_read(FILTERS, query, values, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent_filters_have_their_fallback),
		cmocka_unit_test(given_filters_are_decoded),
		cmocka_unit_test(wrong_filters_are_refused_by_name),
		cmocka_unit_test(a_text_at_the_cap_is_taken_and_one_beyond_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
