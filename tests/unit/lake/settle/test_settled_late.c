/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixture_store.h"

#include "lake/store/settle/store_settle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* What arrives late about a settled run: the run is settled no more in the transaction that stores
 * it, so that its pages show it. */

#define CHILD   "child"
#define MACHINE 77 /* a control group */

/* A run that ended, with a task in a control group, and a second run that was started in it. */
static void store_run(struct lake *lake)
{
	Signal__Container *container;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 100)->engine = "nextflow";
	made_run(&made, CHILD, 1, 90)->parent_run_id = "run";
	made_run(&made, "other", 0, 50);
	made_task(&made, "a", "map", 1, 50)->cgroup_id = MACHINE;
	made_execution(&made, 1, "a", "bwa", 1, 50)->cgroup_id = MACHINE;
	container = made_add(&made, "containers");
	container->cgroup_id = MACHINE;
	container->path = "/docker/1";
	lake_store(lake, &made);
}

static void settle(struct lake *lake, const char *run)
{
	struct error err = { "" };
	bool done;

	if (store_settle(lake->store, run, "sums", &done, &err) ||
	    store_settle(lake->store, run, "series", &done, &err))
		fail_msg("%s: %s", run, error_text(&err));
	assert_true(done);
}

/* Their ids, a line each. */
static const char *settled(struct lake *lake)
{
	return lake_query(lake, "settled_runs", "cursor= limit=10", "run_id");
}

static void late_run(struct made *made)
{
	made_run(made, "run", 0, 120);
}

static void late_task(struct made *made)
{
	made_task(made, "b", "map", 1, 60);
}

static void late_execution(struct made *made)
{
	made_execution(made, 2, "a", "samtools", 2, 60);
}

static void late_sample(struct made *made)
{
	made_sample(made, 1, "a", 1, 2);
}

static void late_event(struct made *made)
{
	Signal__Event *event = made_add(made, "events");

	event->run_id = "run";
	event->kind = "killed";
}

static void late_file(struct made *made)
{
	Signal__File *file = made_add(made, "files");

	file->run_id = "run";
	file->kind = "file";
	file->moved_bytes = 5;
}

static void late_container(struct made *made)
{
	Signal__Container *container = made_add(made, "containers");

	container->cgroup_id = MACHINE;
	container->path = "/docker/1";
	container->container_id = "abc";
}

static const struct late {
	const char *name;
	void (*make)(struct made *made);
	const char *query, *params, *columns, *answer;
} LATE[] = {
	{ "run", late_run, "run", "run=run", "ended_at wall_s", "@120 120\n" },
	{ "task", late_task, "steps", "run=run", "name tasks", "map 2\n" },
	{ "execution", late_execution, "tools", "run=run all=", "name executions",
	  "bwa 1\nsamtools 1\n" },
	{ "sample", late_sample, "samples", "run=run by=run interval_s=1000000", "key", "run\n" },
	{ "event", late_event, "events", "run=run limit=9", "kind", "killed\n" },
	{ "file", late_file, "run", "run=run", "file_bytes", "5\n" },
	{ "container", late_container, "tasks", "run=run step= status= cursor= limit=9",
	  "id container", "a abc\nb -\n" },
};

static void each_kind_of_record_that_is_late_is_shown(void **state)
{
	struct lake *lake = *state;

	store_run(lake);
	settle(lake, "other");
	for (size_t i = 0; i < sizeof(LATE) / sizeof(LATE[0]); i++) {
		const struct late *late = &LATE[i];
		struct made made;

		settle(lake, "run");
		assert_string_equal(settled(lake), "other\nrun\n");
		if (i == 0) { /* which are settled is read when the store is opened */
			lake_close(lake);
			lake_open(lake);
		}
		made_init(&made, 2 + i);
		late->make(&made);
		lake_store(lake, &made);
		if (strcmp(settled(lake), "other\n") != 0)
			fail_msg("a late %s leaves the run settled", late->name);
		assert_string_equal(lake_query(lake, late->query, late->params, late->columns),
				    late->answer);
	}
}

