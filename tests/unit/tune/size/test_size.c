/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture_sizes.h"
#include "base/cleanup.h"

/* What is advised for the memory of the step ALIGN: basis, at least, at most (GB), whether there is
 * enough history, tasks and runs that it needs to be sure (-1: some). */
static const struct {
	const char *name, *tasks, *basis;
	double least, most;
	int needs_tasks, needs_runs;
} cases[] = {
	{ "equal tasks get little more than they used",
	  "a ok - 10 req=40\na ok - 10.02 req=40\na ok - 10.01 req=40\na ok - 10 req=40\n"
	  "b ok - 10.01 req=40\nb ok - 10.03 req=40\nb ok - 10 req=40\nb ok - 10.01 req=40",
	  "constant", 10.2, 12, 0, 0 },
	{ "tasks that differ get more than the largest of few",
	  "a ok - 10\na ok - 12\na ok - 9\na ok - 14", "constant", 15, 60, -1, 1 },
	{ "one run is not enough to be sure", "a ok - 10\na ok - 10\na ok - 10\na ok - 10",
	  "constant", 10.2, 13, -1, 1 },
	{ "one task is not enough: what was requested stays", "a ok - 10 req=25", "as requested",
	  25, 25, 2, 1 },
	{ "two tasks are not enough: with caution, where that is less than the request",
	  "a ok - 10 req=40\nb ok - 11 req=40", "cautious", 22, 22, 1, 0 },
	{ "one task without a request: with caution", "a ok - 10", "cautious", 30, 30, 2, 1 },
	{ "two tasks without a request: with less caution", "a ok - 10\nb ok - 10", "cautious", 20,
	  20, 1, 0 },
	{ "nothing measured: nothing is known", "a ok - -\na run - 5", "unknown", -1, -1, 3, 2 },
	{ "nothing measured but requested: as requested", "a ok - - req=8", "as requested", 8, 8, 3,
	  2 },
	{ "memory that grows with the input",
	  "a ok 1 2\na ok 2 4\na ok 3 6.1\na ok 4 8\na ok 5 10\n"
	  "b ok 6 12.1\nb ok 7 14\nb ok 8 16",
	  "linear in input", 16.3, 19, -1, 0 },
	{ "inputs that are not known make no line",
	  "a ok - 2\na ok 2 4\na ok 3 6\na ok 4 8\na ok 5 10\n"
	  "a ok 6 12",
	  "cautious", 12, 36, -1, 1 },
	{ "a margin far above all that was seen is no advice", "a ok - 10\na ok - 19\nb ok - 10",
	  "cautious", 57, 57, -1, 0 },
	{ "an attempt that was killed for memory needed more than it had",
	  "a ok - 10\na ok - 10\na ok - 10\na oom - 20\na ok - 10\na ok - 10", "constant", 30, 1000,
	  -1, 1 },
	{ "a later attempt of the same task says how much it needed",
	  "a oom - 8 name=x req=8\na ok - 8.5 name=x try=2 req=16\na ok - 7 req=8\na ok - 7 req=8\n"
	  "a ok - 7 req=8\na ok - 7.1 req=8",
	  "constant", 7.5, 16, -1, 1 },
	{ "killed for memory at its request: more than that, also with few tasks",
	  "a oom - 8 req=8", "cautious", 24, 24, 2, 2 },
	{ "an attempt that failed early does not count",
	  "a ok - 10\na ok - 10\na ok - 10\na bad - 0.1\na lost - 0.2\na run - 0.1", "constant",
	  10.2, 14, -1, 1 },
	{ "an attempt that failed having used much counts",
	  "a ok - 10\na ok - 10\na ok - 10\na bad - 15", "constant", 12, 1000, -1, 1 },
	{ "not more than a request that was enough for all",
	  "a ok - 6 req=10\na ok - 9 req=10\n"
	  "a ok - 4 req=10\na ok - 5 req=10",
	  "constant", 10, 10, -1, 1 },
	{ "a retry with more CPUs, killed for another reason, is not like the others",
	  "a ok - 10 cpus=4\na ok - 10 cpus=4\na ok - 10 cpus=4\na ok - 10 cpus=4\n"
	  "a ok - 14 cpus=8 try=2",
	  "constant", 10.2, 12, -1, 1 },
	{ "a tiny task gets what a container needs", "a ok - 0.001\na ok - 0.001\na ok - 0.001",
	  "constant", 0.134, 0.135, -1, 1 },
	{ "figures that are none are left out",
	  "a ok - nan\na ok - inf\na ok nan 10\na ok inf 10\n"
	  "a ok - 10\na ok - 0",
	  "constant", 10.2, 14, -1, 1 },
};

