/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "cost/budget/budget_days.h"

#define S            INT64_C(1000000000)
#define DAY          (86400 * S)
#define NOV_1        (INT64_C(1793491200) * S) /* 2026-11-01T00:00:00Z */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char POLICY[] = "cost_centres:\n"
			     "  - name: lab\n"
			     "    path: /lab/*\n"
			     "budgets:\n"
			     "  - {name: p, pipeline: 'rna*', usd_month: 5}\n"
			     "  - {name: u, user: ann, usd_month: 5}\n"
			     "  - {name: l, label: 'project:x', usd_month: 5}\n"
			     "  - {name: c, cost_centre: lab, usd_month: 5}\n";
static char EMPTY[] = "";

static struct sheet_host hosts[] = {
	{ .up = true, .priced = true },
	{ .up = true, .priced = false },
	{ .up = false, .priced = true }, /* not in this time */
};
static struct sheet_run runs[] = {
	{ .id = "1", .pipeline = "rnaseq", .user = "ann", .cwd = "/lab/a", .labels = EMPTY },
	{ .id = "2",
	  .pipeline = "sarek",
	  .user = "ann",
	  .cwd = "/home",
	  .labels = "{\"project\":\"x\"}" },
	{ .id = "3", .pipeline = "rnaseq", .user = "bob", .cwd = "/home", .labels = "{}" },
};
static struct sheet_task tasks[] = { { .run = 0 }, { .run = 1 }, { .run = 2 } };
static struct sheet_entry entries[] = {
	{ .task = 0, .since_at = NOV_1, .part = { 1, 2, 4 } },
	{ .task = 0, .since_at = NOV_1 + DAY, .part = { 8, 0, 0 } },
	{ .task = 1, .since_at = NOV_1 + 2 * DAY, .part = { 16, 0, 0 } },
	{ .task = 2, .since_at = NOV_1, .part = { 32, 0, 0 } },
};
static struct sheet_up ups[] = {
	{ .host = 1, .since_at = NOV_1, .until_at = NOV_1 + DAY },
	{ .host = 0, .since_at = NOV_1 + DAY, .until_at = NOV_1 + 2 * DAY, .unallocated_nusd = 64 },
};

/* From the 31st of October to a second after the midnight of the 3rd of November. */
static struct sheet sheet_of_days(void)
{
	return (struct sheet){
		.since_at = NOV_1 - DAY,
		.until_at = NOV_1 + 2 * DAY + S,
		.bucket = SHEET_DAY,
		.hosts = hosts,
		.runs = runs,
		.tasks = tasks,
		.entries = entries,
		.ups = ups,
		.host_count = COUNT(hosts),
		.run_count = COUNT(runs),
		.task_count = COUNT(tasks),
		.entry_count = COUNT(entries),
		.up_count = COUNT(ups),
	};
}

static void runs_count_for_each_budget_that_they_fit(void **state)
{
	static const int64_t expected[4][4] = {
		{ 0, 7 + 32, 8, 0 }, { 0, 7, 8, 16 }, { 0, 0, 0, 16 }, { 0, 7, 8, 0 }
	};
	CLEANUP(cost_policy_freep) struct cost_policy *policy = NULL;
	CLEANUP(budget_days_clear) struct budget_days days = { 0 };
	struct sheet sheet = sheet_of_days();

	assert_int_equal(cost_policy_parse(POLICY, strlen(POLICY), "test", &policy, NULL), 0);
	assert_int_equal(budget_days_make(policy, &sheet, &days), 0);
	assert_int_equal(days.day_count, 4);
	for (size_t i = 0; i < policy->budget_count; i++)
		for (size_t d = 0; d < days.day_count; d++)
			assert_int_equal(budget_days_of(&days, i)[d], expected[i][d]);
	assert_int_equal(days.priced_hosts, 1);
	assert_int_equal(days.unpriced_hosts, 1);
}

static void the_first_day_of_a_host_is_not_all_known(void **state)
{
	CLEANUP(cost_policy_freep) struct cost_policy *policy = NULL;
	struct sheet sheet = sheet_of_days();

	assert_int_equal(cost_policy_parse("", 0, "test", &policy, NULL), 0);
	for (size_t i = 0; i < 3; i++) {
		CLEANUP(budget_days_clear) struct budget_days days = { 0 };

		sheet.ups[0].since_at = NOV_1 + (int64_t)(i - 1) * DAY;
		sheet.ups[1].since_at = NOV_1 + 2 * DAY;
		assert_int_equal(budget_days_make(policy, &sheet, &days), 0);
		assert_int_equal(days.known_days, 2 - i);
	}
	sheet.up_count = 0;
	CLEANUP(budget_days_clear) struct budget_days none = { 0 };
	assert_int_equal(budget_days_make(policy, &sheet, &none), 0);
	assert_int_equal(none.known_days, 0);
}

static void a_sheet_in_hours_is_refused(void **state)
{
	CLEANUP(cost_policy_freep) struct cost_policy *policy = NULL;
	CLEANUP(budget_days_clear) struct budget_days days = { 0 };
	struct sheet sheet = sheet_of_days();

	assert_int_equal(cost_policy_parse("", 0, "test", &policy, NULL), 0);
	sheet.bucket = SHEET_HOUR;
	assert_int_equal(budget_days_make(policy, &sheet, &days), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_count_for_each_budget_that_they_fit),
		cmocka_unit_test(the_first_day_of_a_host_is_not_all_known),
		cmocka_unit_test(a_sheet_in_hours_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
