/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "fixture_steps.h"
#include "tune/expect/usual.h"

#define RUNS  8
#define TASKS 10
#define NOW   (RUNS + 1)

static struct steps steps;
static struct usual usual;

/* Eight runs, and an empty one that is judged. */
static void begin(void)
{
	steps_begin(&steps);
	for (unsigned run = 1; run <= RUNS; run++)
		steps_add_run(&steps, run, TASKS);
}

/* The first of its tasks. */
static struct step_task *add_now(unsigned tasks)
{
	struct step_task *first = &steps.tasks[steps.count];
	steps_add_run(&steps, NOW, tasks);
	return first;
}

static void judge(void)
{
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	assert_int_equal(step_history_of(steps.tasks, steps.count, &history), 0);
	assert_int_equal(usual_judge(&history, "run-9", &usual), 0);
}

static const struct unusual *find(const char *kind)
{
	for (size_t i = 0; i < usual.count; i++)
		if (strcmp(usual.items[i].kind->name, kind) == 0)
			return &usual.items[i];
	return NULL;
}

static void a_run_like_the_others_is_as_usual(void **state)
{
	begin();
	add_now(TASKS);
	judge();
	assert_true(usual.known);
	assert_int_equal(usual.count, 0);
	assert_int_equal(usual.history_runs, RUNS);
	assert_int_equal(usual.history_tasks, RUNS * TASKS);
	assert_true(usual.same_host && usual.same_tools);
	assert_true(usual.noticeable > 1.2 && usual.noticeable < 2);
}

static void a_slower_step_is_found_with_what_is_typical(void **state)
{
	const struct unusual *slow;
	struct step_task *now;

	begin();
	now = add_now(TASKS);
	for (size_t i = 0; i < TASKS; i++)
		steps_slow(&now[i], 2);
	judge();
	slow = find("slower_than_usual");
	assert_non_null(slow);
	assert_null(slow->task);
	assert_true(slow->above && !slow->so_far);
	assert_near(slow->value, 190e9, 20e9);
	assert_near(slow->typical_median, 98e9, 8e9);
	assert_true(slow->typical_low < slow->typical_median &&
		    slow->typical_median < slow->typical_high && slow->typical_high < slow->value);
	assert_true(slow->confidence > 0.99 && slow->confidence < 1);
	assert_int_equal(slow->history_runs, RUNS);
	assert_non_null(find("throughput_dropped"));
	assert_non_null(find("cpu_unusual"));
	assert_null(find("memory_unusual"));
}

/* What is changed, and which kind it is. */
static void waits_for_disk(struct step_task *task)
{
	task->parts[WALL_DISK] += 100e9;
	task->wall_ns += 100e9;
}

static void waits_for_network(struct step_task *task)
{
	task->parts[WALL_NETWORK] += 60e9;
	task->wall_ns += 60e9;
}

static void waits_for_a_cpu(struct step_task *task)
{
	task->parts[WALL_RUNNABLE] += 60e9;
	task->wall_ns += 60e9;
}

static void uses_more_memory(struct step_task *task)
{
	task->memory_peak_bytes *= 1.5;
}

static void uses_half_the_memory(struct step_task *task)
{
	task->memory_peak_bytes *= 0.5;
}

static void reads_twice(struct step_task *task)
{
	task->disk_read_bytes *= 2;
}

static void writes_little(struct step_task *task)
{
	task->disk_write_bytes *= 0.1;
}

static void transfers(struct step_task *task)
{
	task->network_bytes += 2e9;
}

static void computes_twice(struct step_task *task)
{
	task->cpu_ns *= 2;
}

static const struct {
	void (*change)(struct step_task *task);
	const char *kind;
	bool above;
} changes[] = {
	{ waits_for_disk, "disk_wait_unusual", true },
	{ waits_for_network, "network_wait_unusual", true },
	{ waits_for_a_cpu, "cpu_wait_unusual", true },
	{ uses_more_memory, "memory_unusual", true },
	{ uses_half_the_memory, "memory_unusual", false },
	{ reads_twice, "disk_read_unusual", true },
	{ writes_little, "disk_write_unusual", false },
	{ transfers, "network_unusual", true },
	{ computes_twice, "cpu_unusual", true },
};