static void memory_of_a_step(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(sizes_clear) struct sizes sizes = size_of(cases[i].tasks);
		const struct size_amount *memory = &sizes_find(&sizes, "ALIGN")->memory;
		double advised = memory->advised < 0 ? -1 : memory->advised / GB;
		if (strcmp(size_basis_name(memory->basis), cases[i].basis) != 0 ||
		    advised < cases[i].least - 1e-6 || advised > cases[i].most + 1e-6)
			fail_msg("%s: %s %g GB", cases[i].name, size_basis_name(memory->basis),
				 advised);
		assert_int_equal(memory->enough, memory->basis >= SIZE_CONSTANT);
		if (cases[i].needs_tasks >= 0)
			assert_int_equal(memory->needs_tasks, cases[i].needs_tasks);
		assert_int_equal(memory->needs_runs, cases[i].needs_runs);
	}
}

static void a_linear_size_follows_the_input(void **state)
{
	(void)state;
	CLEANUP(sizes_clear)
	struct sizes sizes = size_of("a ok 1 2 req=30\na ok 2 4 req=30\na ok 3 6 req=30\n"
				     "a ok 4 8 req=30\na ok 5 10 req=30\na ok 10 20 req=30");
	const struct size_amount *memory = &sizes_find(&sizes, "ALIGN")->memory;
	assert_int_equal(memory->basis, SIZE_LINEAR);
	assert_true(size_amount_for(memory, 2 * GB) >= 4 * GB);
	assert_true(size_amount_for(memory, 2 * GB) < 6 * GB);
	/* Beyond what was seen the request is no bound. */
	assert_true(size_amount_for(memory, 100 * GB) >= 200 * GB);
	/* Not known: enough for the largest. */
	assert_true(size_amount_for(memory, -1) >= 20 * GB);
	assert_true(size_amount_for(memory, NAN) >= 20 * GB);
	/* Far below what was seen: not nothing. */
	assert_true(size_amount_for(memory, 0) >= 1 * GB);
}

static void a_larger_input_than_any_may_need_more(void **state)
{
	(void)state;
	CLEANUP(sizes_clear)
	struct sizes few = size_of("a ok 1 10\na ok 1.1 10\na ok 1.2 11");
	CLEANUP(sizes_clear)
	struct sizes same = size_of("a ok 1 10\na ok 2 10\na ok 4 10\na ok 8 10\na ok 16 10");
	const struct size_amount *unknown = &sizes_find(&few, "ALIGN")->memory;
	const struct size_amount *constant = &sizes_find(&same, "ALIGN")->memory;
	assert_int_equal(unknown->basis, SIZE_CONSTANT);
	assert_int_equal(constant->basis, SIZE_CONSTANT);
	/* As far as three tasks say, it may need in proportion; five with very different inputs
	 * show that it does not. */
	assert_true(size_amount_for(unknown, 2.4 * GB) > 1.9 * unknown->advised);
	assert_true(size_amount_for(constant, 32 * GB) < 1.01 * constant->advised);
	assert_true(size_amount_for(unknown, 0.5 * GB) <= unknown->advised);
}

static void a_retry_gets_more_than_what_failed(void **state)
{
	(void)state;
	CLEANUP(sizes_clear)
	struct sizes sizes = size_of("a ok - 10\na ok - 11\na ok - 12\na ok - 10\na ok - 9");
	const struct step_size *size = sizes_find(&sizes, "ALIGN");
	double first = size->memory.advised;
	assert_true(size->escalation[0] >= 1 && size->escalation[0] <= 1);
	for (size_t i = 1; i < SIZE_ATTEMPTS; i++)
		assert_true(size->escalation[i] >= 1.5 * size->escalation[i - 1]);
	assert_true(size_after_failure(size, first) >= 1.5 * first);
	assert_true(size_after_failure(size, 0.1 * first) >= first);
}

static void waste_falls_where_the_request_is_too_large(void **state)
{
	(void)state;
	CLEANUP(sizes_clear)
	struct sizes sizes = size_of("a ok - 10 req=40\na ok - 10 req=40\na ok - 10 req=40\n"
				     "a ok - 10 req=40");
	const struct step_size *size = sizes_find(&sizes, "ALIGN");
	assert_true(fabs(size->wasted_now - 30) < 1e-9);
	assert_true(size->wasted_then > 0 && size->wasted_then < 5);
	assert_true(size->memory.risk > 0 && size->memory.risk <= 0.01);
	assert_true(sizes.risk > 0 && sizes.risk <= 0.01);
}

