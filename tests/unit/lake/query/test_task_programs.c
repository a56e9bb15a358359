/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What the programs of a task say of how it scales. */

static void add_program(struct made *made, uint32_t pid, double end, uint64_t cpu_s,
			uint64_t threads)
{
	Signal__Execution *execution = made_execution(made, pid, "a", "tool", 0, end);
	Signal__Figures *figures = made_figures(&execution->figures);

	figures->user_ns = cpu_s * (uint64_t)S;
	figures->threads_peak = threads;
}

static void the_longest_program_is_that_with_most_time_of_a_thread(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	made_task(&made, "a", "align", 0, 10);
	add_program(&made, 7, 10, 12, 4); /* 3 s a thread, 1.2 CPUs */
	add_program(&made, 8, 10, 5, 1);
	add_program(&made, 9, 0.5, 2, 0); /* too short to say how many CPUs it needs */
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "slowness_tasks", "run_ids=[\"run\"] limit=10",
				       "task_id widest longest_ns"),
			    "a 1.2 5e+09\n");
}

static void a_short_program_may_be_the_longest(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	made_task(&made, "a", "align", 0, 10);
	add_program(&made, 7, 10, 0, 1);
	add_program(&made, 8, 0.5, 1, 1);
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "slowness_tasks", "run_ids=[\"run\"] limit=10",
				       "task_id widest longest_ns"),
			    "a 0 1e+09\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_longest_program_is_that_with_most_time_of_a_thread),
		TEST(a_short_program_may_be_the_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
