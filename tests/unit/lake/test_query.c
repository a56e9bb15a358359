/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include "signal/figures.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define RUNS      "status= pipeline= sort= limit=10 cursor="
#define TASKS     "run=run step= status= limit=10 cursor="
#define PROCESSES "run=run task= tool= status= limit=10 cursor="

/*
 * One run, 0 to 20 s, of two steps. Its figures are small numbers that can be added by head.
 *
 *     engine        snakemake        0-20   1 ns
 *     a   map       bwa | samtools   2-8    10 + 20 ns
 *     b   map       bwa              8-18   40 ns, failed
 *     c   call      bcftools         18-    running: 5 ns in its record, 80 by its samples
 */
static int setup(void **state)
{
	static struct lake lake;
	Signal__Execution *execution;
	Signal__Figures *figures;
	Signal__Host *host;
	Signal__Run *run;
	Signal__Task *task;
	Signal__Loss *loss;
	struct made made;

	lake_make(&lake);
	made_init(&made, 1);
	host = made_add(&made, "hosts");
	host->hostname = "node";
	host->cpus = 4;
	run = made_run(&made, "run", 0, -1);
	run->name = "demo";
	run->pipeline = "calling";
	made_task(&made, "a", "map", 2, 8);
	task = made_task(&made, "b", "map", 8, 18);
	task->status = "failed";
	task->exit_code = 3;
	made_task(&made, "c", "call", 18, -1)->memory_requested_bytes = 1000;
	made_execution(&made, 1, "", "snakemake", 0, -1)->figures->user_ns = 1;
	figures = made_execution(&made, 2, "a", "bwa", 2, 8)->figures;
	figures->user_ns = 10;
	figures->rss_peak_bytes = 100;
	figures->threads_peak = 2;
	figures = made_execution(&made, 3, "a", "samtools sort", 3, 7)->figures;
	figures->kernel_ns = 20;
	figures->rss_peak_bytes = 30;
	execution = made_execution(&made, 4, "b", "bwa", 8, 18);
	execution->status = "failed";
	execution->exit_code = 3;
	execution->figures->user_ns = 40;
	execution->figures->pipe_read_ns = 9;
	execution->figures->threads_ns = 50;
	execution->figures->rss_peak_bytes = 200;
	figures = made_execution(&made, 5, "c", "bcftools", 18, -1)->figures;
	figures->user_ns = 5;
	figures->rss_bytes = 7;
	figures = made_sample(&made, 5, "c", 18, 19)->figures;
	figures->user_ns = 50;
	figures->rss_bytes = 60;
	figures->rss_peak_bytes = 90;
	figures = made_sample(&made, 5, "c", 19, 20)->figures;
	figures->user_ns = 30;
	figures->rss_bytes = 50;
	figures->rss_peak_bytes = 90;
	loss = made_add(&made, "losses");
	loss->what = "exit";
	loss->count = 4;
	loss->since_at = T0 + S;
	loss->until_at = T0 + 2 * S;
	loss = made_add(&made, "losses");
	loss->what = "before the run";
	loss->count = 8;
	loss->since_at = T0 - 9 * S;
	loss->until_at = T0 - 8 * S;
	lake_store(&lake, &made);
	*state = &lake;
	return 0;
}

static void totals_are_the_sum_over_processes(void **state)
{
	assert_string_equal(lake_query(*state, "processes", PROCESSES, "pid user_ns kernel_ns"),
			    "1 1 0\n2 10 0\n3 0 20\n4 40 0\n5 80 0\n");
	assert_string_equal(lake_query(*state, "run", "run=run",
				       "executions tasks user_ns kernel_ns rss_peak_bytes "
				       "threads_peak coverage"),
			    "5 3 131 20 200 2 3.2\n");
	assert_string_equal(lake_query(*state, "runs", RUNS,
				       "id tasks tasks_failed tasks_running executions user_ns"),
			    "run 3 1 1 5 131\n");
}

