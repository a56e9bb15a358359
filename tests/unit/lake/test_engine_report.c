/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

/* Reports of engines beside records of agents: either may arrive first, and no figure changes. Only
 * reports of the last week are linked: these tests count their seconds from an hour ago. */

#define RUN    "11112222-0000-4000-8000-000000000001"
#define OTHER  "22223333-0000-4000-8000-000000000002"
#define RUNS   "status= pipeline= sort= limit=10 cursor="
#define TASKS  "run=" RUN " step= status= limit=10 cursor="
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

static int64_t at(double seconds)
{
	return T0 + (int64_t)((shift_s + seconds) * 1e9);
}

/* Batches of the agent are even, of the lake odd: each has a key of its own. */
static void begin(struct made *made, uint64_t sequence)
{
	made_init(made, sequence);
	made->batch.created_at = at((double)sequence);
}

static void add_run(struct made *made, char *id, char *engine, double begun, double ended)
{
	Signal__Run *run = made_run(made, id, shift_s + begun, ended < 0 ? -1 : shift_s + ended);

	run->engine = engine;
	run->cwd = FOLDER;
	run->name = "rnaseq-111122";
	run->pipeline = "rnaseq";
}

static void add_task(struct made *made, char *id, uint32_t pid, char *cwd, double begun)
{
	Signal__Task *task = made_task(made, id, "bwa mem", shift_s + begun, shift_s + begun + 5);
	Signal__Execution *execution =
		made_execution(made, pid, id, "bwa mem", shift_s + begun, shift_s + begun + 5);

	task->run_id = RUN;
	task->pid = pid;
	task->start_ns = execution->start_ns;
	task->exit_code = 3;
	task->status = "failed";
	task->attempt = 1;
	execution->run_id = RUN;
	execution->cwd = cwd;
	made_figures(&execution->figures)->user_ns = 7;
}

static void report_run(struct made *made, char *engine, double begun)
{
	Signal__ToldRun *run = made_add(made, "told_runs");

	run->told_id = "told";
	run->said_by = "weblog";
	run->engine = engine;
	run->engine_run_id = "session";
	run->name = "happy_darwin";
	run->pipeline = "nf-core/rnaseq";
	run->cwd = FOLDER;
	run->begun_at = begun < 0 ? 0 : at(begun);
}

static Signal__ToldTask *report_task(struct made *made, char *task_id, char *status, char *workdir)
{
	Signal__ToldTask *task = made_add(made, "told_tasks");

	task->told_id = "told";
	task->task = task_id;
	task->said_by = "weblog";
	task->status = status;
	task->workdir = workdir;
	return task;
}

static void name_align(Signal__ToldTask *task)
{
	task->step = "ALIGN";
	task->name = "ALIGN (liver)";
	task->sample = "liver";
	task->attempt = 2;
	task->submitted_at = at(3);
}

static void link_all(struct lake *lake)
{
	assert_int_equal(store_link(lake->store, NULL), 0);
}

static void agent_reports(struct lake *lake, uint64_t sequence)
{
	struct made made;

	begin(&made, sequence);
	add_run(&made, RUN, "nextflow", 0, -1);
	add_task(&made, "a", 10, FOLDER "/work/ab/cd", 5);
	made.batch.tasks[0]->folder = FOLDER "/work/ab/cd";
	lake_store(lake, &made);
	link_all(lake);
}

static void engine_reports(struct lake *lake, uint64_t sequence)
{
	struct made made;

	begin(&made, sequence);
	report_run(&made, "nextflow", 2);
	name_align(report_task(&made, "1", "running", FOLDER "/work/ab/cd"));
	lake_store(lake, &made);
	link_all(lake);
}

static void assert_named(struct lake *lake)
{
	assert_string_equal(lake_query(lake, "tasks", TASKS,
				       "step name sample attempt told_by status exit_code user_ns"),
			    "ALIGN ALIGN (liver) liver 2 weblog failed 3 7\n");
	assert_string_equal(lake_query(lake, "run", "run=" RUN,
				       "name pipeline told_by engine_run_id tasks user_ns"),
			    "happy_darwin nf-core/rnaseq weblog session 1 7\n");
	assert_string_equal(lake_query(lake, "steps", "run=" RUN, "name tasks failed user_ns"),
			    "ALIGN 1 1 7\n");
	assert_string_equal(lake_query(lake, "resolve", "run=happy_darwin", "id"), RUN "\n");
	assert_string_equal(
		lake_query(lake, "runs",
			   "status= pipeline=nf-core/rnaseq sort= limit=10 cursor=", "name"),
		"happy_darwin\n");
}

