/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture_batch.h"

/* Pages of rows so long that fewer fit into an answer than were asked for. */

#define LONG  300          /* more than fits into a page */
#define WHOLE (LONG + 100) /* more than the store gives at once */
#define PATH  "/api/v1/runs/latest/processes?limit=10000"
#define ARGV  (32 << 10) /* bytes of a command; each is six in JSON */

static struct lake lake;

static int start(void **state)
{
	return example_serve(&lake, NULL);
}

static int stop(void **state)
{
	return lake_end(&lake);
}

/* Adds executions of long commands, with pids from first on. */
static void post_long(uint64_t sequence, uint32_t first, size_t count)
{
	Signal__Execution *executions = calloc(count, sizeof(*executions));
	Signal__Execution **list = calloc(count, sizeof(Signal__Execution *));
	char *argument = calloc(1, ARGV + 1), *argv[] = { argument };
	struct example example;

	assert_true(executions && list && argument);
	memset(argument, '\1', ARGV);
	example_make(&example, sequence);
	for (size_t i = 0; i < count; i++) {
		executions[i] = example.executions[0];
		executions[i].pid = first + (uint32_t)i;
		executions[i].argv = argv;
		list[i] = &executions[i];
	}
	example.batch.executions = list;
	example.batch.n_executions = count;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	free(argument);
	free(list);
	free(executions);
}

/* Asks for page after page; returns how many there were. Each of the executions came once. */
static size_t read_pages(size_t executions)
{
	unsigned char seen[2000] = { 0 };
	char path[512] = PATH;
	size_t pages = 0, rows = 0, i;
	bool more = true;

	while (more) {
		json_t *json = lake_get(&lake, path, 200);
		const char *next = json_string_value(json_object_get(json, "next"));
		const json_t *row;

		json_array_foreach(json_object_get(json, "processes"), i, row)
		{
			assert_int_equal(seen[json_integer_value(json_object_get(row, "pid"))]++,
					 0);
			rows++;
		}
		more = next != NULL;
		snprintf(path, sizeof(path), PATH "&cursor=%s", more ? next : "");
		for (char *space = path; (space = strchr(space, ' '));)
			*space = '+';
		json_decref(json);
		assert_in_range(++pages, 1, 20);
	}
	assert_int_equal(rows, executions);
	return pages;
}

static void a_page_ends_where_it_grew_large(void **state)
{
	assert_int_equal(read_pages(EXAMPLE_EXECUTIONS), 1);
	post_long(2, 1000, LONG);
	assert_int_equal(read_pages(EXAMPLE_EXECUTIONS + LONG), 2);
}

static void more_than_the_store_gives_at_once_comes_in_smaller_pages(void **state)
{
	post_long(3, 1000 + LONG, WHOLE - LONG);
	assert_in_range(read_pages(EXAMPLE_EXECUTIONS + WHOLE), 3, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_ends_where_it_grew_large),
		cmocka_unit_test(more_than_the_store_gives_at_once_comes_in_smaller_pages),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
