/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>

#include "tune/replay/task_shape.h"

/* Wall time computing, of it serial, starved, disk, unknown; CPU time, ready without a CPU;
 * threads, slots; cores; where there is a pipe, the writers' waits and the longest program's CPU
 * time. What is found: serial, parallel, width, wait, unknown. */
static const struct {
	const char *name, *measured, *found;
} cases[] = {
	{ "one thread", "10 10 0 0 0  10 0  1 1  2", "10 0 1 0 0" },
	{ "its waits", "10 10 0 5 1  10 0  1 1  2", "10 0 1 5 1" },
	{ "one thread that shared a core with another", "10 10 10 0 0  10 10  1 1  1",
	  "10 0 1 0 0" },
	{ "two threads on two cores", "10 0 0 0 0  20 0  2 2  2", "0 20 2 0 0" },
	{ "two threads on one core", "20 20 0 0 0  20 20  2 2  1", "0 20 2 0 0" },
	{ "half of it alone, as measured", "20 10 0 0 0  50 0  4 4  4", "10 40 4 0 0" },
	{ "the same on one core: three of four were ready in most of the time",
	  "50 50 0 0 0  50 120  4 4  1", "10 40 4 0 0" },
	{ "the same beside one thread of another task", "50 50 20 0 0  50 170  4 4  1",
	  "10 40 4 0 0" },
	{ "idle threads are not believed to compute", "10 10 0 0 0  10 0  64 1  2", "10 0 1 0 0" },
	{ "so many as it asked CPUs for are, where it had to wait", "20 20 0 0 0  20 14  64 2  1",
	  "6 14 2 0 0" },
	{ "programs of a pipe compute at once", "10 10 0 0 0  19 0  1 1  2", "0 19 1.9 0 0" },
	{ "programs of a pipe on one core: no more alone than their path",
	  "10 10 4 0 0  14 5.6  1 1  1  0 10", "6 8 2 0 0" },
	{ "a writer that waited for a starved reader", "11.5 11.5 4 0 0  14 5  1 1  1  3 10",
	  "6 8 2 0 0" },
	{ "a writer that waited for what may be either", "12 12 4 0 0  14 4.5  1 1  1  3 8",
	  "7 7 2 0 0" },
	{ "a writer that waited for a reader that computed", "12 12 6 0 0  15 6  1 1  1  12 12",
	  "9 6 2 0 0" },
	{ "nothing known", "0 0 0 0 0  0 0  0 1  2", "0 0 1 0 100" },
};

static void a_task_has_a_part_that_scales_and_parts_that_do_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct replay_task task = { .started_at = 1, .ended_at = 101 };
		struct task_shape shape;
		double cores;
		char found[128];

		print_message("%s\n", cases[i].name);
		assert_true(sscanf(cases[i].measured,
				   "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf",
				   &task.wall.ns[WALL_COMPUTING], &task.wall.serial_ns,
				   &task.wall.ns[WALL_RUNNABLE], &task.wall.ns[WALL_DISK],
				   &task.wall.ns[WALL_UNKNOWN], &task.cpu_ns, &task.runnable_ns,
				   &task.threads, &task.slots, &cores, &task.pipe_write_ns,
				   &task.longest_ns) >= 10);
		shape = task_shape_find(&task, cores);
		snprintf(found, sizeof(found), "%.3g %.3g %.3g %.3g %.3g", shape.serial_ns,
			 shape.parallel_ns, shape.width, shape.wait_ns, shape.unknown_ns);
		assert_string_equal(found, cases[i].found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_has_a_part_that_scales_and_parts_that_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
