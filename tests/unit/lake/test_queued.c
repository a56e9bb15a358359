/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

/* Tasks that an engine submitted to a scheduler: the agent reports them before they start. Only
 * reports of the last week are linked: seconds count from an hour ago. */

#define RUN   "11112222-0000-4000-8000-000000000001"
#define TASKS "run=" RUN " step= status= limit=10 cursor="

static double shift_s; /* from T0 to an hour ago */

static int setup(void **state)
{
	static struct lake lake;

	shift_s = (double)(time(NULL) - 3600) - (double)(T0 / S);
	lake_make(&lake);
	*state = &lake;
	return 0;
}

static int64_t at(int64_t seconds)
{
	return T0 + ((int64_t)shift_s + seconds) * S;
}

/* The run, and a task in it. */
static void tell(struct made *made, uint64_t sequence, char *status, double run_ended)
{
	Signal__Task *task;

	made_init(made, sequence);
	made->batch.created_at = at((int64_t)sequence);
	made_run(made, RUN, shift_s, run_ended < 0 ? -1 : shift_s + run_ended)->engine = "nextflow";
	task = made_task(made, "a", "ALIGN", 0, -1);
	task->run_id = RUN;
	task->name = "ALIGN (liver)";
	task->status = status;
	task->started_at = 0;
	task->queued_at = at(5);
}

static void what_waits_is_listed_and_is_the_task_that_begins(void **state)
{
	struct made made;

	tell(&made, 2, "queued", -1);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id status started_at wall_s"),
			    "a queued - -\n");
	assert_string_equal(lake_query(*state, "run", "run=" RUN, "tasks tasks_running"), "1 0\n");
	tell(&made, 4, "running", -1);
	made.batch.tasks[0]->started_at = at(9);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id status"), "a running\n");
	assert_string_not_equal(lake_query(*state, "tasks", TASKS, "queued_at"), "-\n");
}

static void when_its_run_has_ended_it_never_will(void **state)
{
	struct made made;

	tell(&made, 2, "queued", 50);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id status"), "");
	assert_string_equal(lake_query(*state, "run", "run=" RUN, "tasks"), "0\n");
}

/* One that began where another agent is. */
static void what_began_on_another_host_is_queued_no_more(void **state)
{
	static char *const folders[] = { "/work/ab/cdef", "/mnt/work/ab/cdef", "" };
	Signal__Task *task;
	struct made made;

	for (int by_folder = 1; by_folder >= 0; by_folder--) {
		uint64_t sequence = by_folder ? 2 : 4;

		tell(&made, sequence, "queued", -1);
		made.batch.tasks[0]->folder = by_folder ? folders[0] : folders[2];
		if (!by_folder)
			made.batch.tasks[0]->task_id = "c";
		lake_store(*state, &made);
		made_init(&made, sequence);
		made.batch.host_id = "node";
		made.batch.agent_id = "node-agent";
		task = made_task(&made, by_folder ? "b" : "d", "ALIGN", shift_s + 15, shift_s + 25);
		task->run_id = RUN;
		task->folder = by_folder ? folders[1] : folders[2];
		lake_store(*state, &made);
	}
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id status queued_s"),
			    "b succeeded 10\nd succeeded -\n");
	assert_string_equal(lake_query(*state, "run", "run=" RUN, "tasks tasks_running"), "2 0\n");
}

/* Three waits of ten seconds each. */
static void what_it_waited_for_is_what_its_host_lacked(void **state)
{
	static const struct {
		char *id;
		double cpus;
		uint64_t memory, available, idle_ns;
	} waits[] = {
		{ "busy", 0, 0, 900, 9 * S },     { "wide", 4, 0, 900, 39 * S },
		{ "large", 0, 500, 400, 39 * S }, { "full", 0, 0, 90, 39 * S },
		{ "held", 4, 500, 900, 41 * S },
	};
	struct made made;

	made_init(&made, 2);
	made_run(&made, RUN, shift_s, -1);
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		Signal__HostSample *sample = made_add(&made, "host_samples");
		Signal__Task *task = made_task(&made, waits[i].id, "ALIGN", 0, -1);

		task->run_id = RUN;
		task->queued_at = at((int64_t)i * 10);
		task->started_at = at((int64_t)i * 10 + 10);
		task->cpus_requested = waits[i].cpus;
		task->memory_requested_bytes = waits[i].memory;
		sample->since_at = task->queued_at;
		sample->until_at = task->started_at;
		sample->cpu_idle_ns = waits[i].idle_ns;
		sample->memory_available_bytes = waits[i].available;
		sample->memory_used_bytes = 1000 - waits[i].available;
	}
	made_task(&made, "unseen", "ALIGN", 0, -1)->run_id = RUN;
	made.batch.tasks[made.batch.n_tasks - 1]->queued_at = at(100);
	made.batch.tasks[made.batch.n_tasks - 1]->started_at = at(110);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id queued_s queued_for"),
			    "busy 10 cores\nwide 10 cores\nlarge 10 memory\nfull 10 memory\n"
			    "held 10 executor\nunseen 10 -\n");
}