static void names_come_from_the_engine_times_exits_and_figures_from_the_agent(void **state)
{
	agent_reports(*state, 2);
	engine_reports(*state, 3);
	assert_named(*state);
}

static void the_engine_may_report_before_the_agent(void **state)
{
	engine_reports(*state, 3);
	assert_string_equal(lake_query(*state, "runs", RUNS, "id"), "");
	agent_reports(*state, 4);
	assert_named(*state);
}

static void messages_that_come_twice_or_late_change_nothing(void **state)
{
	struct made made;
	Signal__ToldTask *late;

	agent_reports(*state, 2);
	engine_reports(*state, 3);
	engine_reports(*state, 5);
	begin(&made, 7);
	late = report_task(&made, "1", "queued", "");
	late->submitted_at = at(100);
	lake_store(*state, &made);
	link_all(*state);
	assert_named(*state);
}

static void without_a_word_from_the_engine_nothing_is_other(void **state)
{
	agent_reports(*state, 2);
	assert_string_equal(
		lake_query(*state, "run", "run=" RUN, "name pipeline told_by engine_run_id"),
		"rnaseq-111122 rnaseq - -\n");
}

static void a_name_that_a_user_gave_stays(void **state)
{
	struct made made;

	begin(&made, 2);
	add_run(&made, RUN, "nextflow", 0, -1);
	made.batch.runs[0]->name = "mine";
	lake_store(*state, &made);
	engine_reports(*state, 3);
	assert_string_equal(lake_query(*state, "run", "run=" RUN, "name told_by"), "mine weblog\n");
}

/* Cached tasks have no process, queued ones none yet: they are there, of no host, of no figures. */
static void what_has_no_process_is_listed_as_reported(void **state)
{
	struct made made;

	agent_reports(*state, 2);
	begin(&made, 3);
	report_run(&made, "nextflow", 2);
	name_align(report_task(&made, "1", "cached", FOLDER "/work/old/er"));
	name_align(report_task(&made, "2", "queued", FOLDER "/work/ab/ef"));
	lake_store(*state, &made);
	link_all(*state);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "step status told_by"),
			    "ALIGN cached weblog\nALIGN queued weblog\nbwa mem failed -\n");
	assert_string_equal(
		lake_query(*state, "tasks", "run=" RUN " step= status=cached limit=10 cursor=",
			   "host started_at queued_at wall_s exit_code user_ns executions"),
		"- - - - - 0 0\n");
	assert_string_equal(lake_query(*state, "steps", "run=" RUN, "name tasks failed user_ns"),
			    "ALIGN 2 0 0\nbwa mem 1 1 7\n");
}

static void a_cached_task_is_not_the_one_that_ran_in_its_folder_before(void **state)
{
	struct made made;

	agent_reports(*state, 2);
	begin(&made, 3);
	report_run(&made, "nextflow", 2);
	name_align(report_task(&made, "1", "cached", FOLDER "/work/ab/cd"));
	lake_store(*state, &made);
	link_all(*state);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "step status told_by"),
			    "ALIGN cached weblog\nbwa mem failed -\n");
}

static void what_waited_when_its_run_ended_is_not_queued(void **state)
{
	struct made made;

	begin(&made, 2);
	add_run(&made, RUN, "nextflow", 0, 50);
	report_run(&made, "nextflow", 2);
	name_align(report_task(&made, "2", "queued", FOLDER "/work/ab/ef"));
	lake_store(*state, &made);
	link_all(*state);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "status"), "");
}

static void a_status_never_goes_back(void **state)
{
	static char *const statuses[] = { "", "running", "", "queued" };
	struct made made;

	agent_reports(*state, 2);
	begin(&made, 3);
	report_run(&made, "nextflow", 2);
	lake_store(*state, &made);
	for (uint64_t i = 0; i < 4; i++) {
		begin(&made, 5 + i);
		report_task(&made, "7", statuses[i], FOLDER "/work/no/agent");
		report_task(&made, "8", i ? "queued" : "", FOLDER "/work/not/yet");
		lake_store(*state, &made);
	}
	link_all(*state);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "status"), "queued\nfailed\n");
}

/* Two runs of one pipeline in one folder: tasks decide, whichever began when. */
static void tasks_distinguish_two_runs_in_one_folder(void **state)
{
	struct made made;

	begin(&made, 2);
	add_run(&made, RUN, "nextflow", 0, -1);
	add_run(&made, OTHER, "nextflow", 1, -1);
	lake_store(*state, &made);
	begin(&made, 3);
	report_run(&made, "nextflow", 2);
	lake_store(*state, &made);
	link_all(*state);
	assert_string_equal(lake_query(*state, "resolve", "run=happy_darwin", "id"), OTHER "\n");
	agent_reports(*state, 4);
	engine_reports(*state, 5);
	assert_string_equal(lake_query(*state, "resolve", "run=happy_darwin", "id"), RUN "\n");
}

