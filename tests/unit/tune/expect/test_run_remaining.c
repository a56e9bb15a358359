/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "fixture_steps.h"
#include "tune/expect/end/step_flow.h"
#include "tune/expect/remaining.h"

#define S   1e9
#define MIN (60 * (int64_t)1000000000)

/*
 * A pipeline of four samples: "map" (10 minutes), "sort" after it by sample (5 minutes), "report"
 * (2 minutes) after all. Runs begin a day apart.
 */
enum { MAP, SORT, REPORT, STEPS };
static const char *const names[STEPS] = { "map", "sort", "report" };
static struct steps of[STEPS];
static struct step_history histories[STEPS];

static struct step_task *add(size_t step, unsigned run, int64_t begin, int64_t minutes,
			     int64_t until)
{
	struct step_task *task;
	int64_t day = (int64_t)run * 1440 * MIN;

	if (begin >= until)
		return NULL;
	task = steps_add(&of[step], run);
	task->step = names[step];
	task->started_at = day + begin * MIN;
	task->wall_ns = (double)(minutes * MIN);
	task->ended_at = task->started_at + minutes * MIN;
	if (begin + minutes > until) {
		task->end = STEP_TASK_RUNS;
		task->ended_at = 0;
		task->wall_ns = (double)((until - begin) * MIN);
	}
	return task;
}

/* What is seen of a run some minutes after its begin; its map tasks begin so far apart. */
static void add_run(unsigned run, unsigned samples, int64_t apart, int64_t until)
{
	for (unsigned i = 0; i < samples; i++) {
		add(MAP, run, i * apart, 10, until);
		add(SORT, run, i * apart + 10, 5, until);
	}
	add(REPORT, run, (samples - 1) * apart + 15, 2, until);
}

static void begin(unsigned runs)
{
	for (size_t i = 0; i < STEPS; i++)
		steps_begin(&of[i]);
	for (unsigned run = 1; run <= runs; run++)
		add_run(run, 4, 4, 1000);
}

static void clear_histories(void)
{
	for (size_t i = 0; i < STEPS; i++)
		step_history_clear(&histories[i]);
}

static void make_histories(void)
{
	clear_histories();
	for (size_t i = 0; i < STEPS; i++)
		assert_int_equal(step_history_of(of[i].tasks, of[i].count, &histories[i]), 0);
}

static struct run_remaining expect(unsigned run, int64_t minutes)
{
	struct run_remaining remaining;
	char id[16];

	make_histories();
	snprintf(id, sizeof(id), "run-%u", run);
	assert_int_equal(remaining_of_run(histories, STEPS, id,
					  (int64_t)run * 1440 * MIN + minutes * MIN, &remaining),
			 0);
	return remaining;
}

static void the_flow_of_steps_is_seen_in_earlier_runs(void **state)
{
	CLEANUP(step_flow_clear) struct step_flow flow = { 0 };

	begin(3);
	make_histories();
	assert_int_equal(step_flow_find(histories, STEPS, "run-9", &flow), 0);
	assert_int_equal(flow.run_count, 3);
	assert_int_equal(flow.steps[MAP].tasks, 4);
	assert_int_equal(flow.steps[MAP].closest, STEP_FLOW_NONE);
	assert_int_equal(flow.steps[SORT].closest, MAP);
	assert_int_equal(flow.steps[REPORT].closest, SORT);
	assert_int_equal(flow.steps[REPORT].tasks, 1);
	assert_true(flow.follows[SORT * STEPS + MAP]);
	assert_false(flow.follows[REPORT * STEPS + MAP]); /* through sort */
	assert_false(flow.follows[MAP * STEPS + SORT]);
	clear_histories();
}

static void steps_that_are_not_begun_count(void **state)
{
	CLEANUP(run_remaining_clear) struct run_remaining remaining = { 0 };

	begin(5);
	add_run(6, 4, 4, 5); /* two of four map tasks run, after 5 minutes of 29 */
	remaining = expect(6, 5);
	assert_true(remaining.run.known);
	assert_near(remaining.run.median_ns / 60 / S, 24, 4);
	assert_true(remaining.run.low_ns < remaining.run.median_ns &&
		    remaining.run.median_ns < remaining.run.high_ns);
	assert_true(remaining.run.low_ns < 24.0 * 60 * S && remaining.run.high_ns > 24.0 * 60 * S);
	assert_int_equal(remaining.tasks_to_come[MAP], 2);
	assert_int_equal(remaining.tasks_to_come[SORT], 4);
	assert_int_equal(remaining.tasks_to_come[REPORT], 1);
	assert_true(remaining.steps[MAP].median_ns < remaining.steps[SORT].median_ns);
	assert_true(remaining.steps[SORT].median_ns < remaining.steps[REPORT].median_ns);
	assert_true(remaining.run.progress > 0 && remaining.run.progress < 0.3);
	assert_int_equal(remaining.run.history_runs, 5);
	clear_histories();
}

