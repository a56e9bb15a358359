/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/failure/outcome.h"
#include "tune/fixture_tree.h"

DEFINE_CLEANUP(struct process_tree *, process_tree_free)

/*
 * A run (fixture_tree.h), and its processes that are not fine: B blamed, M masked, E expected. The
 * first process is the root; its chain is on if it failed.
 */
static const struct {
	const char *name, *run, *outcomes;
} cases[] = {
	{ "a clean run", "a - 0-10 ok shell bash run.sh\nb a 1-2 ok tool samtools sort", "" },
	{ "a tool failed and its script went on",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c2 tool samtools sort\nc a 3-4 ok tool gzip x",
	  "b:M" },
	{ "three of four",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c2 tool samtools 1\nc a 3-4 c1 tool samtools 2\n"
	  "d a 5-6 c1 tool samtools 3\ne a 7-8 ok tool samtools 4",
	  "b:M c:M d:M" },
	{ "answers",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c1 helper grep x y\n"
	  "c a 3-4 c1 helper cmp x y\nd a 5-6 c1 helper which x\ne a 6-7 c1 helper [ x ]",
	  "b:E c:E d:E e:E" },
	{ "helpers",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c1 helper readlink x\n"
	  "c a 3-4 c2 helper ls x\nd a 5-6 c2 helper grep x nofile",
	  "b:E c:E d:E" },
	{ "a helper that does the pipeline's work",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c2 helper sort x\nc a 3-4 ok tool gzip x",
	  "b:M" },
	{ "a helper that crashed", "a - 0-10 ok shell bash run.sh\nb a 1-2 s11 helper ls x",
	  "b:M" },
	{ "a helper that was killed for memory, and one that was killed",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 s9 oom helper ls x\nc a 3-4 s9 helper ls x",
	  "b:M c:E" },
	{ "killed for memory in a pipe, unnoticed",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 s9 oom out=1 tool salmon quant\n"
	  "c a 1-3 ok in=1 tool gzip -c",
	  "b:M" },
	{ "SIGPIPE",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 s13 out=1 tool zcat x\n"
	  "c a 1-2 ok in=1 helper head -1",
	  "b:E" },
	{ "a tool fails in a pipe of which the last succeeds",
	  "a - 0-10 ok shell bash -e run.sh\nb a 1-2 c1 out=1 tool bwa mem\n"
	  "c a 1-3 ok in=1 tool gzip -c",
	  "b:M" },
	{ "the same with pipefail: it is in a condition",
	  "a - 0-10 ok shell bash -c set_-euo_pipefail;_x\nb a 1-2 c1 out=1 tool bwa mem\n"
	  "c a 1-3 ok in=1 tool gzip -c",
	  "b:E" },
	{ "set -e went on: it is in a condition",
	  "a - 0-10 ok shell bash -eu run.sh\nb a 1-2 c1 tool samtools index\nc a 3-4 ok tool gzip x",
	  "b:E" },
	{ "set -e in a snakemake job",
	  "a - 0-10 ok shell bash -c set_-euo_pipefail;_samtools_x_||_true\nb a 1-2 c1 tool samtools x",
	  "b:E" },
	{ "set -e, and a job in the background",
	  "a - 0-10 ok shell bash -e run.sh\nb a 1-5 c1 tool samtools index\nc a 2-4 ok tool gzip x",
	  "b:M" },
	{ "a crash in a condition",
	  "a - 0-10 ok shell bash -e run.sh\nb a 1-2 s11 tool samtools x\nc a 3-4 ok tool gzip x",
	  "b:M" },
	{ "the chain of a failed run",
	  "a - 0-10 c2 shell bash run.sh\nb a 1-2 c2 tool samtools sort", "a:B b:B" },
	{ "an earlier failure in a failed run",
	  "a - 0-10 c2 shell bash run.sh\nb a 1-2 c1 tool bwa mem\nc a 3-4 c2 tool samtools sort",
	  "a:B b:M c:B" },
	{ "the others of a pipe that failed",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-3 s13 out=1 tool gzip x\n"
	  "c a 1-2 c1 in=1 out=2 tool samtools view\nd a 1-4 c1 in=2 tool samtools sort",
	  "a:B b:E c:B d:B" },
	{ "grep || exit 7",
	  "a - 0-10 c7 shell bash run.sh\nb a 1-2 c1 helper grep x y\nc a 2-3 c1 helper grep x y",
	  "a:B b:E c:B" },
	{ "what timeout ended in time is not masked as well",
	  "a - 0-10 ok shell bash run.sh\nb a 1-3 c124 launcher timeout 2 bwa\n"
	  "c b 1-3 s15 by=b tool bwa mem\nd a 4-5 ok tool gzip x",
	  "b:M c:E" },
	{ "a failure is counted once, where it began",
	  "a - 0-10 ok shell bash run.sh\nb a 1-9 c3 shell sh step.sh\nc b 2-8 c3 launcher conda run\n"
	  "d c 3-7 c3 tool bwa mem\ne a 9-10 ok tool gzip x",
	  "b:E c:E d:M" },
	{ "a script that fails by itself",
	  "a - 0-10 ok shell bash run.sh\nb a 1-9 c3 shell sh step.sh\ne a 9-10 ok tool gzip x",
	  "b:M" },
	{ "a subshell that fails by itself",
	  "a - 0-10 ok shell bash run.sh\nb a 1-9 c1 shell bash run.sh\ne a 9-10 ok tool gzip x",
	  "b:E" },
	{ "a command that is not found",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c127 shell bash run.sh\ne a 9-10 ok tool gzip x",
	  "b:M" },
	{ "a probe by a text", "a - 0-10 ok interpreter/t python3 t\nb a 1-2 c1 shell sh -c test_x",
	  "b:E" },
	{ "killed by its own script",
	  "a - 0-10 ok shell bash run.sh\nb a 1-9 s15 by=a tool server 1\nc a 1-5 ok tool bwa mem",
	  "b:E" },
	{ "killed by a person, unnoticed",
	  "a - 0-10 ok shell bash run.sh\nb a 1-9 s15 tool bwa mem\nc a 9-10 ok tool gzip x",
	  "b:M" },
	{ "the clean-up of an engine that failed",
	  "a - 0-10 c1 tool snakemake all\nb a 1-5 c3 tool bwa mem\nc a 1-6 s15 tool gzip x",
	  "a:B b:B c:E" },
	{ "an engine that goes on noticed all",
	  "a - 0-10 c123 launcher xargs bwa\nb a 1-2 c1 tool bwa 1\nc a 3-4 ok tool bwa 2\n"
	  "d a 5-6 c1 tool bwa 3",
	  "a:B b:B d:B" },
	{ "an engine that goes on, and its script too",
	  "a - 0-10 ok shell bash run.sh\nb a 1-9 c123 launcher xargs bwa\nc b 1-2 c1 tool bwa 1\n"
	  "d b 3-4 c1 tool bwa 2",
	  "b:E c:M d:M" },
	{ "make succeeds: its rule says that the command may fail",
	  "a - 0-10 ok tool make\nb a 1-2 c1 tool bwa mem\nc a 3-4 ok tool gzip x", "b:E" },
	{ "what an engine asks",
	  "a - 0-10 c1 tool nextflow run\nb a 1-2 c2 tool bwa mem\nc a 5-6 c1 shell bash -c kill_-TERM_7",
	  "a:B b:B c:E" },
	{ "tried again until it succeeds",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c7 helper curl -f x\nc a 3-4 c7 helper curl -f x\n"
	  "d a 5-6 ok helper curl -f x",
	  "b:E c:E" },
	{ "tried again in vain",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c7 helper curl -f x\nc a 3-4 c7 helper curl -f x\n"
	  "d a 5-6 ok helper curl -f y",
	  "b:M c:M" },
	{ "the same filter on other data is no second try",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c1 in=3 tool samtools view -\n"
	  "c a 3-4 ok in=4 tool samtools view -",
	  "b:M" },
	{ "a driver that does not look at codes",
	  "a - 0-10 ok interpreter/run.py python3 run.py\nb a 1-2 c1 tool bwa mem", "b:M" },
	{ "how a tool is asked for its version",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c1 tool bwa\nc a 2-3 c1 tool picard x --version",
	  "b:E c:E" },
	{ "a task that failed and that its engine tried again is its own failure",
	  "a - 0-10 ok tool nextflow run\nb a 1-2 c1 task=1 tool bwa mem\nc a 3-4 ok task=2 tool bwa mem",
	  "b:E" },
	{ "a parent that is not known", "a - 0-10 ok tool x in\nb - 1-2 c3 tool bwa mem", "b:M" },
	{ "two that are each other's parent",
	  "a - 0-10 ok tool x in\nb c 1-5 c3 tool bwa mem\nc b 1-5 c3 tool gzip x", "b:M c:M" },
	{ "of no known end", "a - 0-10 ok shell bash x\nb a 1-? lost tool bwa mem", "" },
};

