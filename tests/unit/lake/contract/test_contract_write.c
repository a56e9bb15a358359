/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "contract.h"

/* What a store writes: each batch once, each key once, what belongs together under one id. */

#define TASKS "run=run step= status= limit=100 cursor="

static int store(struct lake *lake, const struct made *made, bool *ret_duplicate)
{
	return store_ingest(lake->store, &made->batch, ret_duplicate, NULL);
}

static void reopen(struct lake *lake)
{
	lake_close(lake);
	lake_open(lake);
}

static void an_unknown_engine_is_refused(void **state)
{
	struct lake *lake = *state;
	struct store_options options = { .engine = "papyrus", .path = lake->path };
	struct store *opened = NULL;
	struct error err = { 0 };

	assert_int_equal(store_open(&opened, &options, &err), -EINVAL);
	assert_non_null(strstr(error_text(&err), "papyrus"));
	assert_null(opened);
}

static void a_stored_batch_is_there_after_the_store_is_opened_again(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	made_task(&made, "a", "map", 1, 5);
	made_execution(&made, 1, "a", "bwa", 1, 5)->figures->user_ns = 7;
	lake_store(*state, &made);
	reopen(*state);
	assert_string_equal(lake_query(*state, "run", "run=run", "status tasks executions user_ns"),
			    "succeeded 1 1 7\n");
}

static void a_batch_is_stored_once(void **state)
{
	struct made made;
	bool duplicate = true;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_add(&made, "losses");
	assert_int_equal(store(*state, &made, &duplicate), 0);
	assert_false(duplicate);
	assert_int_equal(store(*state, &made, &duplicate), 0);
	assert_true(duplicate);
	reopen(*state);
	assert_int_equal(store(*state, &made, &duplicate), 0);
	assert_true(duplicate);
	made.batch.boot_id = "another boot";
	assert_int_equal(store(*state, &made, &duplicate), 0);
	assert_false(duplicate);
	assert_string_equal(lake_query(*state, "metrics", "", "runs batches"), "1 2\n");
	made_clear(&made);
}

static void a_batch_without_a_key_is_refused(void **state)
{
	struct made made;
	bool duplicate;

	made_init(&made, 0);
	made_run(&made, "run", 0, -1);
	assert_int_equal(store(*state, &made, &duplicate), -EPROTO);
	made.batch.sequence = 1;
	made.batch.agent_id = "";
	assert_int_equal(store(*state, &made, &duplicate), -EPROTO);
	assert_string_equal(lake_query(*state, "metrics", "", "runs batches"), "0 0\n");
	made_clear(&made);
}

static void store_task(struct lake *lake, uint64_t sequence, double end)
{
	struct made made;

	made_init(&made, sequence);
	made_run(&made, "run", 0, -1);
	made_task(&made, "a", "map", 1, end);
	lake_store(lake, &made);
}

static void of_two_records_with_one_key_the_later_batch_wins(void **state)
{
	store_task(*state, 2, 5);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id ended_at"), "a @5\n");
	store_task(*state, 1, -1); /* comes late */
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id ended_at"), "a @5\n");
	store_task(*state, 3, 6);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id ended_at"), "a @6\n");
}

static void of_two_records_with_one_key_in_a_batch_the_last_wins(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_task(&made, "a", "map", 1, 5);
	made_task(&made, "a", "reduce", 1, 6);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id step"), "a reduce\n");
}

static void what_runs_but_was_not_found_by_a_scan_is_lost(void **state)
{
	struct made made;
	Signal__Scan *scan;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_task(&made, "gone", "map", 1, -1);
	made_execution(&made, 1, "gone", "bwa", 1, -1);
	lake_store(*state, &made);
	made_init(&made, 10);
	scan = made_add(&made, "scans");
	scan->scanned_at = T0 + 9 * S;
	made_run(&made, "run", 0, -1);
	made_task(&made, "there", "map", 2, -1);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id status"),
			    "gone lost\nthere running\n");
	assert_string_equal(lake_query(*state, "run", "run=run", "status"), "running\n");
}

