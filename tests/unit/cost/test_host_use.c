/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "cost/host_use.h"

#define MINUTE (60 * 1000000000LL)
#define MOST   10

/* Intervals in minutes, "0-60 30-90"; figures in minutes. */
static const struct {
	const char *name, *up, *used;
	double usd_hour;
	unsigned up_min, tracked_min, longest_idle_min;
	double idle_usd;
} cases[] = {
	{ "never used", "0-60", "", 6, 60, 0, 60, 6 },
	{ "always used", "0-60", "0-60", 6, 60, 60, 0, 0 },
	{ "used at both ends", "0-100", "0-20 80-100", 6, 100, 40, 60, 6 },
	{ "used more than half of it", "0-100", "0-60", 6, 100, 60, 40, 4 },
	{ "a pause of fourteen minutes", "0-14", "", 6, 14, 0, 14, 1.4 },
	{ "a pause of fifteen", "0-15", "", 6, 15, 0, 15, 1.5 },
	{ "many short pauses in a busy day", "0-1000", "0-900", 6, 1000, 900, 100, 10 },
	{ "overlapping reports count once", "0-60 30-90 10-20", "0-20 10-30 5-6", 1, 90, 30, 60,
	  1 },
	{ "reports that touch are one pause", "0-30 30-60", "", 1, 60, 0, 60, 1 },
	{ "what was used while it was not seen up does not count", "100-160", "0-50 150-400", 1, 60,
	  10, 50, 50.0 / 60 },
	{ "used across a gap", "0-30 60-90", "20-70", 1, 60, 20, 20, 40.0 / 60 },
	{ "in any order", "60-90 0-30", "80-90 0-10", 1, 60, 20, 20, 40.0 / 60 },
	{ "empty and backward intervals are nothing", "0-60 70-70 90-80", "5-5 9-3", 1, 60, 0, 60,
	  1 },
	{ "never up", "", "0-10", 1, 0, 0, 0, 0 },
	{ "a price that is not known", "0-60", "", 0, 60, 0, 60, -1 },
};

static size_t read_intervals(const char *text, struct host_interval *list)
{
	size_t count = 0;
	long since = 0, until = 0;
	int used = 0;
	while (sscanf(text, " %ld-%ld%n", &since, &until, &used) == 2) {
		list[count++] = (struct host_interval){ since * MINUTE, until * MINUTE };
		text += used;
	}
	return count;
}

static void each_host_is_up_used_and_idle_as_its_intervals_say(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct host_interval up[MOST], used[MOST];
		struct host_activity host = { .usd_hour = cases[i].usd_hour,
					      .up = up,
					      .up_count = read_intervals(cases[i].up, up),
					      .used = used,
					      .used_count = read_intervals(cases[i].used, used) };
		struct host_use use;
		print_message("%s\n", cases[i].name);
		assert_int_equal(host_use_make(&host, &use), 0);
		assert_int_equal(use.up_ns, cases[i].up_min * MINUTE);
		assert_int_equal(use.tracked_ns, cases[i].tracked_min * MINUTE);
		assert_int_equal(use.idle_ns, use.up_ns - use.tracked_ns);
		assert_int_equal(use.longest_idle_ns, cases[i].longest_idle_min * MINUTE);
		assert_true(fabs(use.idle_usd - cases[i].idle_usd) < 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_host_is_up_used_and_idle_as_its_intervals_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
