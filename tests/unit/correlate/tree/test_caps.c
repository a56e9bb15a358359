/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "correlate/tree/job.h"
#include "correlate/tree/rootless_run.h"
#include "correlate/model/limits.h"
#include "correlate/rules/rules.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"
#include "correlate/tree/tree.h"

static struct rules *rules;

static int setup(void **state)
{
	return rules_new(&rules, NULL) || tree_new((struct tree **)state, rules, "host", 8, 8);
}

static int teardown(void **state)
{
	tree_free(*state);
	rules_free(rules);
	return 0;
}

static void run_image(struct tree *tree, struct attribution *attribution, uint32_t pid,
		      uint64_t seq, const char *const *argv)
{
	struct tree_image image = { .pid = pid,
				    .start_ns = pid,
				    .image_seq = seq,
				    .exe = argv[0],
				    .cwd = "/w/demo",
				    .argv = argv,
				    .masked = argv };
	char tool[64];

	while (argv[image.argc])
		image.argc++;
	tree_exec(tree, attribution, NULL, &image, tool, sizeof(tool));
}

static void begin_snakemake(struct tree *tree, struct attribution *engine)
{
	const char *argv[] = { "python3", "/usr/bin/snakemake", NULL };

	run_image(tree, engine, 1, 1, argv);
	assert_string_not_equal(attribution_run_id(engine), "");
}

/* A job that ends at once; returns its task's last record. */
static const Signal__Task *run_job(struct tree *tree, const struct attribution *engine,
				   uint32_t pid, const char *command, int exit_code)
{
	const char *argv[] = { "/usr/bin/bash", "-c", command, NULL };
	const Signal__Run *run;
	const Signal__Task *task;
	struct attribution job;

	tree_fork(tree, engine, &job);
	run_image(tree, &job, pid, 2, argv);
	tree_exit(tree, &job, exit_code, 0, pid);
	do
		assert_true(tree_next_change(tree, &run, &task));
	while (!task || task->pid != pid);
	return task;
}

static void a_run_keeps_as_many_labels_as_it_may(void **state)
{
	const char *argv[128] = { "tracer", "run" }, *command[] = { "/bin/x", NULL };
	struct attribution attribution = { 0 };
	const Signal__Run *run;
	const Signal__Task *task;
	int count = 2;

	while (count < 120) {
		argv[count++] = "--label";
		argv[count++] = "key=value";
	}
	run_image(*state, &attribution, 1, 1, argv);
	run_image(*state, &attribution, 1, 2, command);
	assert_true(tree_next_change(*state, &run, &task));
	assert_int_equal(run->n_labels, RUN_LABEL_LIMIT);
	assert_string_equal(run->labels[RUN_LABEL_LIMIT - 1]->value, "value");
	tree_exit(*state, &attribution, 0, 0, 9);
}

static void beyond_the_cap_of_steps_tasks_end_without_samples(void **state)
{
	struct attribution engine = { 0 };
	char command[64];

	begin_snakemake(*state, &engine);
	for (uint32_t i = 0; i < RUN_STEP_LIMIT + 50; i++) {
		const char *argv[] = { "/bin/true", NULL };
		struct attribution job;
		char tool[32];

		snprintf(command, sizeof(command), "set -euo pipefail; tool%u s1.txt", i);
		snprintf(tool, sizeof(tool), "/bin/tool%u", i);
		argv[0] = tool;
		tree_fork(*state, &engine, &job);
		run_image(*state, &job, 10 + i, 2,
			  (const char *[]){ "/usr/bin/bash", "-c", command, NULL });
		run_image(*state, &job, 10 + i, 3, argv);
		assert_string_not_equal(attribution_task_id(&job), "");
		tree_exit(*state, &job, 0, 0, 5);
	}
	assert_string_equal(run_job(*state, &engine, 10, "set -euo pipefail; other", 0)->status,
			    "succeeded");
	tree_exit(*state, &engine, 0, 0, 9);
}

static void beyond_the_cap_of_failures_attempts_begin_anew(void **state)
{
	struct attribution engine = { 0 };
	char command[64];

	begin_snakemake(*state, &engine);
	for (uint32_t i = 0; i < TASK_FAILURE_LIMIT + 5; i++) {
		snprintf(command, sizeof(command), "set -euo pipefail; false %u", i);
		assert_int_equal(run_job(*state, &engine, 10 + i, command, 1)->attempt, 1);
	}
	assert_int_equal(run_job(*state, &engine, 5, command, 1)->attempt, 1);
	assert_int_equal(run_job(*state, &engine, 6, "set -euo pipefail; false 7", 1)->attempt, 2);
	tree_exit(*state, &engine, 0, 0, 9);
}

static void beyond_the_cap_of_cgroups_limits_are_not_known(void **state)
{
	struct map *limits = limits_new();
	struct request request = { .cpus = 2 };

	for (uint64_t id = 1; id <= LIMITS_CAP + 1; id++)
		limits_set(limits, id, request);
	assert_true(limits_get(limits, LIMITS_CAP).cpus > 0);
	assert_true(limits_get(limits, LIMITS_CAP + 1).cpus == 0);
	limits_set(limits, 1, (struct request){ 0 });
	limits_set(limits, LIMITS_CAP + 1, request);
	assert_true(limits_get(limits, LIMITS_CAP + 1).cpus > 0);
	limits_free(limits);
}