static void equal_calls_have_equal_results(void **state)
{
	CLEANUP(run_remaining_clear) struct run_remaining one = { 0 };
	CLEANUP(run_remaining_clear) struct run_remaining two = { 0 };

	begin(3);
	add_run(4, 4, 4, 12);
	one = expect(4, 12);
	two = expect(4, 12);
	assert_near(one.run.median_ns, two.run.median_ns, 0);
	assert_near(one.steps[SORT].high_ns, two.steps[SORT].high_ns, 0);
	clear_histories();
}

static void near_its_end_only_the_last_step_is_left(void **state)
{
	CLEANUP(run_remaining_clear) struct run_remaining remaining = { 0 };

	begin(5);
	add_run(6, 4, 4, 28);
	remaining = expect(6, 28);
	assert_true(remaining.run.known);
	assert_near(remaining.run.median_ns / 60 / S, 1, 0.5);
	assert_near(remaining.steps[MAP].median_ns, 0, 2);
	assert_true(remaining.run.progress > 0.95);
	clear_histories();
}

static void twice_the_samples_mean_twice_the_tasks_to_come(void **state)
{
	CLEANUP(run_remaining_clear) struct run_remaining remaining = { 0 };

	begin(5);
	add_run(6, 8, 1, 12); /* eight map tasks, of which some ended */
	remaining = expect(6, 12);
	assert_int_equal(remaining.tasks_to_come[MAP], 0);
	assert_int_equal(remaining.tasks_to_come[SORT] + 2, 8);
	assert_int_equal(remaining.tasks_to_come[REPORT], 1);
	clear_histories();
}

static void without_an_earlier_run_the_end_is_not_known(void **state)
{
	CLEANUP(run_remaining_clear) struct run_remaining remaining = { 0 };

	begin(0);
	add_run(1, 4, 4, 12);
	remaining = expect(1, 12);
	assert_false(remaining.run.known);
	assert_false(remaining.steps[MAP].known);
	assert_true(remaining.run.progress < 0);
	clear_histories();
}

static void a_task_of_a_new_step_makes_the_end_unknown(void **state)
{
	CLEANUP(run_remaining_clear) struct run_remaining remaining = { 0 };

	begin(5);
	for (size_t i = 0; i < of[SORT].count; i++)
		of[SORT].tasks[i].end = STEP_TASK_FAILED; /* it never succeeded before */
	add_run(6, 4, 4, 12);
	remaining = expect(6, 12);
	assert_false(remaining.run.known);
	clear_histories();
}

/* Two tasks that each began after the other one ended: what is lost of the records of a run shows
 * such.
 */
static void steps_that_follow_each_other_come_to_an_end(void **state)
{
	CLEANUP(run_remaining_clear) struct run_remaining remaining = { 0 };

	begin(0);
	for (unsigned run = 1; run <= 3; run++) {
		add(MAP, run, 0, 0, 1000);
		add(SORT, run, 0, 0, 1000);
		add(REPORT, run, 1, 5, 1000);
	}
	add(REPORT, 4, 0, 5, 2);
	remaining = expect(4, 2);
	assert_true(remaining.run.known);
	assert_near(remaining.run.median_ns / 60 / S, 3, 1);
	clear_histories();
}

/* Runs of which the tasks differ a billionfold: no end lies beyond what an instant can be. */
static void an_end_has_a_bound(void **state)
{
	static const double walls[] = { 1e9, 1e18, 1e17, 1e9 };
	CLEANUP(run_remaining_clear) struct run_remaining remaining = { 0 };
	struct remaining task;

	begin(0);
	for (unsigned run = 1; run <= 4; run++)
		add(MAP, run, 0, 10, 1000)->wall_ns = walls[run - 1];
	add(MAP, 5, 0, 10, 5)->wall_ns = 1e18;
	remaining = expect(5, 5);
	assert_true(remaining.run.known);
	assert_true(remaining.run.low_ns <= remaining.run.median_ns &&
		    remaining.run.median_ns <= remaining.run.high_ns &&
		    remaining.run.high_ns <= REMAINING_NS_MOST);
	assert_int_equal(remaining_of_tasks(&histories[MAP], "run-5", NULL, &task), 0);
	assert_true(task.high_ns <= REMAINING_NS_MOST);
	clear_histories();
}

static void too_many_steps_are_refused(void **state)
{
	static struct step_history many[REMAINING_STEPS + 1];
	struct run_remaining remaining;

	assert_int_equal(remaining_of_run(many, REMAINING_STEPS + 1, "run-1", MIN, &remaining),
			 -E2BIG);
	assert_int_equal(remaining_of_run(many, 0, "run-1", MIN, &remaining), 0);
	assert_false(remaining.run.known);
	run_remaining_clear(&remaining);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_flow_of_steps_is_seen_in_earlier_runs),
		cmocka_unit_test(steps_that_are_not_begun_count),
		cmocka_unit_test(equal_calls_have_equal_results),
		cmocka_unit_test(near_its_end_only_the_last_step_is_left),
		cmocka_unit_test(twice_the_samples_mean_twice_the_tasks_to_come),
		cmocka_unit_test(without_an_earlier_run_the_end_is_not_known),
		cmocka_unit_test(a_task_of_a_new_step_makes_the_end_unknown),
		cmocka_unit_test(steps_that_follow_each_other_come_to_an_end),
		cmocka_unit_test(an_end_has_a_bound),
		cmocka_unit_test(too_many_steps_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