static void a_time_limit_is_beyond_all_that_was_seen(void **state)
{
	(void)state;
	CLEANUP(sizes_clear)
	struct sizes sizes = size_of("a ok - 1 h=1\na ok - 1 h=1.1\na ok - 1 h=0.9\na ok - 1 h=1");
	const struct size_amount *time = &sizes_find(&sizes, "ALIGN")->time;
	assert_true(time->advised >= 1.5 * HOUR && time->advised < 10 * HOUR);
	assert_true(time->risk <= 0.001);
	CLEANUP(sizes_clear)
	struct sizes late = size_of("a ok - 1 h=1\na late - 1 h=8\na ok - 1 h=1\na ok - 1 h=1");
	assert_true(sizes_find(&late, "ALIGN")->time.advised >= 12 * HOUR);
}

static void a_failure_is_allowed_where_the_margin_is_dear(void **state)
{
	(void)state;
	CLEANUP(sizes_clear)
	struct sizes sizes = size_of("a ok - 40 h=9 step=BIG\na ok - 50 h=9 step=BIG\n"
				     "a ok - 44 h=9 step=BIG\na ok - 41 h=9 step=BIG\n"
				     "a ok - 0.40 h=.1 step=SMALL\na ok - 0.50 h=.1 step=SMALL\n"
				     "a ok - 0.44 h=.1 step=SMALL\na ok - 0.41 h=.1 step=SMALL");
	const struct step_size *big = sizes_find(&sizes, "BIG"),
			       *small = sizes_find(&sizes, "SMALL");
	assert_true(big->memory.risk > small->memory.risk);
	assert_true(small->memory.advised / small->memory.highest >
		    big->memory.advised / big->memory.highest);
	assert_true(sizes.risk <= 0.01);
	assert_ptr_equal(big, &sizes.steps[0]);
	assert_null(sizes_find(&sizes, "OTHER"));
}

/* 100,000 tasks of a thousand steps, and of one: the latest of it count. */
static void many_tasks_are_bounded(void **state)
{
	(void)state;
	size_t count = 100000;
	CLEANUP(freep) struct step_task *tasks = calloc(count, sizeof(*tasks));
	CLEANUP(freep) char(*steps)[16] = calloc(1000, sizeof(*steps));
	assert_true(tasks && steps);
	for (size_t i = 0; i < 1000; i++)
		snprintf(steps[i], sizeof(steps[i]), "S%zu", i);
	for (size_t i = 0; i < count; i++)
		tasks[i] = (struct step_task){
			.run_id = "r",
			.id = "",
			.name = "",
			.started_at = (int64_t)i + 1,
			.step = i < 50000 ? "ONE" : steps[i % 1000],
			.end = STEP_TASK_SUCCEEDED,
			.wall_ns = HOUR,
			.cpu_ns = HOUR,
			.cpus_requested = 2,
			.input_bytes = (double)(i * 7919 % 1000 + 1) * GB,
			.memory_peak_bytes = (double)(i * 7919 % 1000 + 10 + i % 3) * GB,
		};
	CLEANUP(sizes_clear) struct sizes sizes;
	assert_int_equal(sizes_make(tasks, count, NULL, &sizes), 0);
	assert_int_equal(sizes.count, 1001);
	const struct step_size *one = sizes_find(&sizes, "ONE");
	assert_int_equal(one->memory.tasks, SIZE_TASKS_MAX);
	assert_int_equal(one->memory.basis, SIZE_LINEAR);
	assert_true(fabs(one->memory.slope - 1) < 0.01);
	assert_int_equal(one->memory.needs_tasks, 0);
}

static void no_tasks_have_no_sizes(void **state)
{
	(void)state;
	CLEANUP(sizes_clear) struct sizes sizes;
	assert_int_equal(sizes_make(NULL, 0, NULL, &sizes), 0);
	assert_int_equal(sizes.count, 0);
	assert_true(sizes.risk < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_of_a_step),
		cmocka_unit_test(a_linear_size_follows_the_input),
		cmocka_unit_test(a_larger_input_than_any_may_need_more),
		cmocka_unit_test(a_retry_gets_more_than_what_failed),
		cmocka_unit_test(waste_falls_where_the_request_is_too_large),
		cmocka_unit_test(a_time_limit_is_beyond_all_that_was_seen),
		cmocka_unit_test(a_failure_is_allowed_where_the_margin_is_dear),
		cmocka_unit_test(many_tasks_are_bounded),
		cmocka_unit_test(no_tasks_have_no_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