static void store_node(struct lake *lake, const char *host, uint64_t sequence, const char *run,
		       const char *task)
{
	struct made made;
	Signal__Link *link;

	made_init(&made, sequence);
	made.batch.agent_id = made.batch.host_id = (char *)(uintptr_t)host;
	made_run(&made, run, (double)sequence, -1)->engine = "argo";
	made_task(&made, task, "step", (double)sequence, -1)->run_id = (char *)(uintptr_t)run;
	link = made_add(&made, "links");
	link->run_id = (char *)(uintptr_t)run;
	link->kind = "workflow";
	link->value = "one";
	link->lead = true;
	lake_store(lake, &made);
}

/* Joined when the second comes; what comes of it later, and after a restart, as well. */
static void runs_that_belong_together_are_one(void **state)
{
	static const char all[] = "run=first step= status= limit=100 cursor=";

	store_node(*state, "b", 2, "second", "t2");
	store_node(*state, "a", 1, "first", "t1");
	assert_string_equal(lake_query(*state, "tasks", all, "id"), "t1\nt2\n");
	store_node(*state, "b", 3, "second", "t3");
	reopen(*state);
	store_node(*state, "b", 4, "second", "t4");
	assert_string_equal(lake_query(*state, "tasks", all, "id"), "t1\nt2\nt3\nt4\n");
	assert_string_equal(lake_query(*state, "parts", "run=first", "id reason"),
			    "first -\nsecond workflow\n");
	assert_string_equal(lake_query(*state, "merged_runs", "cursor= limit=10", "part_id run_id"),
			    "second first\n");
}

/* Reports older than a week are not looked for. */
static void what_an_engine_reports_is_found_among_what_agents_saw(void **state)
{
	double ago = (double)time(NULL) - 600 - (double)(T0 / S);
	struct lake *lake = *state;
	Signal__ToldTask *report;
	Signal__ToldRun *run;
	struct made made;

	made_init(&made, 1);
	made.batch.created_at = T0 + (int64_t)ago * S;
	made_run(&made, "run", ago, -1)->engine = "nextflow";
	made_task(&made, "a", "map", ago, -1)->folder = "/work/ab/cdef";
	lake_store(lake, &made);
	made_init(&made, 2);
	made.batch.created_at = T0 + (int64_t)ago * S;
	run = made_add(&made, "told_runs");
	run->told_id = "report";
	run->said_by = "weblog";
	run->engine = "nextflow";
	report = made_add(&made, "told_tasks");
	report->told_id = "report";
	report->task = "1";
	report->name = "MAP (liver)";
	report->status = "running";
	report->workdir = "/work/ab/cdef";
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "tasks", TASKS, "id name"), "a \n");
	assert_int_equal(store_link(lake->store, NULL), 0);
	assert_string_equal(lake_query(lake, "tasks", TASKS, "id name"), "a MAP (liver)\n");
}

static void a_stopped_store_still_stores_a_batch(void **state)
{
	struct lake *lake = *state;
	Signal__Host *host;
	struct made made;

	store_stop(lake->store);
	made_init(&made, 1);
	host = made_add(&made, "hosts");
	host->hostname = "node";
	made_run(&made, "run", 0, 10);
	lake_store(lake, &made);
	reopen(lake);
	assert_string_equal(lake_query(lake, "run", "run=run", "id"), "run\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONTRACT_TEST(an_unknown_engine_is_refused),
		CONTRACT_TEST(a_stored_batch_is_there_after_the_store_is_opened_again),
		CONTRACT_TEST(a_batch_is_stored_once),
		CONTRACT_TEST(a_batch_without_a_key_is_refused),
		CONTRACT_TEST(of_two_records_with_one_key_the_later_batch_wins),
		CONTRACT_TEST(of_two_records_with_one_key_in_a_batch_the_last_wins),
		CONTRACT_TEST(what_runs_but_was_not_found_by_a_scan_is_lost),
		CONTRACT_TEST(runs_that_belong_together_are_one),
		CONTRACT_TEST(what_an_engine_reports_is_found_among_what_agents_saw),
		CONTRACT_TEST(a_stopped_store_still_stores_a_batch),
	};

	return CONTRACT_RUN(tests, NULL, NULL);
}
