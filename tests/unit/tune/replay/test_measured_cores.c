/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/clock.h"
#include "tune/replay/measured_cores.h"

#define MOST 8

/* A task a line: begin, end, CPU time, ready without a CPU. On a host with so many CPUs, and a
 * recorded limit (0: none). What is found: cores, and 1 if they follow from the use. */
static const struct {
	const char *name, *tasks;
	double cpus, limit;
	const char *found;
} cases[] = {
	{ "nothing waited: those of the host", "0 10 10 0\n0 10 10 0\n", 4, 0, "4 0" },
	{ "two waited for one", "0 20 10 10\n0 20 10 10\n", 4, 0, "1 1" },
	{ "nearly one: tasks begin and end", "0 21 9.5 10\n0 21 9.5 10\n", 4, 0, "1 1" },
	{ "a quota of one and a half", "0 20 15 5\n0 20 15 5\n", 4, 0, "1.5 1" },
	{ "all of the host", "0 20 20 10\n0 20 20 10\n", 2, 0, "2 0" },
	{ "a limit that is recorded", "0 20 20 0\n", 4, 1, "1 0" },
	{ "a short wait says nothing", "0 100 100 0\n0 2 1 1\n", 4, 0, "4 0" },
	{ "what used little, because it slept, is no measure",
	  "0 20 10 10\n0 20 10 10\n20 24 1 1\n", 4, 0, "1 1" },
	{ "no tasks", "", 4, 0, "4 0" },
};

static void cores_follow_from_the_use_of_what_waits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct replay_task tasks[MOST] = { 0 };
		struct replay_run run = { .tasks = tasks,
					  .began_at = 1,
					  .ended_at = 30 * NS_PER_S,
					  .host_cpus = cases[i].cpus,
					  .cpu_limit = cases[i].limit };
		struct measured_cores cores;
		const char *text = cases[i].tasks;
		double from, to, cpu, ready;
		char found[32];
		int len;

		print_message("%s\n", cases[i].name);
		for (; sscanf(text, "%lf %lf %lf %lf\n%n", &from, &to, &cpu, &ready, &len) == 4;
		     text += len)
			tasks[run.task_count++] =
				(struct replay_task){ .started_at = 1 + (int64_t)(from * NS_PER_S),
						      .ended_at = 1 + (int64_t)(to * NS_PER_S),
						      .cpu_ns = cpu * NS_PER_S,
						      .runnable_ns = ready * NS_PER_S };
		assert_int_equal(measured_cores_find(&run, &cores), 0);
		snprintf(found, sizeof(found), "%.3g %d", cores.cores, cores.inferred);
		assert_string_equal(found, cases[i].found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_follow_from_the_use_of_what_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
