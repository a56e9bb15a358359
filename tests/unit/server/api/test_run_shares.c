/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture_batch.h"

static struct lake lake;

static int start(void **state)
{
	return example_serve(&lake, NULL);
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static long long user_ns(const json_t *object)
{
	return json_integer_value(json_object_get(object, "user_ns"));
}

/* What the rows of processes with a task, or of those without, used. */
static long long user_ns_of(const json_t *processes, bool of_tasks)
{
	const json_t *row;
	long long sum = 0;
	size_t i;

	json_array_foreach(processes, i, row)
	{
		const json_t *task = json_object_get(row, "task_id");

		if ((json_string_length(task) > 0) == of_tasks)
			sum += user_ns(row);
	}
	return sum;
}

static void what_its_tasks_took_and_its_engine_are_told_apart(void **state)
{
	json_t *run = lake_get(&lake, "/api/v1/runs/latest", 200);
	json_t *list = lake_get(&lake, "/api/v1/runs/latest/processes", 200);
	const json_t *shares = json_object_get(run, "shares");
	const json_t *processes = json_object_get(list, "processes");
	long long tasks = user_ns_of(processes, true), engine = user_ns_of(processes, false);

	assert_true(tasks > engine && engine > 0);
	assert_int_equal(user_ns(json_object_get(shares, "tasks")), tasks);
	assert_int_equal(user_ns(json_object_get(shares, "engine")), engine);
	json_decref(run);
	json_decref(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_its_tasks_took_and_its_engine_are_told_apart),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