/* Two at a time, on a host of four cores, then as many as it has cores; it is idle. */
static void who_runs_as_many_as_it_may_waits_for_none_but_itself(void **state)
{
	static const char *const ids[] = { "a", "b", "c", "d", "e" };
	struct made made;

	for (uint64_t limit = 2; limit <= 8; limit += 6) {
		Signal__HostSample *sample;
		Signal__Task *task;

		made_init(&made, limit);
		made_run(&made, RUN, shift_s, -1)->task_limit = (uint32_t)limit;
		((Signal__Host *)made_add(&made, "hosts"))->cpus = 4;
		for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
			task = made_task(&made, ids[i], "ALIGN", shift_s + (double)(i / limit) * 10,
					 shift_s + (double)(i / limit) * 10 + 10);
			task->run_id = RUN;
			task->queued_at = at(0);
		}
		sample = made_add(&made, "host_samples");
		sample->since_at = at(0);
		sample->until_at = at(30);
		sample->cpu_idle_ns = 120 * S;
		sample->memory_available_bytes = 100;
		lake_store(*state, &made);
		assert_string_equal(lake_query(*state, "tasks", TASKS, "id queued_s queued_for"),
				    limit == 2 ? "a 0 executor\nb 0 executor\nc 10 executor\n"
						 "d 10 executor\ne 20 executor\n"
					       : "a 0 cores\nb 0 cores\nc 0 cores\n"
						 "d 0 cores\ne 0 cores\n");
	}
}

static void an_agent_that_came_again_does_not_forget_it(void **state)
{
	struct made made;

	tell(&made, 2, "queued", -1);
	lake_store(*state, &made);
	tell(&made, 4, "running", -1);
	made.batch.tasks[0]->started_at = at(9);
	made.batch.tasks[0]->queued_at = 0;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id status queued_s"),
			    "a running 4\n");
}

/* The engine reports two waiting tasks, the first with that folder. */
static void engine_reports(struct lake *lake, char *folder)
{
	Signal__ToldTask *report;
	struct made made;

	made_init(&made, 3);
	made.batch.created_at = at(3);
	((Signal__ToldRun *)made_add(&made, "told_runs"))->told_id = "report";
	made.batch.told_runs[0]->engine = "nextflow";
	made.batch.told_runs[0]->cwd = "/data";
	made.batch.told_runs[0]->said_by = "weblog";
	made.batch.told_runs[0]->begun_at = at(2);
	for (int i = 0; i < 2; i++) {
		report = made_add(&made, "told_tasks");
		report->told_id = "report";
		report->task = i ? "2" : "1";
		report->status = "queued";
		report->name = i ? "ALIGN (heart)" : "ALIGN (liver)";
		report->workdir = i ? "" : folder;
	}
	lake_store(lake, &made);
	assert_int_equal(store_link(lake->store, NULL), 0);
}

/* A task that both report is one task. */
static void a_task_that_the_engine_reports_too_is_not_another(void **state)
{
	struct made made;

	tell(&made, 2, "queued", -1);
	made.batch.runs[0]->cwd = "/data";
	lake_store(*state, &made);
	engine_reports(*state, "");
	assert_string_equal(lake_query(*state, "tasks", TASKS, "name"),
			    "ALIGN (heart)\nALIGN (liver)\n");
}

static void what_was_only_prepared_has_the_name_that_its_engine_reports(void **state)
{
	struct made made;

	tell(&made, 2, "queued", -1);
	made.batch.tasks[0]->name = "";
	made.batch.tasks[0]->folder = "/data/work/ab/cdef";
	lake_store(*state, &made);
	engine_reports(*state, "/data/work/ab/cdef");
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id name status"),
			    "told/report/2 ALIGN (heart) queued\na ALIGN (liver) queued\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(what_waits_is_listed_and_is_the_task_that_begins),
		TEST(when_its_run_has_ended_it_never_will),
		TEST(what_began_on_another_host_is_queued_no_more),
		TEST(what_it_waited_for_is_what_its_host_lacked),
		TEST(who_runs_as_many_as_it_may_waits_for_none_but_itself),
		TEST(an_agent_that_came_again_does_not_forget_it),
		TEST(a_task_that_the_engine_reports_too_is_not_another),
		TEST(what_was_only_prepared_has_the_name_that_its_engine_reports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