static void coverage_is_what_the_times_explain(void **state)
{
	assert_string_equal(
		lake_query(*state, "processes", PROCESSES, "pid pipe_read_ns threads_ns coverage"),
		"1 0 0 -\n2 0 0 -\n3 0 0 -\n4 9 50 0.98\n5 0 0 -\n");
}

/* One question a query, however many figures there are. */
static void assert_all_figures(struct lake *lake, const char *query, const char *params)
{
	static const char *const names[] = {
#define F(name, kind) #name,
		FIGURES(F)
#undef F
	};
	struct store_rows *rows = NULL;
	struct error err = { 0 };

	assert_int_equal(lake_try_query(lake, query, params, &rows, &err), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (store_column(rows, names[i]) < 0)
			fail_msg("%s has no %s", query, names[i]);
	store_rows_free(rows);
}

static void each_figure_is_in_the_queries_lists(void **state)
{
	assert_all_figures(*state, "run", "run=run");
	assert_all_figures(*state, "processes", PROCESSES);
}

static void steps_are_the_sum_over_their_tasks(void **state)
{
	assert_string_equal(lake_query(*state, "steps", "run=run",
				       "name tasks failed executions user_ns kernel_ns"),
			    "map 2 1 3 50 20\ncall 1 0 1 80 0\n");
	assert_non_null(strstr(lake_query(*state, "steps", "run=run", "wall_s"),
			       "{\"min\":6.0,\"median\":8.0,\"max\":10.0}\n"));
}

static void tools_are_the_sum_over_their_executions(void **state)
{
	assert_string_equal(lake_query(*state, "tools",
				       "run=run all=", "name executions failed user_ns kernel_ns"),
			    "bcftools 1 0 80 0\nbwa 2 1 50 0\nsamtools sort 1 0 0 20\n"
			    "snakemake 1 0 1 0\n");
	assert_non_null(
		strstr(lake_query(*state, "tools", "run=run all=", "name wall_s"), "bwa 16\n"));
}

static void a_task_has_its_tools_requests_and_outcome(void **state)
{
	assert_string_equal(
		lake_query(*state, "tasks", TASKS,
			   "id step status exit_code signal host tools memory_requested_bytes"),
		"a map succeeded 0 - node [\"bwa\",\"samtools sort\"] -\n"
		"b map failed 3 - node [\"bwa\"] -\n"
		"c call running - - node [\"bcftools\"] 1000\n");
	assert_string_equal(lake_query(*state, "tasks", TASKS, "started_at ended_at user_ns"),
			    "@2 @8 10\n@8 @18 40\n@18 - 80\n");
}

static void a_tasks_peak_adds_what_was_alive_together(void **state)
{
	struct made made;

	assert_string_equal(lake_query(*state, "tasks", TASKS, "id memory_peak_bytes"),
			    "a 130\nb 200\nc 90\n");
	/* One after the other, at the same instant: they never were together. */
	made_init(&made, 2);
	made_task(&made, "d", "chain", 30, 40);
	made_execution(&made, 20, "d", "sh", 30, 35)->figures->rss_peak_bytes = 10;
	made_execution(&made, 21, "d", "sort", 35, 40)->figures->rss_peak_bytes = 40;
	/* Shorter than the clock's microsecond. */
	made_execution(&made, 22, "d", "true", 37, 37)->figures->rss_peak_bytes = 5;
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "tasks",
			   "run=run step=chain status= limit=1 cursor=", "memory_peak_bytes"),
		"45\n");
}

static void a_running_execution_has_what_its_samples_say(void **state)
{
	assert_string_equal(
		lake_query(*state, "processes", "run=run task=c tool= status= limit=9 cursor=",
			   "status user_ns rss_bytes rss_peak_bytes ended_at exit_code"),
		"running 80 50 90 - -\n");
}

static void an_ended_execution_has_what_its_record_says(void **state)
{
	struct made made;

	made_init(&made, 2);
	made_execution(&made, 5, "c", "bcftools", 18, 21)->figures->user_ns = 85;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "run", "run=run", "user_ns rss_bytes"), "136 0\n");
}