static void ids_are_the_same_for_another_agent_and_differ_between_hosts(void **state)
{
	struct tree *same, *other;
	struct attribution here = { 0 }, again = { 0 }, elsewhere = { 0 };

	assert_int_equal(tree_new(&same, rules, "host", 8, 8), 0);
	assert_int_equal(tree_new(&other, rules, "another", 8, 8), 0);
	begin_snakemake(*state, &here);
	begin_snakemake(same, &again);
	begin_snakemake(other, &elsewhere);
	assert_string_equal(attribution_run_id(&here), attribution_run_id(&again));
	assert_string_not_equal(attribution_run_id(&here), attribution_run_id(&elsewhere));
	tree_free(same);
	tree_free(other);
}

/* A job's one step that runs and ends on so many nodes; returns the run's last record. */
static const Signal__Run *run_step(struct tree *tree, unsigned number, unsigned nodes)
{
	const char *argv[] = { "/usr/bin/samtools", "sort", NULL };
	struct job job = { .step = "0", .name = "align.sh" };
	const Signal__Run *run = NULL, *last = NULL;
	const Signal__Task *task;

	(void)snprintf(job.id, sizeof(job.id), "%u", number);
	for (unsigned i = 0; i < nodes; i++) {
		struct attribution attribution = { 0 };
		struct tree_image image = { .pid = number,
					    .start_ns = i + 1,
					    .exe = argv[0],
					    .cwd = "/w/demo",
					    .argv = argv,
					    .masked = argv,
					    .argc = 2,
					    .root_kind = RUN_ROOT_JOB,
					    .job = &job };
		char tool[64];

		(void)snprintf(job.node, sizeof(job.node), "node%u", i);
		tree_exec(tree, &attribution, NULL, &image, tool, sizeof(tool));
		tree_exit(tree, &attribution, 0, 0, i + 1);
	}
	while (tree_next_change(tree, &run, &task))
		last = run ? run : last;
	return last;
}

/* The script of a job begins, or one of its steps. */
static void begin_job(struct tree *tree, uint32_t pid, const char *step, bool new, bool part)
{
	const char *argv[] = { "/bin/bash", "/var/spool/slurmd/job00007/slurm_script", NULL };
	struct job job = { .id = "7", .name = "align.sh" };
	const struct tree_image image = { .pid = pid,
					  .start_ns = pid,
					  .exe = argv[0],
					  .cwd = "/w/demo",
					  .argv = argv,
					  .masked = argv,
					  .argc = 2,
					  .root_kind = RUN_ROOT_JOB,
					  .job = &job };
	const Signal__Run *run;
	const Signal__Task *task;
	struct attribution attribution = { 0 };
	struct tree_link link;
	char tool[64];

	(void)snprintf(job.step, sizeof(job.step), "%s", step);
	tree_exec(tree, &attribution, NULL, &image, tool, sizeof(tool));
	tree_exit(tree, &attribution, 0, 0, pid);
	do
		assert_true(tree_next_change(tree, &run, &task));
	while (!run);
	assert_int_equal(tree_run_is_new(tree, &link), new);
	assert_int_equal(link.part, part);
	while (tree_next_change(tree, &run, &task))
		;
}

static void a_job_whose_script_is_not_here_is_a_part_of_one_elsewhere(void **state)
{
	begin_job(*state, 1, "0", true, true);
	begin_job(*state, 2, "1", false, true);
	begin_job(*state, 3, "", true, false);
	begin_job(*state, 4, "2", false, false);
}

static void jobs_that_may_go_on_are_live_runs_up_to_a_cap(void **state)
{
	struct tree *tree;

	assert_int_equal(tree_new(&tree, rules, "host", ROOTLESS_RUNS_IDLE + 1, 8), 0);
	for (unsigned i = 1; i <= 3 * ROOTLESS_RUNS_IDLE; i++)
		(void)run_step(tree, i, 1);
	assert_int_equal(tree_refused(tree), 0);
	tree_free(tree);
}

static void a_run_names_as_many_nodes_as_have_room(void **state)
{
	const Signal__Run *run = run_step(*state, 7, 100);

	for (size_t i = 0; i < run->n_labels; i++) {
		if (strcmp(run->labels[i]->key, "slurm_nodes") != 0)
			continue;
		assert_true(strlen(run->labels[i]->value) < RECORD_NAME_LIMIT);
		assert_true(strlen(run->labels[i]->value) > RECORD_NAME_LIMIT - 8);
		assert_null(strstr(run->labels[i]->value, ",node100"));
		return;
	}
	fail();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_run_keeps_as_many_labels_as_it_may, setup,
						teardown),
		cmocka_unit_test_setup_teardown(beyond_the_cap_of_steps_tasks_end_without_samples,
						setup, teardown),
		cmocka_unit_test_setup_teardown(beyond_the_cap_of_failures_attempts_begin_anew,
						setup, teardown),
		cmocka_unit_test_setup_teardown(beyond_the_cap_of_cgroups_limits_are_not_known,
						setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_job_whose_script_is_not_here_is_a_part_of_one_elsewhere, setup, teardown),
		cmocka_unit_test_setup_teardown(jobs_that_may_go_on_are_live_runs_up_to_a_cap,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_run_names_as_many_nodes_as_have_room, setup,
						teardown),
		cmocka_unit_test_setup_teardown(
			ids_are_the_same_for_another_agent_and_differ_between_hosts, setup,
			teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
