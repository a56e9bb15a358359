/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What was lost sight of: an agent that was killed and came back, and what ended meanwhile. */

#define SECOND UINT64_C(1000000000)
#define TASKS  "run=run step= status= limit=10 cursor="
#define RUNS   "status= pipeline= sort= limit=10 cursor="

static void scan(struct made *made, double seconds)
{
	Signal__Scan *record = made_add(made, "scans");

	record->scanned_at = T0 + (int64_t)(seconds * 1e9);
}

/*
 * The agent is killed at 10 s and back at 50 s. Of step "map": task a's process used 4 s of CPU as
 * far as samples show and ended unseen; b's, which was never sampled, too; c's goes on. Step "call"
 * succeeded before.
 */
static void agent_comes_back(struct lake *lake)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_task(&made, "a", "map", 0, -1);
	made_task(&made, "b", "map", 0, -1);
	made_task(&made, "c", "map", 0, -1);
	made_task(&made, "d", "call", 0, 1);
	made_execution(&made, 1, "a", "bwa", 0, -1);
	made_execution(&made, 2, "b", "bwa", 0, -1);
	made_execution(&made, 3, "c", "bwa", 0, -1);
	made_execution(&made, 4, "d", "true", 0, 1)->figures->user_ns = SECOND;
	made_sample(&made, 1, "a", 0, 10)->figures->user_ns = 4 * SECOND;
	made_sample(&made, 3, "c", 0, 10)->figures->user_ns = 10 * SECOND;
	lake_store(lake, &made);
	made_init(&made, 51);
	made_run(&made, "run", 0, -1);
	made_task(&made, "c", "map", 0, -1);
	made_execution(&made, 3, "c", "bwa", 0, -1)->found = true;
	scan(&made, 50);
	lake_store(lake, &made);
}

/* An agent found a process that began at 0 s and ended then (< 0: it runs) with so much user time,
 * of which its latest sample shows 1 s. */
static void store_found(struct lake *lake, uint64_t sequence, double ended, uint64_t user_s)
{
	struct made made;
	Signal__Execution *execution;

	made_init(&made, sequence);
	made_run(&made, "run", 0, -1);
	execution = made_execution(&made, 1, "a", "bwa", 0, ended);
	execution->found = true;
	execution->figures->user_ns = user_s * SECOND;
	made_sample(&made, 1, "a", ended < 0 ? 100 : 105, ended < 0 ? 105 : 110)->figures->user_ns =
		SECOND;
	lake_store(lake, &made);
}

static const char *over_time(struct lake *lake, int interval_s)
{
	char params[64];

	snprintf(params, sizeof(params), "run=run by=run interval_s=%d", interval_s);
	return lake_query(lake, "samples", params, "at user_ns");
}

static void a_lost_task_is_neither_failed_nor_fine(void **state)
{
	agent_comes_back(*state);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id status"),
			    "a lost\nb lost\nc running\nd succeeded\n");
	assert_string_equal(
		lake_query(*state, "runs", RUNS, "tasks tasks_failed tasks_lost tasks_running"),
		"4 0 2 1\n");
	assert_string_equal(lake_query(*state, "steps", "run=run", "name tasks failed lost"),
			    "call 1 0 0\nmap 3 0 2\n");
	assert_string_equal(
		lake_query(*state, "tools", "run=run all=true", "name executions failed lost"),
		"bwa 3 0 2\ntrue 1 0 0\n");
}

static void what_was_lost_used_what_its_samples_show(void **state)
{
	agent_comes_back(*state);
	assert_string_equal(
		lake_query(*state, "holds", "since_at= until_at= part= parts=", "task_id cpu_ns"),
		"a 4000000000\nb 0\nc 10000000000\nd 1000000000\n");
	assert_string_equal(lake_query(*state, "steps", "run=run", "name user_ns"),
			    "call 1000000000\nmap 14000000000\n");
}

static void what_was_lost_was_last_alive_at_its_last_sample(void **state)
{
	agent_comes_back(*state);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id ended_at"),
			    "a @10\nb @1\nc -\nd @1\n");
}

static void a_record_that_says_more_than_the_samples_holds(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_execution(&made, 1, "", "bwa", 0, -1)->figures->user_ns = 5 * SECOND;
	made_sample(&made, 1, "", 0, 5)->figures->user_ns = 2 * SECOND;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "run", "run=run", "user_ns"), "5000000000\n");
	made_init(&made, 2);
	made_sample(&made, 1, "", 5, 10)->figures->user_ns = 4 * SECOND;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "run", "run=run", "user_ns"), "6000000000\n");
}

/* No agent ran from 10 to 50 s: what was used then is not used in the second in which it ended.
 */