static void a_run_that_began_long_before_or_ended_is_another(void **state)
{
	struct made made;

	begin(&made, 2);
	add_run(&made, RUN, "nextflow", 400, -1);
	add_run(&made, "22223333-0000-4000-8000-000000000002", "nextflow", 900, 950);
	add_run(&made, "33334444-0000-4000-8000-000000000003", "snakemake", 999, -1);
	report_run(&made, "nextflow", 1000);
	lake_store(*state, &made);
	link_all(*state);
	assert_string_equal(lake_query(*state, "runs", RUNS, "told_by"), "-\n-\n-\n");
}

/* The shell of a job of Snakemake, and the report about it. */
static void add_job(struct made *made, char *id, uint32_t pid, char *text, double begun)
{
	static char *argvs[3][3] = { { "bash", "-c" }, { "bash", "-c" }, { "bash", "-c" } };
	static size_t next;
	char **argv = argvs[next++ % 3];
	Signal__Execution *execution;

	add_task(made, id, pid, FOLDER, begun);
	execution = made->batch.executions[made->batch.n_executions - 1];
	argv[2] = text;
	execution->argv = argv;
	execution->n_argv = 3;
}

static void jobs_are_known_by_their_command_in_each_attempt(void **state)
{
	struct made made;
	Signal__ToldTask *task;

	begin(&made, 2);
	add_run(&made, RUN, "snakemake", 0, -1);
	add_job(&made, "a", 10, "set -euo pipefail;  \n  sort x\n  head y", 5);
	add_job(&made, "b", 11, "source activate 'e'; set -euo pipefail;  sort x\n  head y", 15);
	add_job(&made, "c", 12, "set -euo pipefail;  sort z", 25);
	lake_store(*state, &made);
	begin(&made, 3);
	report_run(&made, "snakemake", 2);
	task = report_task(&made, "4", "running", "");
	task->step = "sort";
	lake_store(*state, &made);
	begin(&made, 5);
	task = report_task(&made, "", "", "");
	task->command = "sort x\n  head y";
	lake_store(*state, &made);
	link_all(*state);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id step attempt told_by"),
			    "a sort 1 weblog\nb sort 1 weblog\nc bwa mem 1 -\n");
}

static void two_jobs_of_one_command_are_distinguished_by_their_files_or_not_at_all(void **state)
{
	static char *outputs[] = { "one.txt", FOLDER "/two.txt" };
	struct made made;
	Signal__ToldTask *task;
	Signal__File *file;

	begin(&made, 2);
	add_run(&made, RUN, "snakemake", 0, -1);
	add_job(&made, "a", 10, "set -euo pipefail;  make", 5);
	add_job(&made, "b", 11, "set -euo pipefail;  make", 15);
	for (int record = 0; record < 2; record++) { /* the path alone, then what was done */
		file = made_add(&made, "files");
		file->pid = 10;
		file->file_id = 1;
		file->run_id = RUN;
		file->task_id = "a";
		file->path = record ? "" : FOLDER "/two.txt";
		file->writes = record;
	}
	report_run(&made, "snakemake", 2);
	for (int i = 0; i < 2; i++) {
		task = report_task(&made, i ? "5" : "4", "running", "");
		task->step = i ? "two" : "one";
		task->command = "make";
		task->outputs = &outputs[i];
		task->n_outputs = 1;
	}
	lake_store(*state, &made);
	link_all(*state);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id step"), "a two\nb bwa mem\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(names_come_from_the_engine_times_exits_and_figures_from_the_agent),
		TEST(the_engine_may_report_before_the_agent),
		TEST(messages_that_come_twice_or_late_change_nothing),
		TEST(without_a_word_from_the_engine_nothing_is_other),
		TEST(a_name_that_a_user_gave_stays),
		TEST(what_has_no_process_is_listed_as_reported),
		TEST(a_cached_task_is_not_the_one_that_ran_in_its_folder_before),
		TEST(what_waited_when_its_run_ended_is_not_queued),
		TEST(a_status_never_goes_back),
		TEST(tasks_distinguish_two_runs_in_one_folder),
		TEST(a_run_that_began_long_before_or_ended_is_another),
		TEST(jobs_are_known_by_their_command_in_each_attempt),
		TEST(two_jobs_of_one_command_are_distinguished_by_their_files_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
