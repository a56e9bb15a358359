/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "tune/size/size_points.h"

#define TASKS_MAX 8

/* An attempt: task, attempt, end, what it used and asked for, CPUs. */
struct attempt {
	const char *name;
	unsigned attempt;
	enum step_task_end end;
	double used, asked, cpus;
};

static struct size_points points_of(const struct attempt *attempts, size_t count)
{
	static struct step_task tasks[TASKS_MAX];
	const struct step_task *list[TASKS_MAX];
	struct size_points points;
	for (size_t i = 0; i < count; i++) {
		tasks[i] = (struct step_task){
			.run_id = "r",
			.name = attempts[i].name,
			.started_at = (int64_t)i + 1,
			.attempt = attempts[i].attempt,
			.end = attempts[i].end,
			.wall_ns = 3.6e12,
			.input_bytes = -1,
			.memory_peak_bytes = attempts[i].used,
			.memory_requested_bytes = attempts[i].asked,
			.cpus_requested = attempts[i].cpus,
		};
		list[i] = &tasks[i];
	}
	assert_int_equal(size_points_make(list, count, &size_quantity_memory, &points), 0);
	return points;
}

#define POINTS(...)                                        \
	points_of((const struct attempt[]){ __VA_ARGS__ }, \
		  sizeof((const struct attempt[]){ __VA_ARGS__ }) / sizeof(struct attempt))

static void an_attempt_that_ran_out_needed_more(void **state)
{
	(void)state;
	CLEANUP(size_points_clear)
	struct size_points points = POINTS({ "a", 1, STEP_TASK_OUT_OF_MEMORY, 8, 8, 2 },
					   { "b", 1, STEP_TASK_SUCCEEDED, 6, 8, 2 });
	assert_int_equal(points.count, 2);
	assert_true(points.points[1].need >= 8 * SIZE_RAN_OUT_FACTOR);
	assert_int_equal(points.ran_out, 1);
	assert_true(points.short_of >= 8);
	assert_true(points.highest <= 8);
}

static void a_later_attempt_shows_the_need(void **state)
{
	(void)state;
	CLEANUP(size_points_clear)
	struct size_points points = POINTS({ "a", 2, STEP_TASK_SUCCEEDED, 9, 16, 4 },
					   { "a", 1, STEP_TASK_OUT_OF_MEMORY, 8, 8, 2 });
	assert_int_equal(points.count, 1);
	assert_true(points.points[0].need >= 9 && points.points[0].need <= 9);
	assert_true(points.short_of <= 0);
	assert_true(points.requested >= 8 && points.requested <= 8); /* that of the first attempt */
}

static void one_that_was_never_measured_needed_more_than_its_request(void **state)
{
	(void)state;
	CLEANUP(size_points_clear)
	struct size_points points = POINTS({ "a", 1, STEP_TASK_OUT_OF_MEMORY, -1, 8, 2 },
					   { "b", 1, STEP_TASK_OUT_OF_MEMORY, -1, -1, 2 });
	assert_int_equal(points.count, 1);
	assert_true(points.points[0].need > 8);
}

static void other_failures_count_where_they_used_much(void **state)
{
	(void)state;
	CLEANUP(size_points_clear)
	struct size_points points = POINTS(
		{ "a", 1, STEP_TASK_SUCCEEDED, 10, 20, 2 }, { "b", 1, STEP_TASK_FAILED, 12, 20, 2 },
		{ "c", 1, STEP_TASK_FAILED, 2, 20, 2 }, { "d", 1, STEP_TASK_RUNS, 15, 20, 2 },
		{ "e", 1, STEP_TASK_LOST, 11, 20, 2 });
	assert_int_equal(points.count, 3);
	assert_true(points.highest >= 12 && points.highest <= 12);
	assert_int_equal(points.runs, 1);
}

static void attempts_with_other_cpus_are_left_out(void **state)
{
	(void)state;
	CLEANUP(size_points_clear)
	struct size_points points = POINTS({ "a", 1, STEP_TASK_SUCCEEDED, 10, 20, 2 },
					   { "b", 1, STEP_TASK_SUCCEEDED, 10, 20, 2 },
					   { "c", 2, STEP_TASK_SUCCEEDED, 15, 40, 4 },
					   { "d", 1, STEP_TASK_SUCCEEDED, 11, 20, -1 });
	assert_int_equal(points.count, 3);
	assert_true(points.highest <= 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_attempt_that_ran_out_needed_more),
		cmocka_unit_test(a_later_attempt_shows_the_need),
		cmocka_unit_test(one_that_was_never_measured_needed_more_than_its_request),
		cmocka_unit_test(other_failures_count_where_they_used_much),
		cmocka_unit_test(attempts_with_other_cpus_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
