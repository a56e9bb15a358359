/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "fixture_batch.h"

/* The wall time of tasks of which not everything is known, or more than can be. */

static struct lake lake;

/* The processes of the example's tasks: they lived for 200 s, 200 s and 180 s by the boot-time
 * clock.
 */
enum { A_FIRST = 1, A_SECOND = 2, C = 5 };

static int start(void **state)
{
	struct example example;

	example_make(&example, 1);
	example.figures[A_FIRST].wall_computing_ns = 400 * NS_PER_S; /* more than it lived */
	example.figures[A_SECOND].wall_computing_ns = 400 * NS_PER_S;
	example.figures[C].wall_computing_ns = 100 * NS_PER_S;
	example.figures[C].wall_serial_ns = 40 * NS_PER_S;
	example.figures[C].wall_other_ns = 30 * NS_PER_S;
	return example_serve(&lake, &example);
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static void assert_seconds(const json_t *task, const char *key, double seconds)
{
	double is = json_number_value(json_object_get(task, key)) / NS_PER_S;

	if (fabs(is - seconds) > 0.001)
		fail_msg("%s is %.3f s, not %.3f s", key, is, seconds);
}

static void what_is_in_no_class_is_unknown_and_never_below_zero(void **state)
{
	static const struct {
		const char *task;
		double computing_s, serial_s, other_s, unknown_s;
	} expected[] = {
		{ "task-a", 200, 0, 0, 0 },
		{ "task-b", 0, 0, 0, 200 },
		{ "task-c", 100, 40, 30, 50 },
	};
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/tasks", 200);
	const json_t *task;
	size_t i;

	assert_int_equal(json_array_size(json_object_get(json, "tasks")), 3);
	json_array_foreach(json_object_get(json, "tasks"), i, task)
	{
		assert_string_equal(json_string_value(json_object_get(task, "id")),
				    expected[i].task);
		assert_seconds(task, "wall_computing_ns", expected[i].computing_s);
		assert_seconds(task, "wall_serial_ns", expected[i].serial_s);
		assert_seconds(task, "wall_other_ns", expected[i].other_s);
		assert_seconds(task, "wall_unknown_ns", expected[i].unknown_s);
	}
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_no_class_is_unknown_and_never_below_zero),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
