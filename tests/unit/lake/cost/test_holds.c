/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"
#include "lake/store/settle/store_settle.h"

/* What runs held of their hosts. */

#define GIB UINT64_C(1073741824)

static const char *ask(struct lake *lake, const char *columns)
{
	return lake_query(lake, "holds", "since_at= until_at= part= parts=", columns);
}

static Signal__Run *add_run(struct made *made, const char *engine, double end)
{
	Signal__Run *run = made_run(made, "run", 0, end);

	run->engine = (char *)(uintptr_t)engine;
	run->pid = 1;
	run->start_ns = 1000;
	return run;
}

static Signal__Execution *add(struct made *made, uint32_t pid, const char *task, const char *tool,
			      double begin, double end, double cpu, uint64_t bytes)
{
	Signal__Execution *execution = made_execution(made, pid, task, tool, begin, end);

	execution->figures->user_ns = (uint64_t)(cpu * 1e9);
	execution->figures->rss_peak_bytes = bytes;
	return execution;
}

static void sample(struct made *made, uint32_t pid, const char *task, double since, double until,
		   double cpu, uint64_t bytes)
{
	Signal__Sample *taken = made_sample(made, pid, task, since, until);

	taken->figures->kernel_ns = (uint64_t)(cpu * 1e9);
	taken->figures->rss_bytes = bytes;
}

/* The task's own times are wider than those of its processes: 1 GiB for 60 of 100 s, 2 for 30. */
static void task_holds_from_its_begin_to_its_end(void **state)
{
	Signal__Task *task;
	struct made made;

	made_init(&made, 1);
	add_run(&made, "snakemake", 200);
	task = made_task(&made, "t", "map", 10, 110);
	task->name = "map A";
	task->sample = "A";
	task->cpus_requested = 4;
	task->memory_requested_bytes = 8 * GIB;
	add(&made, 2, "t", "bwa", 20, 80, 50, GIB);
	add(&made, 3, "t", "sort", 70, 100, 20, 2 * GIB);
	add(&made, 4, "t", "bwa", 30, 30, 0, 0);
	lake_store(*state, &made);
	assert_string_equal(
		ask(*state, "run_id host_id task_id step name sample since_at until_at cpu_ns "
			    "cpus_requested memory_bytes memory_requested_bytes gpus input_bytes"),
		"run host t map map A A @10 @110 70000000000 4 1288490189 8589934592 0 -\n");
	assert_string_equal(ask(*state, "tools"), "50000000000\tbwa\n20000000000\tsort\n");
}

static void task_without_requests_holds_what_it_used(void **state)
{
	struct made made;

	made_init(&made, 1);
	add_run(&made, "snakemake", 200);
	made_task(&made, "t", "map", 10, 20);
	add(&made, 2, "t", "bwa", 10, 20, 5, GIB);
	lake_store(*state, &made);
	assert_string_equal(ask(*state, "cpus_requested memory_requested_bytes cpu_ns memory_bytes "
					"container pod"),
			    "0 0 5000000000 1073741824 - -\n");
}

/* Its request is of the host that it was started on. */
static void task_on_two_hosts_holds_of_both(void **state)
{
	struct made made;
	Signal__Task *task;

	made_init(&made, 1);
	add_run(&made, "snakemake", 200);
	task = made_task(&made, "t", "map", 10, 20);
	task->cpus_requested = 2;
	add(&made, 2, "t", "mpi", 10, 20, 5, GIB);
	lake_store(*state, &made);
	made_init(&made, 2);
	made.batch.host_id = "other";
	made.batch.agent_id = "another";
	add(&made, 2, "t", "mpi", 12, 18, 6, GIB);
	lake_store(*state, &made);
	assert_string_equal(
		ask(*state, "host_id task_id step since_at until_at cpu_ns cpus_requested"),
		"host t map @10 @20 5000000000 2\n"
		"other t map @12 @18 6000000000 0\n");
}

static void container_and_pod_are_told_by_name_else_by_id(void **state)
{
	static const char *const wanted[] = { "c1 id-of-pod\n", "n1 pod-1\n" };

	for (uint64_t i = 0; i < 2; i++) {
		Signal__Container *container;
		struct made made;

		made_init(&made, i + 1);
		container = made_add(&made, "containers");
		container->cgroup_id = 7;
		container->path = "/pod/c1";
		container->container_id = "c1";
		container->pod = "id-of-pod";
		if (i) {
			container->name = "n1";
			container->pod_name = "pod-1";
		} else {
			add_run(&made, "nextflow", 200);
			made_task(&made, "t", "map", 10, 20);
			add(&made, 2, "t", "bwa", 10, 20, 5, GIB)->cgroup_id = 7;
			add(&made, 3, "t", "sh", 10, 20, 5, GIB)->cgroup_id = 8;
		}
		lake_store(*state, &made);
		assert_string_equal(ask(*state, "container pod"), wanted[i]);
		assert_string_equal(ask(*state, "cpu_ns"), "10000000000\n");
	}
}