static void store_node(struct lake *lake, const char *host, uint64_t sequence, const char *run)
{
	struct made made;
	Signal__Link *link;

	made_init(&made, sequence);
	made.batch.agent_id = made.batch.host_id = (char *)(uintptr_t)host;
	made_run(&made, run, (double)sequence, 100)->engine = "argo";
	made_task(&made, run, "step", (double)sequence, 90)->run_id = (char *)(uintptr_t)run;
	link = made_add(&made, "links");
	link->run_id = (char *)(uintptr_t)run;
	link->kind = "workflow";
	link->value = "one";
	link->lead = true;
	lake_store(lake, &made);
}

static void two_settled_runs_that_become_one_are_settled_no_more(void **state)
{
	struct lake *lake = *state;
	struct made made;

	store_node(lake, "b", 2, "second");
	made_init(&made, 3);
	made_run(&made, CHILD, 3, 90)->parent_run_id = "second";
	lake_store(lake, &made);
	settle(lake, "second");
	settle(lake, CHILD);
	store_node(lake, "a", 1, "first"); /* `second` is a part of it */
	assert_string_equal(settled(lake), "");
	assert_string_equal(lake_query(lake, "run", "run=first", "tasks"), "2\n");
	assert_string_equal(lake_query(lake, "run", "run=" CHILD, "parent_run"), "first\n");
	settle(lake, "first");
	store_node(lake, "b", 3, "second"); /* a record of the part */
	assert_string_equal(settled(lake), "");
}

/* Reports older than a week are not looked for. */
static void what_an_engine_reports_late_is_shown(void **state)
{
	double ago = (double)time(NULL) - 600 - (double)(T0 / S);
	static const char tasks[] = "run=run step= status= cursor= limit=9";
	struct lake *lake = *state;
	Signal__ToldTask *report;
	struct made made;

	made_init(&made, 1);
	made.batch.created_at = T0 + (int64_t)ago * S;
	made_run(&made, "run", ago, ago + 9)->engine = "nextflow";
	made_task(&made, "a", "map", ago, ago + 5)->folder = "/work/ab/cdef";
	lake_store(lake, &made);
	settle(lake, "run");
	for (uint64_t i = 0; i < 2; i++) {
		made_init(&made, 2 + i);
		made.batch.created_at = T0 + (int64_t)ago * S;
		((Signal__ToldRun *)made_add(&made, "told_runs"))->told_id = "report";
		report = made_add(&made, "told_tasks");
		report->told_id = "report";
		report->task = "1";
		report->name = i ? "MAP (kidney)" : "MAP (liver)";
		report->workdir = "/work/ab/cdef";
		lake_store(lake, &made);
		if (i == 0) { /* nothing says yet of which run it is */
			assert_string_equal(settled(lake), "run\n");
			assert_int_equal(store_link(lake->store, NULL), 0);
		}
		assert_string_equal(settled(lake), "");
		assert_string_equal(lake_query(lake, "tasks", tasks, "name"),
				    i ? "MAP (kidney)\n" : "MAP (liver)\n");
		settle(lake, "run");
		assert_string_equal(lake_query(lake, "tasks", tasks, "name"),
				    i ? "MAP (kidney)\n" : "MAP (liver)\n");
	}
	assert_int_equal(store_link(lake->store, NULL), 0);
	assert_string_equal(settled(lake), "run\n");
}

static void a_batch_that_is_refused_leaves_runs_settled(void **state)
{
	struct lake *lake = *state;
	bool duplicate;
	struct made made;

	store_run(lake);
	settle(lake, "run");
	made_init(&made, 1); /* stored already */
	late_task(&made);
	assert_int_equal(store_ingest(lake->store, &made.batch, &duplicate, NULL), 0);
	assert_true(duplicate);
	assert_string_equal(settled(lake), "run\n");
	made_clear(&made);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(each_kind_of_record_that_is_late_is_shown),
		TEST(two_settled_runs_that_become_one_are_settled_no_more),
		TEST(what_an_engine_reports_late_is_shown),
		TEST(a_batch_that_is_refused_leaves_runs_settled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
