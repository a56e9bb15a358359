/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"

/* A run that was started in another: which that is, and that each counts what is its own. */

static Signal__Run *run(struct made *made, const char *id, const char *parent, double begin)
{
	Signal__Run *ret = made_run(made, id, begin, begin + 10);

	ret->parent_run_id = (char *)(uintptr_t)parent;
	return ret;
}

static Signal__Execution *work(struct made *made, uint32_t pid, const char *run_id)
{
	Signal__Execution *ret = made_execution(made, pid, "", "tool", 1, 2);

	ret->run_id = (char *)(uintptr_t)run_id;
	return ret;
}

static const char *list(struct lake *lake)
{
	return lake_query(lake, "runs", "status= pipeline= sort=started cursor= limit=100",
			  "id parent_run user_ns");
}

static void a_run_says_in_which_it_was_started_and_counts_only_its_own(void **state)
{
	struct made made;

	made_init(&made, 1);
	run(&made, "outer", "", 0);
	run(&made, "inner", "outer", 1);
	work(&made, 1, "outer")->figures->user_ns = 3;
	work(&made, 2, "inner")->figures->user_ns = 40;
	lake_store(*state, &made);
	assert_string_equal(list(*state), "inner outer 40\nouter - 3\n");
	assert_string_equal(lake_query(*state, "run", "run=inner", "id parent_run"),
			    "inner outer\n");
}

/* An outer run without work is not reported. */
static void a_parent_that_is_not_there_is_none(void **state)
{
	struct made made;

	made_init(&made, 1);
	run(&made, "inner", "gone", 1);
	lake_store(*state, &made);
	assert_string_equal(list(*state), "inner - 0\n");
}

static void what_became_a_part_of_another_run_is_no_parent_but_that_run_is(void **state)
{
	Signal__Link *link;
	struct made made;

	for (uint64_t i = 0; i < 2; i++) {
		made_init(&made, 1);
		made.batch.agent_id = made.batch.host_id = i ? "two" : "one";
		run(&made, i ? "part" : "whole", "", i ? 2 : 1)->command =
			(char *)(uintptr_t)(i ? "b" : "a");
		link = made_add(&made, "links");
		link->run_id = (char *)(uintptr_t)(i ? "part" : "whole");
		link->kind = "trace";
		link->value = "t";
		link->lead = true;
		if (i)
			run(&made, "inner", "part", 3);
		lake_store(*state, &made);
	}
	assert_string_equal(list(*state), "inner whole 0\nwhole - 0\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_run_says_in_which_it_was_started_and_counts_only_its_own),
		TEST(a_parent_that_is_not_there_is_none),
		TEST(what_became_a_part_of_another_run_is_no_parent_but_that_run_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