static void gpus_are_those_that_it_kept_busy_and_at_least_one(void **state)
{
	static const char *const tasks[] = { "none", "some", "two" };
	struct made made;

	made_init(&made, 1);
	add_run(&made, "snakemake", 200);
	for (uint32_t i = 0; i < 3; i++) {
		Signal__Execution *execution;

		made_task(&made, tasks[i], "train", 10 + i, 20 + i);
		execution = add(&made, 2 + i, tasks[i], "python", 10 + i, 20 + i, 1, GIB);
		execution->figures->gpu_memory_peak_bytes = i ? GIB : 0;
		execution->figures->gpu_busy_ns = i == 2 ? 15 * S : 0;
	}
	lake_store(*state, &made);
	assert_string_equal(ask(*state, "task_id gpus gpu_busy_ns"), "none 0 0\n"
								     "some 1 0\n"
								     "two 2 15000000000\n");
}

/* An engine with samples of ten seconds: in the first minute it used 1 s of 60, in the second
 * 0.3 s, then 1.5 s. */
static void engine_holds_minutes_in_which_it_worked(void **state)
{
	struct made made;

	made_init(&made, 1);
	add_run(&made, "snakemake", 200);
	add(&made, 1, "", "snakemake", 0, 200, 3, 2 * GIB);
	for (unsigned i = 0; i < 6; i++) {
		sample(&made, 1, "", 10.0 * i, 10.0 * i + 10, i ? 0.18 : 0.1, GIB);
		sample(&made, 1, "", 60 + 10.0 * i, 70 + 10.0 * i, 0.05, GIB);
		sample(&made, 1, "", 120 + 10.0 * i, 130 + 10.0 * i, 0.25, (i % 2 + 1) * GIB);
	}
	lake_store(*state, &made);
	assert_string_equal(ask(*state, "task_id since_at until_at cpu_ns memory_bytes"),
			    " @0 @60 1000000000 1073741824\n"
			    " @60 @60 300000000 0\n"
			    " @120 @180 1500000000 1610612736\n");
}

static void shell_that_waits_holds_nothing(void **state)
{
	struct made made;

	made_init(&made, 1);
	add_run(&made, "session", -1);
	add(&made, 1, "", "bash", 0, -1, 0, GIB);
	for (unsigned i = 0; i < 60; i++)
		sample(&made, 1, "", 60.0 * i, 60.0 * i + 60, 0.1, GIB);
	lake_store(*state, &made);
	assert_string_equal(ask(*state, "task_id since_at until_at cpu_ns memory_bytes gpus tools"),
			    " @0 @0 6000000000 0 0 6000000000\tbash\n");
}

/* The kernel is a task of its session; what it starts is another one. */
static void kernel_of_a_notebook_that_waits_holds_nothing(void **state)
{
	Signal__Task *kernel;
	struct made made;

	made_init(&made, 1);
	add_run(&made, "session", 4000);
	kernel = made_task(&made, "kernel", "kernel", 0, 4000);
	kernel->pid = 1;
	kernel->start_ns = 1000;
	add(&made, 1, "kernel", "python", 0, 4000, 30, 4 * GIB);
	for (unsigned i = 0; i < 60; i++)
		sample(&made, 1, "kernel", 60.0 * i, 60.0 * i + 60, i == 30 ? 30 : 0, 3 * GIB);
	made_task(&made, "cell", "cell", 1800, 1900);
	add(&made, 2, "cell", "bwa", 1800, 1900, 90, GIB);
	lake_store(*state, &made);
	assert_string_equal(ask(*state, "task_id since_at until_at cpu_ns memory_bytes"),
			    " @0 @0 0 0\n"
			    " @1800 @1860 30000000000 3221225472\n"
			    "cell @1800 @1900 90000000000 1073741824\n");
}

/* Many short programs of an engine, without samples: of a minute together. */
static void short_programs_of_an_engine_hold_their_minute(void **state)
{
	struct made made;

	made_init(&made, 1);
	add_run(&made, "make", 200);
	for (uint32_t i = 0; i < 20; i++)
		add(&made, 10 + i, "", i % 2 ? "gcc" : "sh", 2 * i, 2 * i + 1, 0.5, GIB);
	add(&made, 50, "", "sleep", 70, 130, 0.001, GIB);
	lake_store(*state, &made);
	assert_string_equal(ask(*state, "since_at until_at cpu_ns memory_bytes"),
			    "@0 @39 10000000000 550636833\n"
			    "@70 @70 1000000 0\n");
}

static void what_still_runs_holds_until_now_and_what_is_lost_until_it_was_seen(void **state)
{
	struct made made;
	Signal__Scan *scan;
	const char *now;

	made_init(&made, 1);
	add_run(&made, "snakemake", -1);
	made_task(&made, "t", "map", 10, -1);
	add(&made, 2, "t", "bwa", 10, -1, 0, 0);
	sample(&made, 2, "t", 10, 70, 30, GIB);
	lake_store(*state, &made);
	now = ask(*state, "since_at cpu_ns until_at");
	assert_non_null(strstr(now, "@10 30000000000 @"));
	assert_true(strtod(strrchr(now, '@') + 1, NULL) > 1e6);
	made_init(&made, 100);
	scan = made_add(&made, "scans");
	scan->scanned_at = T0 + 90 * S;
	lake_store(*state, &made);
	now = ask(*state, "since_at cpu_ns until_at");
	assert_non_null(strstr(now, "@10 30000000000 @"));
	assert_true(strtod(strrchr(now, '@') + 1, NULL) <= 100);
}

