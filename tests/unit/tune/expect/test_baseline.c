/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "fixture_steps.h"
#include "tune/expect/baseline.h"

static struct steps steps;

/* A run of two tasks on a host type, with tools. */
static void add(unsigned run, const char *host_type, const char *tools)
{
	for (int i = 0; i < 2; i++) {
		struct step_task *task = steps_add(&steps, run);
		task->host_type = host_type;
		task->tools = tools;
	}
}

/* A letter a run, from run 1: "a" host A, "b" host B; in capitals with newer tools. Then the run
 * that is judged, and what is expected. */
static const struct {
	const char *name, *runs;
	char now;
	size_t taken;
	bool same_host, same_tools, other_host;
} cases[] = {
	{ "all alike", "aaaaa", 'a', 5, true, true, false },
	{ "of two host types the same one", "abababababa", 'b', 5, true, true, false },
	{ "too few on the same host type", "aaaaab", 'b', 6, false, true, false },
	{ "a new host type", "aaaaaa", 'b', 6, false, true, true },
	{ "new tools", "aaaaaa", 'A', 6, true, false, false },
	{ "the tools of these alone", "aaaaaAAAAA", 'A', 5, true, true, false },
	{ "too few of any kind", "ab", 'a', 2, false, false, false },
	{ "none", "", 'a', 0, false, false, false },
};

static void add_letter(unsigned run, char letter)
{
	bool newer = letter < 'a';
	add(run, (letter | 0x20) == 'a' ? "A" : "B", newer ? "bwa 2" : "bwa 1");
}

static void runs_alike_are_chosen_where_there_are_enough(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(step_history_clear) struct step_history history = { 0 };
		CLEANUP(baseline_clear) struct baseline baseline = { 0 };
		steps_begin(&steps);
		for (unsigned run = 0; run < strlen(cases[i].runs); run++)
			add_letter(run + 1, cases[i].runs[run]);
		add_letter(20, cases[i].now);
		assert_int_equal(step_history_of(steps.tasks, steps.count, &history), 0);
		assert_int_equal(baseline_find(&history, "run-20", &baseline), 0);
		if (baseline.history.run_count != cases[i].taken ||
		    baseline.same_host != cases[i].same_host ||
		    baseline.same_tools != cases[i].same_tools ||
		    baseline.other_host != cases[i].other_host)
			fail_msg("%s: %zu runs", cases[i].name, baseline.history.run_count);
	}
}

static void later_runs_and_failed_tasks_do_not_count(void **state)
{
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	CLEANUP(baseline_clear) struct baseline baseline = { 0 };

	steps_begin(&steps);
	add(1, "A", "");
	add(2, "A", "");
	add(3, "A", "");
	steps.tasks[0].end = STEP_TASK_FAILED;
	assert_int_equal(step_history_of(steps.tasks, steps.count, &history), 0);
	assert_int_equal(baseline_find(&history, "run-2", &baseline), 0);
	assert_int_equal(baseline.history.task_count, 1);
	assert_ptr_equal(baseline.history.tasks[0], &steps.tasks[1]);
	baseline_clear(&baseline);
	/* Of a run that has no task of the step yet all are earlier. */
	assert_int_equal(baseline_find(&history, "run-9", &baseline), 0);
	assert_int_equal(baseline.history.task_count, 5);
}

/* 100,000 tasks, each on another host type than the one before. */
static void many_tasks_on_new_hosts_are_bounded(void **state)
{
	static const char *const types[2][2] = { { "a", "b" }, { "c", "d" } };
	size_t count = 100000;
	CLEANUP(freep) struct step_task *tasks = calloc(count, sizeof(*tasks));
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	CLEANUP(baseline_clear) struct baseline baseline = { 0 };

	assert_non_null(tasks);
	for (size_t i = 0; i < count; i++) {
		size_t run = i >= count / 2;
		tasks[i] = (struct step_task){ .run_id = run ? "run-2" : "run-1",
					       .id = "",
					       .started_at = (int64_t)i + 1,
					       .end = STEP_TASK_SUCCEEDED,
					       .host_type = types[run][i % 2],
					       .tools = "" };
	}
	assert_int_equal(step_history_of(tasks, count, &history), 0);
	assert_int_equal(baseline_find(&history, "run-2", &baseline), 0);
	assert_int_equal(baseline.history.task_count, count / 2);
	assert_true(baseline.other_host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_alike_are_chosen_where_there_are_enough),
		cmocka_unit_test(many_tasks_on_new_hosts_are_bounded),
		cmocka_unit_test(later_runs_and_failed_tasks_do_not_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