/* Its figures are known: it consumed nothing. What it never had is not. */
static void what_has_no_execution_consumed_nothing(void **state)
{
	struct made made;

	made_init(&made, 2);
	made_run(&made, "empty", 100, 101);
	made_task(&made, "e", "none", 100, 101)->run_id = "empty";
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "runs", RUNS,
				       "id executions user_ns rss_peak_bytes threads_peak hosts"),
			    "empty 0 0 0 0 [\"node\"]\nrun 5 131 200 2 [\"node\"]\n");
	assert_string_equal(lake_query(*state, "run", "run=empty",
				       "executions tasks kernel_ns disk_read_bytes lost_records"),
			    "0 1 0 0 0\n");
	assert_string_equal(lake_query(*state, "tasks", "run=empty step= status= limit=9 cursor=",
				       "id executions user_ns rss_bytes memory_peak_bytes tools"),
			    "e 0 0 0 - []\n");
	assert_string_equal(
		lake_query(*state, "steps", "run=empty", "name tasks executions user_ns"),
		"none 1 0 0\n");
}

/* The last execution of a lost task says when the task ended, also for the times of its step. */
static void a_lost_task_took_until_its_last_execution_was_seen(void **state)
{
	struct made made;

	made_init(&made, 2);
	made_task(&made, "l", "lost", 30, 31)->status = "lost";
	made_execution(&made, 30, "l", "bwa", 30, 31)->status = "lost";
	made_sample(&made, 30, "l", 30, 39);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "tasks", "run=run step=lost status= limit=9 cursor=",
				       "ended_at wall_s"),
			    "@39 9\n");
	assert_non_null(strstr(lake_query(*state, "steps", "run=run", "name wall_s"),
			       "lost {\"min\":9.0,\"median\":9.0,\"max\":9.0}\n"));
}

static void lost_records_are_those_of_the_runs_time_and_hosts(void **state)
{
	assert_string_equal(lake_query(*state, "run", "run=run", "lost_records"), "4\n");
	assert_string_equal(lake_query(*state, "losses", "run=run limit=10", "what count"),
			    "exit 4\n");
}

static void a_run_is_found_by_id_name_and_latest(void **state)
{
	struct made made;

	made_init(&made, 2);
	made_run(&made, "older", -10, 0)->name = "demo";
	made.batch.runs[0]->started_at = T0 - 10 * S;
	made_run(&made, "unnamed", 60, 70);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "resolve", "run=older", "id"), "older\n");
	assert_string_equal(lake_query(*state, "resolve", "run=demo", "id"), "run\n");
	assert_string_equal(lake_query(*state, "resolve", "run=latest", "id"), "unnamed\n");
	assert_string_equal(lake_query(*state, "resolve", "run=nothing", "id"), "");
	assert_string_equal(lake_query(*state, "resolve", "run='--", "id"), "");
}

/* A restarted agent reports a run of many processes by the processes that it finds. */
static void a_run_began_when_it_was_first_said_to(void **state)
{
	struct made made;

	made_init(&made, 2);
	made_run(&made, "dag", 100, 0);
	lake_store(*state, &made);
	made_init(&made, 3);
	made_run(&made, "dag", 150, 160);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "run", "run=dag", "status started_at ended_at"),
			    "succeeded @100 @160\n");
	made_init(&made, 4);
	made_run(&made, "dag", 90, 160);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "run", "run=dag", "started_at"), "@90\n");
}

static void runs_can_be_filtered_and_sorted(void **state)
{
	struct made made;

	made_init(&made, 2);
	made_run(&made, "short", 100, 101)->pipeline = "other";
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "runs", RUNS, "id"), "short\nrun\n");
	assert_string_equal(
		lake_query(*state, "runs", "status= pipeline= sort=wall limit=10 cursor=", "id"),
		"run\nshort\n");
	assert_string_equal(
		lake_query(*state, "runs", "status=running pipeline= sort= limit=10 cursor=", "id"),
		"run\n");
	assert_string_equal(
		lake_query(*state, "runs", "status= pipeline=other sort= limit=10 cursor=", "id"),
		"short\n");
}

