/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_play.h"

/*
 * Real runs, as strace saw them (record.py): every job is one task, nothing else is, and two runs
 * of the same pipeline have the same steps.
 */
#define TASK_LIMIT 256

struct seen {
	char id[64], line[512];
};

static struct seen seen[TASK_LIMIT];
static size_t seen_count;

static void note(const char *id, const char *line)
{
	size_t i = 0;

	while (i < seen_count && strcmp(seen[i].id, id) != 0)
		i++;
	assert_true(i < TASK_LIMIT);
	if (i == seen_count)
		snprintf(seen[seen_count++].id, sizeof(seen[i].id), "%s", id);
	snprintf(seen[i].line, sizeof(seen[i].line), "%s", line);
}

static int by_line(const void *a, const void *b)
{
	return strcmp(((const struct seen *)a)->line, ((const struct seen *)b)->line);
}

/* The last state of every run and task, sorted. */
static void take_records(struct tree *tree)
{
	const Signal__Run *run;
	const Signal__Task *task;
	char line[512];

	seen_count = 0;
	while (tree_next_change(tree, &run, &task)) {
		if (run) {
			snprintf(line, sizeof(line), "run  %s %s %s", run->pipeline, run->engine,
				 run->status);
			note(run->run_id, line);
		} else {
			snprintf(line, sizeof(line),
				 "task %s %s %s %d attempt %u cpus %g memory %llu", task->status,
				 task->name, *task->sample ? task->sample : "-", task->exit_code,
				 task->attempt, task->cpus_requested,
				 (unsigned long long)task->memory_requested_bytes);
			note(task->task_id, line);
		}
	}
	qsort(seen, seen_count, sizeof(*seen), by_line);
}

static void expect(const char *file)
{
	static struct table table;
	size_t at = 0;
	int wrong = 0;

	table_open(&table, file);
	for (; table_next(&table); at++) {
		const char *got = at < seen_count ? seen[at].line : "(nothing)";

		if (strcmp(got, table.raw) == 0)
			continue;
		print_error("%s:%d: %s\n    got: %s\n", file, table.line, table.raw, got);
		wrong++;
	}
	table_close(&table);
	for (; at < seen_count; at++, wrong++)
		print_error("%s: more: %s\n", file, seen[at].line);
	assert_int_equal(wrong, 0);
}

static void replay(const char *recorded, bool threads_unknown, const char *expected)
{
	static struct play play;

	memset(&play, 0, sizeof(play));
	play.threads_unknown = threads_unknown;
	play_file(&play, recorded);
	take_records(play.tree);
	play_close(&play);
	expect(expected);
}

static void every_job_of_the_demo_is_one_task(void **state)
{
	replay("recorded_demo_1.txt", false, "expected_demo.txt");
}

static void another_run_of_the_demo_has_the_same_steps(void **state)
{
	replay("recorded_demo_2.txt", false, "expected_demo.txt");
}

static void the_threads_need_not_be_known(void **state)
{
	replay("recorded_demo_1.txt", true, "expected_demo.txt");
	replay("recorded_demo_2.txt", true, "expected_demo.txt");
}

static void jobs_of_every_kind_are_tasks_and_helpers_are_not(void **state)
{
	replay("recorded_kinds.txt", false, "expected_kinds.txt");
}

static void luigis_commands_are_tasks_however_many_workers_there_are(void **state)
{
	replay("recorded_luigi_1.txt", false, "expected_luigi.txt");
	replay("recorded_luigi_3.txt", false, "expected_luigi.txt");
}

static void dagsters_commands_are_tasks_and_its_own_are_not(void **state)
{
	replay("recorded_dagster.txt", false, "expected_dagster.txt");
}

static void calls_of_miniwdl_are_tasks_by_their_folders(void **state)
{
	replay("recorded_miniwdl.txt", false, "expected_miniwdl.txt");
}

static void every_task_of_airflow_names_itself_and_fails_by_its_fork(void **state)
{
	replay("recorded_airflow.txt", false, "expected_airflow.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_job_of_the_demo_is_one_task),
		cmocka_unit_test(another_run_of_the_demo_has_the_same_steps),
		cmocka_unit_test(the_threads_need_not_be_known),
		cmocka_unit_test(jobs_of_every_kind_are_tasks_and_helpers_are_not),
		cmocka_unit_test(luigis_commands_are_tasks_however_many_workers_there_are),
		cmocka_unit_test(dagsters_commands_are_tasks_and_its_own_are_not),
		cmocka_unit_test(calls_of_miniwdl_are_tasks_by_their_folders),
		cmocka_unit_test(every_task_of_airflow_names_itself_and_fails_by_its_fork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