static void write_outcomes(const struct scene *scene, const enum process_outcome *outcomes,
			   char *out, size_t size)
{
	size_t len = 0;

	*out = '\0';
	for (size_t i = 0; i < scene->count; i++)
		if (outcomes[i] != OUTCOME_FINE)
			len += (size_t)snprintf(out + len, size - len, "%s%c:%c", len ? " " : "",
						scene->names[i], " EMB"[outcomes[i]]);
}

static void outcomes_are_those_of_the_table(void **state)
{
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(process_tree_freep) struct process_tree *tree = NULL;
		enum process_outcome outcomes[SCENE_MAX] = { 0 };
		struct blame_chain chain;
		struct scene scene;
		char text[512];

		scene_read(&scene, cases[i].run);
		tree = process_tree_new(scene.processes, scene.count);
		assert_non_null(tree);
		blame_find(tree, 0, &chain);
		outcomes_blame(&chain, outcomes);
		assert_int_equal(outcomes_find(tree, outcomes), 0);
		write_outcomes(&scene, outcomes, text, sizeof(text));
		if (strcmp(text, cases[i].outcomes) == 0)
			continue;
		print_message("%s: %s, not %s\n", cases[i].name, text, cases[i].outcomes);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

#define MANY 100000

static struct tree_process many_of(size_t i)
{
	static const char *const argv[] = { "bwa", "mem", "x" };

	return (struct tree_process){ .parent = 0,
				      .tool = "bwa mem",
				      .kind = "tool",
				      .argv = argv,
				      .argc = 3,
				      .status = PROCESS_FAILED,
				      .exit_code = 2 + (int)(i % 2),
				      .started_at = 10 + (int64_t)i,
				      .ended_at = 20 + (int64_t)i,
				      .pipe_in = 7 + i,
				      .pipe_out = 8 + i };
}

/* One pipe of 100,000 members that all failed, below one shell: a walk over all of them for each
 * would take 10,000,000,000 steps. */
static void a_hundred_thousand_children(void **state)
{
	static const char *const argv[] = { "bash", "run.sh" };
	CLEANUP(freep) struct tree_process *processes = calloc(MANY + 1, sizeof(*processes));
	CLEANUP(freep) enum process_outcome *outcomes = calloc(MANY + 1, sizeof(*outcomes));
	CLEANUP(process_tree_freep) struct process_tree *tree = NULL;
	struct blame_chain chain;

	assert_non_null(processes);
	assert_non_null(outcomes);
	processes[0] = (struct tree_process){ .parent = PROCESS_NONE,
					      .tool = "run.sh",
					      .kind = "shell",
					      .argv = argv,
					      .argc = 2,
					      .status = PROCESS_FAILED,
					      .exit_code = 3,
					      .started_at = 1,
					      .ended_at = MANY * 2 };
	for (size_t i = 1; i <= MANY; i++)
		processes[i] = many_of(i);
	tree = process_tree_new(processes, MANY + 1);
	assert_non_null(tree);
	blame_find(tree, 0, &chain);
	assert_int_equal(chain.count, 2);
	outcomes_blame(&chain, outcomes);
	assert_int_equal(outcomes_find(tree, outcomes), 0);
	for (size_t i = 0; i <= MANY; i++)
		assert_int_not_equal(outcomes[i], OUTCOME_FINE);
	assert_int_equal(outcomes[blame_culprit(&chain)], OUTCOME_BLAMED);
}

/* Each the parent of the next: no recursion, no walk up from each. */
static void a_hundred_thousand_generations(void **state)
{
	CLEANUP(freep) struct tree_process *processes = calloc(MANY, sizeof(*processes));
	CLEANUP(freep) enum process_outcome *outcomes = calloc(MANY, sizeof(*outcomes));
	CLEANUP(process_tree_freep) struct process_tree *tree = NULL;
	struct blame_chain chain;

	assert_non_null(processes);
	assert_non_null(outcomes);
	for (size_t i = 0; i < MANY; i++) {
		processes[i] = many_of(i);
		processes[i].parent = i + 1 < MANY ? i + 1 : PROCESS_NONE;
		processes[i].started_at = (int64_t)(MANY - i);
		processes[i].ended_at = (int64_t)(MANY + i);
	}
	tree = process_tree_new(processes, MANY);
	assert_non_null(tree);
	blame_find(tree, MANY - 1, &chain);
	assert_true(chain.incomplete || chain.count < BLAME_STEPS_MAX);
	outcomes_blame(&chain, outcomes);
	assert_int_equal(outcomes_find(tree, outcomes), 0);
	assert_int_not_equal(outcomes[0], OUTCOME_FINE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outcomes_are_those_of_the_table),
		cmocka_unit_test(a_hundred_thousand_children),
		cmocka_unit_test(a_hundred_thousand_generations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