static void each_figure_that_changed_is_found(void **state)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		const struct unusual *found;
		struct step_task *now;
		begin();
		now = add_now(TASKS);
		for (size_t j = 0; j < TASKS; j++)
			changes[i].change(&now[j]);
		judge();
		found = find(changes[i].kind);
		if (!found || found->above != changes[i].above)
			fail_msg("%s is not found", changes[i].kind);
	}
}

static void two_runs_are_not_enough_history(void **state)
{
	struct step_task *now;

	steps_begin(&steps);
	steps_add_run(&steps, 1, TASKS);
	steps_add_run(&steps, 2, TASKS);
	now = add_now(TASKS);
	for (size_t i = 0; i < TASKS; i++)
		steps_slow(&now[i], 3);
	judge();
	assert_false(usual.known);
	assert_int_equal(usual.count, 0);
	assert_int_equal(usual.runs_missing, 1);
	assert_near(usual.noticeable, 0, 0);
}

static void more_input_explains_more_time(void **state)
{
	begin();
	for (size_t i = 0; i < steps.count; i++) {
		double factor = 1 + (double)(i % 8) / 2;
		steps.tasks[i].input_bytes *= factor;
		steps_slow(&steps.tasks[i], factor);
	}
	for (size_t i = 0; i < TASKS; i++) {
		struct step_task *now = add_now(1);
		now->input_bytes *= 4.2;
		now->disk_read_bytes *= 1.01;
		steps_slow(now, 4.2);
	}
	judge();
	assert_null(find("slower_than_usual"));
	for (size_t i = 0; i < TASKS; i++)
		steps.tasks[RUNS * TASKS + i].input_bytes /= 3;
	judge();
	assert_non_null(find("slower_than_usual"));
}

static void a_running_task_is_unusual_once_it_exceeds(void **state)
{
	struct step_task *now;

	begin();
	now = add_now(TASKS);
	now->end = STEP_TASK_RUNS;
	steps_slow(now, 0.1);
	judge();
	assert_int_equal(usual.count, 0);
	steps_slow(now, 50);
	judge();
	assert_int_equal(usual.items[0].task == now, true);
	assert_string_equal(usual.items[0].kind->name, "slower_than_usual");
	assert_true(usual.items[0].so_far);
	assert_near(usual.items[0].typical_median, 100e9, 10e9);
}

static void what_runs_and_is_low_so_far_is_no_finding(void **state)
{
	struct step_task *now;

	begin();
	now = add_now(TASKS);
	for (size_t i = 0; i < TASKS; i++) {
		now[i].end = STEP_TASK_RUNS;
		steps_slow(&now[i], 0.1);
		now[i].memory_peak_bytes *= 0.1;
		now[i].disk_read_bytes = 0;
	}
	judge();
	assert_int_equal(usual.count, 0);
}

static void without_other_runs_a_task_is_held_against_its_siblings(void **state)
{
	struct step_task *now;

	steps_begin(&steps);
	now = add_now(30);
	now->end = STEP_TASK_RUNS;
	steps_slow(now, 5);
	judge();
	assert_false(usual.known);
	assert_int_equal(usual.runs_missing, 3);
	assert_non_null(find("slower_than_usual"));
	assert_ptr_equal(find("slower_than_usual")->task, now);
	assert_int_equal(find("slower_than_usual")->history_tasks, 29);
	now->end = STEP_TASK_SUCCEEDED;
	judge();
	assert_ptr_equal(find("slower_than_usual")->task, now);
}

static void one_bad_run_of_the_history_does_not_hide_the_next(void **state)
{
	begin();
	for (size_t i = 0; i < TASKS; i++)
		steps_slow(&steps.tasks[3 * TASKS + i], 5);
	add_now(TASKS);
	for (size_t i = 0; i < TASKS; i++)
		steps_slow(&steps.tasks[RUNS * TASKS + i], 5);
	judge();
	assert_non_null(find("slower_than_usual"));
}

