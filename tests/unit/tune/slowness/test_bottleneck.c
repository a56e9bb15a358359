/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tune/slowness/bottleneck.h"

static const struct {
	struct wall wall;
	const char *word;
} cases[] = {
	{ { .ns = { [WALL_COMPUTING] = 90, [WALL_DISK] = 10 } }, "mostly computing" },
	{ { .ns = { [WALL_COMPUTING] = 30, [WALL_DISK] = 70 } }, "mostly waiting for storage" },
	{ { .ns = { [WALL_COMPUTING] = 49, [WALL_DISK] = 51 } }, "mostly waiting for storage" },
	{ { .ns = { [WALL_COMPUTING] = 40, [WALL_DISK] = 30, [WALL_SLEEP] = 30 } },
	  "nothing dominates" },
	{ { .ns = { [WALL_COMPUTING] = 49, [WALL_UNKNOWN] = 51 } }, NULL },
	{ { .ns = { [WALL_SLEEP] = 60, [WALL_UNKNOWN] = 40 } }, "mostly sleeping" },
	{ { .ns = { [WALL_OTHER] = 100 } }, "nothing dominates" },
	{ { .ns = { 0 } }, NULL },
};

static void most_of_the_known_time_names_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (cases[i].word)
			assert_string_equal(bottleneck_word(&cases[i].wall), cases[i].word);
		else
			assert_null(bottleneck_word(&cases[i].wall));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(most_of_the_known_time_names_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
