/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fixture_steps.h"
#include "tune/history/step_history.h"

static struct steps steps;

static void runs_are_in_the_order_in_which_they_began(void **state)
{
	CLEANUP(step_history_clear) struct step_history history = { 0 };

	steps_begin(&steps);
	steps_add_run(&steps, 3, 2);
	steps_add_run(&steps, 1, 4);
	steps_add_run(&steps, 2, 1);
	assert_int_equal(step_history_of(steps.tasks, steps.count, &history), 0);
	assert_int_equal(history.run_count, 3);
	assert_string_equal(history.runs[0].run_id, "run-1");
	assert_int_equal(history.runs[0].count, 4);
	assert_string_equal(history.runs[2].run_id, "run-3");
	assert_string_equal(history.tasks[history.runs[2].first]->run_id, "run-3");
	assert_null(step_history_run(&history, "run-9"));
	assert_ptr_equal(step_history_run(&history, "run-2"), &history.runs[1]);
}

static void a_box_is_of_the_tasks_that_succeeded(void **state)
{
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	struct box box;

	steps_begin(&steps);
	steps_add(&steps, 1)->wall_ns = 10e9;
	steps_add(&steps, 1)->wall_ns = 30e9;
	steps_add(&steps, 1)->end = STEP_TASK_OUT_OF_MEMORY;
	steps_add(&steps, 1)->wall_ns = -1;
	steps_add(&steps, 2)->wall_ns = 50e9;
	assert_int_equal(step_history_of(steps.tasks, steps.count, &history), 0);
	assert_int_equal(step_history_box(&history, &history.runs[0], FIGURE_WALL, &box), 0);
	assert_int_equal(box.count, 2);
	assert_near(box.median, 20e9, 1);
	assert_int_equal(step_history_box(&history, NULL, FIGURE_WALL, &box), 0);
	assert_int_equal(box.count, 3);
	assert_near(box.max, 50e9, 1);
	assert_int_equal(history.runs[0].ended[STEP_TASK_OUT_OF_MEMORY], 1);
}

static void wall_classes_and_throughput_are_figures(void **state)
{
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	struct box box;

	steps_begin(&steps);
	steps_add(&steps, 1);
	memset(steps_add(&steps, 1)->parts, 0, sizeof(steps.tasks[1].parts));
	assert_int_equal(step_history_of(steps.tasks, steps.count, &history), 0);
	assert_int_equal(step_history_box(&history, NULL, FIGURE_PARTS + WALL_DISK, &box), 0);
	assert_int_equal(box.count, 1); /* of the other one they are not known */
	assert_near(box.median, 15e9, 1);
	assert_int_equal(step_history_box(&history, NULL, FIGURE_THROUGHPUT, &box), 0);
	assert_near(box.median, 1e7, 1);
	assert_string_equal(step_figure_name(FIGURE_PARTS + WALL_DISK), "wall_disk_ns");
	for (unsigned figure = 0; figure < STEP_FIGURES; figure++)
		assert_non_null(step_figure_name(figure));
}

static void an_empty_history_has_no_runs(void **state)
{
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	struct box box;

	assert_int_equal(step_history_of(NULL, 0, &history), 0);
	assert_int_equal(history.run_count, 0);
	assert_int_equal(step_history_box(&history, NULL, FIGURE_WALL, &box), 0);
	assert_int_equal(box.count, 0);
}

/* A text of its own for each run. */
static struct step_task *many(size_t runs, size_t tasks_a_run, char (*ids)[24])
{
	struct step_task *tasks = calloc(runs * tasks_a_run, sizeof(*tasks));

	assert_non_null(tasks);
	for (size_t i = 0; i < runs * tasks_a_run; i++) {
		size_t run = i / tasks_a_run;
		snprintf(ids[run], sizeof(ids[run]), "%zu", run);
		tasks[i] = (struct step_task){ .run_id = ids[run],
					       .id = "",
					       .end = STEP_TASK_SUCCEEDED,
					       .started_at = (int64_t)(i + 1),
					       .wall_ns = 1e9 };
	}
	return tasks;
}

static void beyond_the_bounds_the_earliest_runs_are_left_out(void **state)
{
	static char ids[STEP_HISTORY_RUNS + 5][24];
	CLEANUP(freep) struct step_task *tasks = many(STEP_HISTORY_RUNS + 5, 1, ids);
	CLEANUP(step_history_clear) struct step_history history = { 0 };

	assert_int_equal(step_history_of(tasks, STEP_HISTORY_RUNS + 5, &history), 0);
	assert_int_equal(history.run_count, STEP_HISTORY_RUNS);
	assert_int_equal(history.left_out, 5);
	assert_string_equal(history.runs[0].run_id, "5");
}

static void of_more_tasks_than_the_bound_the_latest_run_is_complete(void **state)
{
	static char ids[3][24];
	size_t each = STEP_HISTORY_TASKS / 2;
	CLEANUP(freep) struct step_task *tasks = many(3, each, ids);
	CLEANUP(step_history_clear) struct step_history history = { 0 };

	assert_int_equal(step_history_of(tasks, 3 * each, &history), 0);
	assert_int_equal(history.task_count, 2 * each);
	assert_int_equal(history.left_out, each);
	assert_string_equal(history.runs[1].run_id, "2");
}

static void a_run_of_more_tasks_than_the_bound_is_cut(void **state)
{
	static char ids[1][24];
	CLEANUP(freep) struct step_task *tasks = many(1, STEP_HISTORY_TASKS + 10, ids);
	CLEANUP(step_history_clear) struct step_history history = { 0 };

	assert_int_equal(step_history_of(tasks, STEP_HISTORY_TASKS + 10, &history), 0);
	assert_int_equal(history.task_count, STEP_HISTORY_TASKS);
	assert_int_equal(history.left_out, 10);
	assert_int_equal(history.runs[0].ended[STEP_TASK_SUCCEEDED], STEP_HISTORY_TASKS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_in_the_order_in_which_they_began),
		cmocka_unit_test(a_box_is_of_the_tasks_that_succeeded),
		cmocka_unit_test(wall_classes_and_throughput_are_figures),
		cmocka_unit_test(an_empty_history_has_no_runs),
		cmocka_unit_test(beyond_the_bounds_the_earliest_runs_are_left_out),
		cmocka_unit_test(of_more_tasks_than_the_bound_the_latest_run_is_complete),
		cmocka_unit_test(a_run_of_more_tasks_than_the_bound_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