static void attempts_that_lacked_a_resource_are_counted(void **state)
{
	begin();
	add_now(TASKS);
	for (size_t i = 0; i < 3; i++)
		add_now(1)->end = STEP_TASK_OUT_OF_MEMORY;
	judge();
	assert_int_equal(usual.count, 1);
	assert_non_null(find("retries_unusual"));
	assert_near(find("retries_unusual")->value, 3, 0);
	assert_string_equal(unusual_kind_figure(find("retries_unusual")->kind), "attempts");
	/* As often in each run before. */
	for (unsigned run = 1; run <= RUNS; run++)
		for (size_t i = 0; i < 3; i++)
			steps_add(&steps, run)->end = STEP_TASK_OUT_OF_MEMORY;
	judge();
	assert_int_equal(usual.count, 0);
}

static void an_overrun_request_needs_no_history(void **state)
{
	struct step_task *now;

	steps_begin(&steps);
	now = add_now(2);
	now[1].memory_peak_bytes = 10e9;
	now[0].cpu_ns = now[0].wall_ns * 6;
	judge();
	assert_ptr_equal(find("memory_request_overrun")->task, &now[1]);
	assert_near(find("memory_request_overrun")->typical_median, 2e9, 0);
	assert_ptr_equal(find("cpu_request_overrun")->task, &now[0]);
	/* A kill says it by itself. */
	now[1].end = STEP_TASK_OUT_OF_MEMORY;
	judge();
	assert_null(find("memory_request_overrun"));
}

static void unknown_figures_are_not_judged(void **state)
{
	struct step_task *now;

	begin();
	now = add_now(TASKS);
	for (size_t i = 0; i < TASKS; i++) {
		now[i].memory_peak_bytes = now[i].cpu_ns = now[i].disk_read_bytes = -1;
		now[i].input_bytes = now[i].read_bytes = -1;
		memset(now[i].parts, 0, sizeof(now[i].parts));
	}
	judge();
	assert_true(usual.known);
	assert_int_equal(usual.count, 0);
}

static void a_run_without_tasks_of_the_step_is_not_judged(void **state)
{
	begin();
	judge();
	assert_true(usual.known);
	assert_int_equal(usual.count, 0);
	steps_begin(&steps);
	judge();
	assert_false(usual.known);
	assert_int_equal(usual.runs_missing, 3);
}

static void the_list_is_bounded(void **state)
{
	begin();
	add_now(TASKS);
	for (size_t i = 0; i < 40; i++) {
		struct step_task *far = add_now(1);
		steps_slow(far, 60);
		far->memory_peak_bytes *= i < 20 ? 50 : 1;
	}
	for (size_t i = 0; i < 200; i++)
		add_now(1);
	judge();
	assert_true(usual.count <= USUAL_MOST);
	assert_int_equal(find("slower_than_usual")->tasks, 40);
	assert_non_null(find("slower_than_usual")->task);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_like_the_others_is_as_usual),
		cmocka_unit_test(a_slower_step_is_found_with_what_is_typical),
		cmocka_unit_test(each_figure_that_changed_is_found),
		cmocka_unit_test(two_runs_are_not_enough_history),
		cmocka_unit_test(more_input_explains_more_time),
		cmocka_unit_test(a_running_task_is_unusual_once_it_exceeds),
		cmocka_unit_test(what_runs_and_is_low_so_far_is_no_finding),
		cmocka_unit_test(without_other_runs_a_task_is_held_against_its_siblings),
		cmocka_unit_test(one_bad_run_of_the_history_does_not_hide_the_next),
		cmocka_unit_test(attempts_that_lacked_a_resource_are_counted),
		cmocka_unit_test(an_overrun_request_needs_no_history),
		cmocka_unit_test(unknown_figures_are_not_judged),
		cmocka_unit_test(a_run_without_tasks_of_the_step_is_not_judged),
		cmocka_unit_test(the_list_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