static void a_parameter_missing_or_unknown_is_an_error_with_its_name(void **state)
{
	struct store_rows *rows = NULL;
	struct error err = { 0 };

	assert_int_equal(lake_try_query(*state, "events", "run=run", &rows, &err), -EINVAL);
	assert_non_null(strstr(error_text(&err), "$limit"));
	assert_int_equal(lake_try_query(*state, "run", "run=run colour=red", &rows, &err), -EINVAL);
	assert_non_null(strstr(error_text(&err), "$colour"));
	assert_int_equal(lake_try_query(*state, "no such query", "", &rows, &err), -ENOENT);
	assert_null(rows);
}

static void whoever_sums_figures_gives_all_of_them(void **state)
{
	static const char *const queries[][2] = {
		{ "runs", RUNS },   { "run", "run=run" },        { "steps", "run=run" },
		{ "tasks", TASKS }, { "tools", "run=run all=" }, { "processes", PROCESSES },
	};

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		const char *row = lake_query_json(*state, queries[i][0], queries[i][1]);

#define HAS(name, kind)                     \
	if (!strstr(row, "\"" #name "\":")) \
		fail_msg("%s lacks %s", queries[i][0], #name);
		FIGURES_BUT_WALL(HAS)
		if (i > 0) { /* wall time of a run is no sum over its executions */
			WALL_FIGURES(HAS)
		} else {
			assert_null(strstr(row, "wall_computing_ns"));
		}
	}
}

static void a_row_as_json_has_times_lists_and_nulls_but_no_cursor(void **state)
{
	const char *row = lake_query_json(*state, "tasks", TASKS);

	assert_non_null(strstr(row, "\"started_at\":\"2026-01-01T00:00:02.000000Z\","));
	assert_non_null(strstr(row, "\"tools\":[\"bwa\",\"samtools sort\"]"));
	assert_non_null(strstr(row, "\"queued_at\":null,"));
	assert_non_null(strstr(row, "\"wall_s\":6,"));
	assert_null(strstr(row, STORE_CURSOR));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, lake_teardown)
	/* Who only asks may share one lake: to make one takes a second under a sanitizer. */
	const struct CMUnitTest askers[] = {
		cmocka_unit_test(totals_are_the_sum_over_processes),
		cmocka_unit_test(coverage_is_what_the_times_explain),
		cmocka_unit_test(each_figure_is_in_the_queries_lists),
		cmocka_unit_test(steps_are_the_sum_over_their_tasks),
		cmocka_unit_test(tools_are_the_sum_over_their_executions),
		cmocka_unit_test(a_task_has_its_tools_requests_and_outcome),
		cmocka_unit_test(a_running_execution_has_what_its_samples_say),
		cmocka_unit_test(lost_records_are_those_of_the_runs_time_and_hosts),
		cmocka_unit_test(a_parameter_missing_or_unknown_is_an_error_with_its_name),
		cmocka_unit_test(whoever_sums_figures_gives_all_of_them),
		cmocka_unit_test(a_row_as_json_has_times_lists_and_nulls_but_no_cursor),
	};
	const struct CMUnitTest writers[] = {
		TEST(a_tasks_peak_adds_what_was_alive_together),
		TEST(an_ended_execution_has_what_its_record_says),
		TEST(what_has_no_execution_consumed_nothing),
		TEST(a_lost_task_took_until_its_last_execution_was_seen),
		TEST(a_run_is_found_by_id_name_and_latest),
		TEST(a_run_began_when_it_was_first_said_to),
		TEST(runs_can_be_filtered_and_sorted),
	};

	return cmocka_run_group_tests(askers, setup, lake_teardown) +
	       cmocka_run_group_tests(writers, NULL, NULL);
}
