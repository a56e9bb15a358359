/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cost/interval.h"

/* "HOST:SINCE-UNTIL …", gap 10. */
static const struct {
	const char *before, *after;
} CASES[] = {
	{ "", "" },
	{ "0:5-9", "0:5-9" },
	{ "0:5-9 0:19-30", "0:5-30" },
	{ "0:5-9 0:20-30", "0:5-9 0:20-30" },
	{ "0:20-30 0:5-9 0:7-25", "0:5-30" },
	{ "0:5-90 0:10-20", "0:5-90" },
	{ "1:5-9 0:5-9 1:9-12", "0:5-9 1:5-12" },
	{ "0:5-5 0:9-7", "" },
	{ "0:5-9 0:8-8 0:30-31", "0:5-9 0:30-31" },
};

static size_t parse(const char *text, struct interval intervals[8])
{
	size_t count = 0;
	int taken;

	for (; *text; text += taken, count++) {
		long since_at, until_at;

		assert_int_equal(sscanf(text, "%zu:%ld-%ld %n", &intervals[count].host, &since_at,
					&until_at, &taken),
				 3);
		intervals[count].since_at = since_at;
		intervals[count].until_at = until_at;
	}
	return count;
}

static void what_overlaps_or_lies_near_is_one(void **state)
{
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct interval intervals[8] = { 0 }, wanted[8] = { 0 };
		size_t count = intervals_join(intervals, parse(CASES[i].before, intervals), 10);

		if (count != parse(CASES[i].after, wanted))
			fail_msg("%s: %zu left", CASES[i].before, count);
		assert_memory_equal(intervals, wanted, count * sizeof(*wanted));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_overlaps_or_lies_near_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
