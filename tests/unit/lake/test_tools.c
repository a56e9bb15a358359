/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"

/* Which tools of a run are listed by name, and which as one row. */

static void add(struct made *made, uint32_t pid, const char *task, const char *tool,
		const char *kind)
{
	Signal__Execution *execution = made_execution(made, pid, task, tool, 1, 2);

	execution->tool_kind = (char *)(uintptr_t)kind;
	execution->figures->user_ns = pid;
}

static void fill(struct lake *lake)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	add(&made, 1, "", "tracer run", "launcher");
	add(&made, 2, "", "snakemake", "tool");
	add(&made, 3, "", "cbc", "helper");
	add(&made, 4, "", "cbc", "helper");
	add(&made, 5, "a", "bash", "shell");
	add(&made, 6, "a", "bwa mem", "tool");
	add(&made, 7, "a", "cat", "helper");
	add(&made, 8, "b", "bash", "shell");
	add(&made, 9, "b", "gzip", "helper"); /* nothing else ran there: that is what it is for */
	add(&made, 10, "a", "own-program", "");
	lake_store(lake, &made);
}

static void shells_launchers_and_helpers_are_one_row(void **state)
{
	fill(*state);
	assert_string_equal(
		lake_query(*state, "tools", "run=run all=false", "name kind executions user_ns"),
		"helpers helpers 6 28\nown-program tool 1 10\ngzip tool 1 9\n"
		"bwa mem tool 1 6\nsnakemake tool 1 2\n");
}

static void all_are_shown_to_who_asks_and_nothing_is_left_out_of_the_sum(void **state)
{
	fill(*state);
	assert_string_equal(lake_query(*state, "tools", "run=run all=true", "name kind user_ns"),
			    "bash tool 13\nown-program tool 10\ngzip tool 9\ncat tool 7\n"
			    "cbc tool 7\nbwa mem tool 6\nsnakemake tool 2\ntracer run tool 1\n");
	assert_string_equal(lake_query(*state, "run", "run=run", "user_ns"), "55\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(shells_launchers_and_helpers_are_one_row),
		TEST(all_are_shown_to_who_asks_and_nothing_is_left_out_of_the_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
