/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "fixture_steps.h"
#include "tune/expect/remaining.h"

#define S 1e9

static struct steps steps;

/* Runs 1 to 6 of ten tasks of some 100 s; the one that is looked at is run 9. */
static void begin(void)
{
	steps_begin(&steps);
	for (unsigned run = 1; run <= 6; run++)
		steps_add_run(&steps, run, 10);
}

static struct step_task *add_running(double seconds)
{
	struct step_task *task = steps_add(&steps, 9);
	task->end = STEP_TASK_RUNS;
	task->ended_at = 0;
	task->wall_ns = seconds * S;
	task->read_bytes = -1;
	return task;
}

/* Of the task that was added last. */
static struct remaining expect_task(void)
{
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	struct remaining ret[32];
	const struct step_history_run *run;

	assert_int_equal(step_history_of(steps.tasks, steps.count, &history), 0);
	assert_int_equal(remaining_of_tasks(&history, "run-9", NULL, ret), 0);
	run = step_history_run(&history, "run-9");
	return ret[run->count - 1];
}

static void a_task_that_just_began_has_all_of_its_time_to_go(void **state)
{
	struct remaining remaining;

	begin();
	add_running(1);
	remaining = expect_task();
	assert_true(remaining.known);
	assert_near(remaining.median_ns, 99 * S, 8 * S);
	assert_true(remaining.low_ns > 70 * S && remaining.low_ns < remaining.median_ns);
	assert_true(remaining.high_ns < 140 * S && remaining.high_ns > remaining.median_ns);
	assert_near(remaining.progress, 0.01, 0.005);
	assert_int_equal(remaining.history_runs, 6);
	assert_int_equal(remaining.history_tasks, 60);
}

static void a_task_that_ran_longer_than_most_has_little_to_go(void **state)
{
	struct remaining remaining;

	begin();
	add_running(110);
	remaining = expect_task();
	assert_true(remaining.known);
	assert_true(remaining.median_ns < 20 * S && remaining.low_ns >= 0);
	assert_true(remaining.progress > 0.8);
}

static void beyond_all_history_the_end_is_not_known(void **state)
{
	struct remaining remaining;

	begin();
	add_running(1e9);
	remaining = expect_task();
	assert_false(remaining.known);
	assert_true(remaining.longer_than_any);
}

static void siblings_that_were_slower_move_the_end(void **state)
{
	double before;

	begin();
	add_running(1);
	before = expect_task().median_ns;
	begin();
	for (int i = 0; i < 6; i++)
		steps_slow(steps_add(&steps, 9), 1.4);
	add_running(1);
	assert_true(expect_task().median_ns > 1.2 * before);
}

static void what_is_read_of_the_input_moves_the_end(void **state)
{
	double unread;
	struct step_task *task;

	begin();
	task = add_running(60);
	unread = expect_task().median_ns;
	task->read_bytes = 0.9 * task->input_bytes;
	assert_true(expect_task().median_ns < unread);
	task->read_bytes = 0.3 * task->input_bytes;
	assert_true(expect_task().median_ns > unread);
	/* All read: it is not known how long it computes on. */
	task->read_bytes = task->input_bytes;
	assert_near(expect_task().median_ns, unread, 0);
}

static void without_history_progress_alone_says_something(void **state)
{
	struct remaining remaining;
	struct step_task *task;

	steps_begin(&steps);
	task = add_running(60);
	task->read_bytes = 0.25 * task->input_bytes;
	remaining = expect_task();
	assert_true(remaining.known);
	assert_near(remaining.median_ns, 180 * S, 45 * S);
	assert_true(remaining.high_ns > 2 * remaining.low_ns);
	assert_int_equal(remaining.history_runs, 0);
}

static void without_history_and_progress_nothing_is_known(void **state)
{
	struct remaining remaining;

	steps_begin(&steps);
	add_running(60);
	remaining = expect_task();
	assert_false(remaining.known);
	assert_false(remaining.longer_than_any);
	assert_true(remaining.progress < 0);
	/* Four siblings that are done are too few, five are history enough. */
	steps_begin(&steps);
	steps_add_run(&steps, 9, 4);
	add_running(60);
	assert_false(expect_task().known);
	steps_begin(&steps);
	steps_add_run(&steps, 9, 5);
	add_running(60);
	assert_true(expect_task().known);
}

static void more_input_means_more_time(void **state)
{
	struct step_task *task;
	double small;

	begin();
	for (size_t i = 0; i < steps.count; i++) {
		double factor = 1 + (double)(i % 7);
		steps.tasks[i].input_bytes *= factor;
		steps_slow(&steps.tasks[i], factor);
	}
	task = add_running(1);
	small = expect_task().median_ns;
	task->input_bytes *= 5;
	assert_near(expect_task().median_ns / small, 5, 0.8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_that_just_began_has_all_of_its_time_to_go),
		cmocka_unit_test(a_task_that_ran_longer_than_most_has_little_to_go),
		cmocka_unit_test(beyond_all_history_the_end_is_not_known),
		cmocka_unit_test(siblings_that_were_slower_move_the_end),
		cmocka_unit_test(what_is_read_of_the_input_moves_the_end),
		cmocka_unit_test(without_history_progress_alone_says_something),
		cmocka_unit_test(without_history_and_progress_nothing_is_known),
		cmocka_unit_test(more_input_means_more_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