static void only_what_overlaps_the_time_is_told(void **state)
{
	static const char *const windows[][2] = {
		{ "since_at=@0 until_at=@10 part= parts=", "" },
		{ "since_at=@0 until_at=@11 part= parts=", "t\n" },
		{ "since_at=@19 until_at=@25 part= parts=", "t\n" },
		{ "since_at=@20 until_at=@25 part= parts=", "" },
		{ "since_at= until_at=@15 part= parts=", "t\n" },
		{ "since_at=@15 until_at= part= parts=", "t\n" },
	};
	struct made made;

	made_init(&made, 1);
	add_run(&made, "snakemake", 200);
	made_task(&made, "t", "map", 10, 20);
	add(&made, 2, "t", "bwa", 10, 20, 5, GIB);
	lake_store(*state, &made);
	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++)
		assert_string_equal(lake_query(*state, "holds", windows[i][0], "task_id"),
				    windows[i][1]);
	assert_string_equal(lake_query(*state, "hold_runs", "since_at= until_at=", "id engine"),
			    "run snakemake\n");
	assert_string_equal(lake_query(*state, "hold_runs", "since_at= until_at=@0", "id"), "");
}

/* As many answers as one asks for have each hold once. */
static void parts_have_all_holds(void **state)
{
	char names[40][8], params[64];
	size_t length = 0;
	struct made made;

	made_init(&made, 1);
	add_run(&made, "snakemake", 200);
	for (uint32_t i = 0; i < 40; i++) {
		snprintf(names[i], sizeof(names[i]), "t%u", i);
		made_task(&made, names[i], "map", 10, 20);
		add(&made, 2 + i, names[i], "bwa", 10, 20, 5, GIB);
	}
	lake_store(*state, &made);
	for (int part = 0; part < 3; part++) {
		const char *ids;

		snprintf(params, sizeof(params), "since_at= until_at= part=%d parts=3", part);
		ids = lake_query(*state, "holds", params, "task_id");
		assert_true(strlen(ids) > 0);
		length += strlen(ids);
	}
	assert_int_equal(length, strlen(ask(*state, "task_id")));
	assert_string_equal(lake_query(*state, "holds_count", "since_at= until_at=", "holds"),
			    "40\n");
}

static void settle(struct lake *lake)
{
	struct error err = { "" };
	bool done = false;

	if (store_settle(lake->store, "run", "sums", &done, &err) || !done)
		fail_msg("%s", error_text(&err));
}

#define ALL                                                                                  \
	"host_id task_id step sample container pod since_at until_at cpu_ns cpus_requested " \
	"memory_bytes memory_requested_bytes gpu_busy_ns gpus input_bytes tools"

static void settled_run_holds_the_same_until_something_comes_late(void **state)
{
	struct made made;
	char *before, *after;

	made_init(&made, 1);
	add_run(&made, "snakemake", 200);
	made_task(&made, "t", "map", 10, 110)->cpus_requested = 3;
	add(&made, 1, "", "snakemake", 0, 200, 5, GIB);
	sample(&made, 1, "", 0, 60, 4, GIB);
	sample(&made, 1, "", 60, 120, 0.1, GIB);
	add(&made, 2, "t", "bwa", 20, 80, 50, GIB)->figures->gpu_busy_ns = 70 * S;
	lake_store(*state, &made);
	before = strdup(ask(*state, ALL));
	settle(*state);
	assert_string_equal(ask(*state, ALL), before);
	assert_non_null(strstr(before, "host t map  - - @10 @110 50000000000 3 644245094 0"));
	made_init(&made, 2);
	add(&made, 3, "t", "sort", 100, 150, 7, GIB);
	lake_store(*state, &made);
	after = strdup(ask(*state, ALL));
	assert_non_null(strstr(after, " @10 @150 57000000000 3 "));
	settle(*state);
	assert_string_equal(ask(*state, ALL), after);
	free(before);
	free(after);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(task_holds_from_its_begin_to_its_end),
		TEST(task_without_requests_holds_what_it_used),
		TEST(task_on_two_hosts_holds_of_both),
		TEST(container_and_pod_are_told_by_name_else_by_id),
		TEST(gpus_are_those_that_it_kept_busy_and_at_least_one),
		TEST(engine_holds_minutes_in_which_it_worked),
		TEST(shell_that_waits_holds_nothing),
		TEST(kernel_of_a_notebook_that_waits_holds_nothing),
		TEST(short_programs_of_an_engine_hold_their_minute),
		TEST(what_still_runs_holds_until_now_and_what_is_lost_until_it_was_seen),
		TEST(only_what_overlaps_the_time_is_told),
		TEST(parts_have_all_holds),
		TEST(settled_run_holds_the_same_until_something_comes_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