static void what_nobody_watched_is_spread_over_the_time_that_nobody_watched(void **state)
{
	Signal__Execution *execution;
	struct made made;

	agent_comes_back(*state);
	made_init(&made, 61);
	execution = made_execution(&made, 3, "c", "bwa", 0, 60);
	execution->found = true;
	execution->figures->user_ns = 60 * SECOND;
	made_sample(&made, 3, "c", 50, 60)->figures->user_ns = 10 * SECOND;
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "samples", "run=run by=task interval_s=20", "at key user_ns"),
		"@0 a 4000000000\n@0 b 0\n@0 c 20000000000\n@0 d 1000000000\n"
		"@20 c 20000000000\n@40 c 20000000000\n");
}

/* CPU time that was used before an agent came is no burst while it runs, nor at its end. */
static void what_was_used_before_the_agent_came_is_spread_over_that_time(void **state)
{
	store_found(*state, 105, -1, 50);
	assert_string_equal(over_time(*state, 50),
			    "@0 24500000000\n@50 24500000000\n@100 1000000000\n");
	store_found(*state, 111, 110, 52);
	assert_string_equal(over_time(*state, 50),
			    "@0 25000000000\n@50 25000000000\n@100 2000000000\n");
}

/* More CPU time than the uncovered instant can hold was not used in it. */
static void what_does_not_fit_beside_the_samples_is_spread_over_the_whole_life(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	made_execution(&made, 1, "a", "bwa", 0, 10)->figures->user_ns = 10 * SECOND;
	made_sample(&made, 1, "a", 0, 9.999)->figures->user_ns = 8 * SECOND;
	lake_store(*state, &made);
	assert_string_equal(over_time(*state, 10), "@0 10000000000\n");
	assert_string_equal(over_time(*state, 5), "@0 5000400040\n@5 4999599960\n");
}

/* What an agent counts itself starts at 0 with the agent; samples of the agent before have the
 * rest.
 */
static void no_figure_of_what_was_found_again_shrinks_as_it_ends(void **state)
{
	Signal__Execution *execution;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_execution(&made, 1, "a", "curl", 0, -1);
	made_sample(&made, 1, "a", 0, 10)->figures->net_rx_bytes = 700;
	lake_store(*state, &made);
	made_init(&made, 61);
	made_run(&made, "run", 0, 60);
	execution = made_execution(&made, 1, "a", "curl", 0, 60);
	execution->found = true;
	execution->figures->net_rx_bytes = 50;
	made_sample(&made, 1, "a", 50, 60)->figures->net_rx_bytes = 50;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "run", "run=run", "net_rx_bytes rss_bytes"),
			    "750 0\n");
}

/* A file of an earlier version may hold anything: no number of buckets follows from it. */
static void a_life_of_years_has_10000_buckets_at_most(void **state)
{
	const char *rows;
	size_t count = 0;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	made_execution(&made, 1, "a", "bwa", 0, 20000000)->figures->user_ns = 5 * SECOND;
	made_sample(&made, 1, "a", 0, 20000000)->figures->user_ns = 4 * SECOND;
	lake_store(*state, &made);
	rows = lake_query(*state, "samples", "run=run by=run interval_s=1", "at");
	for (; *rows; rows++)
		count += *rows == '\n';
	assert_int_equal(count, 9000);
}

/* The clock of the host was a day ahead, and is set back. */
static void a_scan_by_a_clock_that_was_ahead_loses_nothing_that_runs(void **state)
{
	const int day_s = 86400;
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made.batch.created_at += day_s * S;
	scan(&made, day_s);
	lake_store(lake, &made);
	made_init(&made, 2);
	made_run(&made, "run", 0, -1);
	lake_store(lake, &made);
	made_init(&made, 3);
	scan(&made, 1);
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "runs", RUNS, "id status"), "run running\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, lake_setup, lake_teardown)
		TEST(a_lost_task_is_neither_failed_nor_fine),
		TEST(what_was_lost_used_what_its_samples_show),
		TEST(what_was_lost_was_last_alive_at_its_last_sample),
		TEST(a_record_that_says_more_than_the_samples_holds),
		TEST(what_nobody_watched_is_spread_over_the_time_that_nobody_watched),
		TEST(what_was_used_before_the_agent_came_is_spread_over_that_time),
		TEST(what_does_not_fit_beside_the_samples_is_spread_over_the_whole_life),
		TEST(no_figure_of_what_was_found_again_shrinks_as_it_ends),
		TEST(a_life_of_years_has_10000_buckets_at_most),
		TEST(a_scan_by_a_clock_that_was_ahead_loses_nothing_that_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
