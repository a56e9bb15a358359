/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture_batch.h"

#define PATH  "/api/v1/runs/latest/syscalls"
#define BWA   1 /* among the example's executions */
#define SORT  2
#define CALLS 4

static struct lake lake;

/* What two executions of the example's task-a called, as agents say it: in parts. */
static void put_calls(struct example *example)
{
	static const struct {
		int process;
		const char *class, *error;
		uint64_t calls;
	} told[CALLS] = {
		{ BWA, "read", "", 100 },
		{ BWA, "read", "", 50 },
		{ BWA, "read", "EAGAIN", 9 },
		{ SORT, "open", "ENOENT", 3 },
	};
	static Signal__Syscall calls[CALLS], *list[CALLS];

	for (size_t i = 0; i < CALLS; i++) {
		const Signal__Execution *execution = &example->executions[told[i].process];

		signal__syscall__init(&calls[i]);
		calls[i].pid = execution->pid;
		calls[i].start_ns = execution->start_ns;
		calls[i].image_seq = execution->image_seq;
		calls[i].run_id = execution->run_id;
		calls[i].task_id = execution->task_id;
		calls[i].class_ = (char *)(uintptr_t)told[i].class;
		calls[i].error = (char *)(uintptr_t)told[i].error;
		calls[i].calls = told[i].calls;
		calls[i].time_ns = told[i].calls * 1000;
		list[i] = &calls[i];
	}
	example->batch.syscalls = list;
	example->batch.n_syscalls = CALLS;
}

static void each_tool_class_and_error_is_a_row(void **state)
{
	static const struct {
		const char *tool, *class, *error;
		json_int_t calls;
	} expected[] = {
		{ "bwa mem", "read", NULL, 150 },
		{ "bwa mem", "read", "EAGAIN", 9 },
		{ "samtools sort", "open", "ENOENT", 3 },
	};
	json_t *answer = lake_get(&lake, PATH, 200), *rows = json_object_get(answer, "syscalls");

	assert_int_equal(json_array_size(rows), 3);
	for (size_t i = 0; i < 3; i++) {
		const json_t *row = json_array_get(rows, i), *error = json_object_get(row, "error");
		json_int_t calls = json_integer_value(json_object_get(row, "calls"));

		assert_string_equal(json_string_value(json_object_get(row, "tool")),
				    expected[i].tool);
		assert_string_equal(json_string_value(json_object_get(row, "class")),
				    expected[i].class);
		assert_int_equal(json_is_null(error), !expected[i].error);
		if (expected[i].error)
			assert_string_equal(json_string_value(error), expected[i].error);
		assert_int_equal(calls, expected[i].calls);
		assert_int_equal(json_integer_value(json_object_get(row, "time_ns")), 1000 * calls);
		assert_int_equal(json_integer_value(json_object_get(row, "executions")), 1);
	}
	json_decref(answer);
}

static size_t count_of(const char *path)
{
	json_t *answer = lake_get(&lake, path, 200);
	size_t count = json_array_size(json_object_get(answer, "syscalls"));

	json_decref(answer);
	return count;
}

static void filters_select(void **state)
{
	assert_int_equal(count_of(PATH "?tool=bwa%20mem"), 2);
	assert_int_equal(count_of(PATH "?class=open"), 1);
	assert_int_equal(count_of(PATH "?task=task-a&limit=2"), 2);
	assert_int_equal(count_of(PATH "?task=task-b"), 0);
	json_decref(lake_get(&lake, PATH "?class=shut", 400));
	json_decref(lake_get(&lake, "/api/v1/runs/none/syscalls", 404));
}

static int start(void **state)
{
	static struct example example;

	lake_make(&lake);
	lake_start(&lake, NULL);
	example_make(&example, 1);
	put_calls(&example);
	return example_post(&lake, &example, NULL) != 200;
}

static int stop(void **state)
{
	int status = lake_stop(&lake);

	lake_remove(&lake);
	return status;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_tool_class_and_error_is_a_row),
		cmocka_unit_test(filters_select),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
