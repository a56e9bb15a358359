/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract.h"

/* A host that sends records under the ids of another one: it changes nothing of that host's. */

#define HUGE_SEQUENCE (UINT64_C(1) << 60) /* the largest that is taken */
#define RUNS          "status= pipeline= sort= limit=10 cursor="
#define TASKS         "run=run step= status= limit=10 cursor="

static char *literal(const char *text)
{
	return (char *)(uintptr_t)text;
}

/* The batch is the other host's, with the agent and boot of the first. */
static void as_other_host(struct made *made)
{
	made->batch.host_id = literal("other");
}

static void link_to(struct made *made, const char *run_id, const char *value, bool lead)
{
	Signal__Link *link = made_add(made, "links");

	link->run_id = literal(run_id);
	link->kind = literal("trace");
	link->value = literal(value);
	link->lead = lead;
}

static void a_sequence_that_another_host_used_is_no_duplicate(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	as_other_host(&made);
	made_add(&made, "losses");
	lake_store(lake, &made);
	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	lake_store(lake, &made); /* asserts that it is stored */
	assert_string_equal(lake_query(lake, "runs", RUNS, "id status"), "run succeeded\n");
}

static void a_run_and_a_task_stay_those_of_their_host(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_task(&made, "task", "map", 0, -1);
	made_execution(&made, 1, "task", "bwa", 0, -1);
	lake_store(lake, &made);

	made_init(&made, 2);
	as_other_host(&made);
	made.batch.sequence = HUGE_SEQUENCE;
	made.batch.created_at = T0 + 3600 * S;
	made_run(&made, "run", 0, 1)->exit_code = 7;
	made_task(&made, "task", "stolen", 0, 1);
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "runs", RUNS, "id status"), "run running\n");
	assert_string_equal(lake_query(lake, "tasks", TASKS, "id step status"),
			    "task map running\n");

	/* And its own host can still change them. */
	made_init(&made, 2);
	made_run(&made, "run", 0, 20);
	made_task(&made, "task", "map", 0, 19);
	made_execution(&made, 1, "task", "bwa", 0, 19);
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "runs", RUNS, "id status"), "run succeeded\n");
	assert_string_equal(lake_query(lake, "tasks", TASKS, "id step status"),
			    "task map succeeded\n");
}

static void a_link_that_another_host_sends_for_a_run_joins_nothing(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 10, 20);
	lake_store(lake, &made);
	made_init(&made, 2);
	as_other_host(&made);
	made_run(&made, "trap", 0, 30);
	link_to(&made, "trap", "bait", true);
	link_to(&made, "run", "bait", false);
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "runs", RUNS, "id"), "run\ntrap\n");
}

static void a_link_that_another_host_sent_first_prevents_no_join(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	as_other_host(&made);
	made.batch.agent_id = literal("other");
	link_to(&made, "run", "same", true);
	lake_store(lake, &made);
	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	link_to(&made, "run", "same", true);
	lake_store(lake, &made);
	made_init(&made, 1);
	made.batch.agent_id = made.batch.host_id = literal("third");
	made_run(&made, "part", 5, 10);
	link_to(&made, "part", "same", false);
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "runs", RUNS, "id"), "run\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONTRACT_TEST(a_sequence_that_another_host_used_is_no_duplicate),
		CONTRACT_TEST(a_run_and_a_task_stay_those_of_their_host),
		CONTRACT_TEST(a_link_that_another_host_sends_for_a_run_joins_nothing),
		CONTRACT_TEST(a_link_that_another_host_sent_first_prevents_no_join),
	};

	return CONTRACT_RUN(tests, NULL, NULL);
}
