/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

/* What a task requested, as the agent saw it and as its engine reported it (docs/correlation.md,
 * Requests). Only reports of the last week are linked: these tests count their seconds from an hour
 * ago. */

#define RUN    "11112222-0000-4000-8000-000000000001"
#define TASKS  "run=" RUN " step= status= limit=10 cursor="
#define ASKED  "cpus_requested memory_requested_bytes requested_by"
#define FOLDER "/data/rnaseq"

static double shift_s; /* from T0 to an hour ago */

static int setup(void **state)
{
	static struct lake lake;

	shift_s = (double)(time(NULL) - 3600) - (double)(T0 / S);
	lake_make(&lake);
	*state = &lake;
	return 0;
}

static int teardown(void **state)
{
	lake_remove(*state);
	return 0;
}

static void begin(struct made *made, uint64_t sequence)
{
	made_init(made, sequence);
	made->batch.created_at += (int64_t)(shift_s * 1e9);
}

static void begin_run(struct made *made)
{
	Signal__ToldRun *report;

	begin(made, 2);
	made_run(made, RUN, shift_s, -1)->engine = "nextflow";
	report = made_add(made, "told_runs");
	report->told_id = "told";
	report->said_by = "weblog";
	report->engine = "nextflow";
}

static Signal__ToldTask *tell(struct made *made, char *id, char *status, char *folder)
{
	Signal__ToldTask *report = made_add(made, "told_tasks");

	report->told_id = "told";
	report->task = id;
	report->said_by = "weblog";
	report->status = status;
	report->workdir = folder;
	return report;
}

static Signal__Task *add_task(struct made *made, char *folder, uint32_t number)
{
	Signal__Task *task = made_task(made, folder, "ALIGN", shift_s + 5 + number, shift_s + 20);

	task->run_id = RUN;
	task->folder = folder;
	return task;
}

/* The request that the agent saw (and where), and the one that the engine reported: a row a task.
 */
static struct asked {
	double cpus;
	uint64_t bytes;
	char *by;
	double reported_cpus;
	uint64_t reported_bytes;
	char *folder;
} asked[] = {
	{ 0, 0, "", 2, 1073741824, FOLDER "/work/aa/0" },
	{ 0, 0, "", 1, 0, FOLDER "/work/aa/1" },
	{ 0, 0, "", 0, 0, FOLDER "/work/aa/2" },
	{ 4, 0, "nextflow", 2, 1073741824, FOLDER "/work/aa/3" },
	{ 4, 5000, "tracer run", 2, 1073741824, FOLDER "/work/aa/4" },
	{ 8, 5000, "cgroup", 2, 1073741824, FOLDER "/work/aa/5" },
	{ 8, 5000, "cgroup", 2, 0, FOLDER "/work/aa/6" },
	{ 8, 5000, "cgroup", 0, 0, FOLDER "/work/aa/7" },
};

static void ask_for(struct made *made, uint32_t i)
{
	Signal__Task *task = add_task(made, asked[i].folder, i);
	Signal__ToldTask *report = tell(made, asked[i].folder, "running", asked[i].folder);

	task->cpus_requested = asked[i].cpus;
	task->memory_requested_bytes = asked[i].bytes;
	task->requested_by = asked[i].by;
	report->cpus_requested = asked[i].reported_cpus;
	report->memory_requested_bytes = asked[i].reported_bytes;
}

static void what_was_asked_is_the_scripts_then_the_engines_then_the_cgroups(void **state)
{
	struct made made;

	begin_run(&made);
	for (uint32_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		ask_for(&made, i);
	lake_store(*state, &made);
	assert_int_equal(store_link(((struct lake *)*state)->store, NULL), 0);
	assert_string_equal(lake_query(*state, "tasks", TASKS, ASKED), "2 1073741824 nextflow\n"
								       "1 - nextflow\n"
								       "- - -\n"
								       "4 1073741824 nextflow\n"
								       "4 5000 tracer run\n"
								       "2 1073741824 nextflow\n"
								       "2 5000 nextflow\n"
								       "8 5000 cgroup\n");
}

static void a_request_stays_where_a_later_report_lacks_it(void **state)
{
	struct made made;
	Signal__ToldTask *report;

	begin_run(&made);
	add_task(&made, FOLDER "/work/ab/cd", 0);
	report = tell(&made, "1", "running", FOLDER "/work/ab/cd");
	report->cpus_requested = 2;
	report->memory_requested_bytes = 1073741824;
	lake_store(*state, &made);
	begin(&made, 5);
	tell(&made, "1", "ended", "");
	lake_store(*state, &made);
	assert_int_equal(store_link(((struct lake *)*state)->store, NULL), 0);
	assert_string_equal(lake_query(*state, "tasks", TASKS, ASKED), "2 1073741824 nextflow\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(what_was_asked_is_the_scripts_then_the_engines_then_the_cgroups),
		TEST(a_request_stays_where_a_later_report_lacks_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
