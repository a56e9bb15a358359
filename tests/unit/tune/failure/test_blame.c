/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/failure/blame.h"
#include "tune/fixture_tree.h"

DEFINE_CLEANUP(struct process_tree *, process_tree_free)

/*
 * The chain from the first process of a run (fixture_tree.h): names, after ":" why, then the
 * confidence, "incomplete", and what is noted.
 */
static const struct {
	const char *name, *run, *chain;
} cases[] = {
	{ "the last command of a script",
	  "a - 0-10 c2 shell bash run.sh\nb a 1-2 ok tool samtools sort\nc a 3-9 c2 tool bwa mem x",
	  "a c:code high" },
	{ "a tool alone", "a - 0-10 c3 tool bwa mem x", "a high" },
	{ "a root that succeeded has no chain",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c2 tool samtools sort", "- low incomplete" },
	{ "a root of which the end was not seen",
	  "a - 0-? lost shell bash run.sh\nb a 1-2 c2 tool samtools sort", "- low incomplete" },
	{ "of two with the same code the one that ended last",
	  "a - 0-10 c2 shell bash run.sh\nb a 1-2 c2 tool x in\nc a 3-9 c2 tool y in",
	  "a c:code high" },
	{ "an earlier one with the code, and work after it: the code was kept",
	  "a - 0-10 c5 shell bash run.sh\nb a 1-2 c5 tool bwa mem\nc a 3-9 ok tool gzip x",
	  "a b:code medium" },
	{ "a code of 1 and work after it: it may be any",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-2 c1 tool bwa mem\nc a 3-9 ok tool samtools x",
	  "a medium incomplete noted b" },
	{ "a code of 1, and a helper that tidies up after it",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-2 c1 tool bwa mem\nc a 3-9 ok helper rm x",
	  "a b:code medium" },
	{ "a code of 1, and nothing after it",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-2 c1 tool bwa mem", "a b:code high" },
	{ "a child that ended after its shell is no cause",
	  "a - 0-10 c2 shell bash run.sh\nb a 1-2 c2 tool bwa mem\nc a 3-19 c2 tool y in",
	  "a b:code medium" },
	{ "128 and the signal of its child",
	  "a - 0-10 c139 shell bash run.sh\nb a 1-9 s11 tool bcftools mpileup", "a b:signal high" },
	{ "killed by the signal of its child: a wrapper repeats it",
	  "a - 0-10 s9 launcher timeout 5 x\nb a 1-9 s9 oom tool salmon quant", "a b:signal high" },
	{ "exit(-9) of a driver",
	  "a - 0-10 c247 interpreter python3 x.py\nb a 1-9 s9 tool salmon in", "a b:signal high" },
	{ "through shells and wrappers",
	  "a - 0-10 c3 shell sh -c x\nb a 1-9 c3 launcher conda run x\nc b 2-8 c3 shell bash t.sh\n"
	  "d c 3-7 c3 tool bwa mem",
	  "a b:code c:code d:code high" },
	{ "in a pipe the first that failed, not the last",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-3 s13 out=1 tool gzip x\n"
	  "c a 1-2 c1 in=1 out=2 tool samtools view\nd a 1-4 c1 in=2 tool samtools sort",
	  "a c:pipe high" },
	{ "in a pipe one that ended before the next began",
	  "a - 0-10 c1 shell bash -eo pipefail run.sh\nb a 1-2 c1 out=1 tool samtools view\n"
	  "c a 3-4 ok in=1 tool samtools sort",
	  "a b:code high" },
	{ "in a pipe the true failure, not the SIGPIPE that it caused",
	  "a - 0-10 c141 shell bash run.sh\nb a 1-9 s13 out=1 tool bwa mem\n"
	  "c a 1-8 s9 oom in=1 tool samtools sort",
	  "a c:pipe high" },
	{ "SIGPIPE alone is the cause",
	  "a - 0-10 c141 shell bash -e run.sh\nb a 1-9 s13 out=1 tool bwa mem\n"
	  "c a 1-8 ok in=1 helper head -1",
	  "a b:signal high" },
	{ "no match in a pipe is no failure of it",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-3 c1 out=1 helper grep x y\n"
	  "c a 1-4 c1 in=1 tool samtools sort -",
	  "a c:code high" },
	{ "no match ended the script",
	  "a - 0-10 c1 shell bash -e run.sh\nb a 1-3 c1 helper grep x y", "a b:code high" },
	{ "no match before the end of a script that may go on",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-3 c1 helper grep x y", "a b:code medium" },
	{ "grep || exit 7: noted, not the cause",
	  "a - 0-10 c7 shell bash run.sh\nb a 1-3 c1 helper grep x y",
	  "a medium incomplete noted b" },
	{ "tool || exit 7",
	  "a - 0-10 c7 shell bash run.sh\nb a 1-3 c2 tool bwa mem\nc a 4-5 ok helper rm x",
	  "a b:failure medium" },
	{ "a code that no child had, after all had succeeded",
	  "a - 0-10 c7 shell bash run.sh\nb a 1-3 ok tool bwa mem", "a medium incomplete" },
	{ "a code that no child had, and one end that was not seen",
	  "a - 0-10 c7 shell bash run.sh\nb a 1-3 ok tool bwa mem\nc a 4-? lost tool samtools in",
	  "a low incomplete" },
	{ "command not found: the shell's copy that was to become it",
	  "a - 0-10 c127 shell bash run.sh\nb a 1-3 c127 shell bash run.sh", "a b:code high" },
	{ "command not found: the shell itself",
	  "a - 0-10 c127 shell dash run.sh\nb a 1-3 ok tool bwa mem", "a high" },
	{ "timeout, and what it ended",
	  "a - 0-10 c124 shell bash run.sh\nb a 1-9 c124 launcher timeout 5 bwa\n"
	  "c b 2-8 s15 by=b tool bwa mem",
	  "a b:code high noted c" },
	{ "timeout that killed: its code is that of the signal",
	  "a - 0-10 c137 launcher timeout -s KILL 5 bwa\nb a 2-8 s9 by=a tool bwa mem",
	  "a high noted b" },
	{ "timeout -s KILL, which ends itself first",
	  "a - 0-10 c137 shell bash run.sh\nb a 1-8 s9 by=b launcher timeout -s KILL 5 bwa\n"
	  "c b 2-9 s9 by=b tool bwa mem",
	  "a b:signal high noted c" },
	{ "timeout that ends itself as its command was ended by somebody else",
	  "a - 0-10 c129 shell bash run.sh\nb a 1-9 s1 by=b launcher timeout 100 perl\n"
	  "c b 2-8 s1 tool perl",
	  "a b:signal c:signal high" },
	{ "timeout, and a command that ends well when it is asked to",
	  "a - 0-10 c124 launcher timeout 5 bwa\nb a 2-8 ok tool bwa mem", "a high noted b" },
	{ "a command of timeout that fails in time",
	  "a - 0-10 c2 launcher timeout 5 bwa\nb a 2-8 c2 tool bwa mem", "a b:code high" },
	{ "timeout within timeout",
	  "a - 0-10 c124 launcher timeout 50 sh\nb a 1-9 c124 shell sh -c x\n"
	  "c b 2-8 c124 launcher timeout 5 bwa\nd c 3-7 s15 by=c tool bwa mem",
	  "a b:code c:code high noted d" },
	{ "make has codes of its own",
	  "a - 0-10 c2 tool make all\nb a 1-2 ok shell /bin/sh -c x\nc a 3-9 c1 shell /bin/sh -c y\n"
	  "d c 4-8 c1 tool bwa mem",
	  "a c:failure d:code high" },
	{ "make -j: the first of two, after which it began nothing",
	  "a - 0-10 c2 tool make -j 2\nb a 1-5 c1 tool x in\nc a 1-9 c3 tool y in",
	  "a b:failure high" },
	{ "make -k goes on: the first",
	  "a - 0-10 c2 tool make -k\nb a 1-5 c1 tool x in\nc a 6-9 c3 tool y in\nd a 7-9 ok tool z in",
	  "a b:failure high" },
	{ "an engine that began work after each failure: the last",
	  "a - 0-10 c1 tool nextflow run\nb a 1-5 c1 tool x in\nc a 6-7 c3 tool y in\nd a 8-9 ok tool z in",
	  "a c:failure low" },
	{ "what the engine killed when one had failed is not the cause",
	  "a - 0-10 c1 tool snakemake\nb a 1-3 s15 by=a tool x in\nc a 1-5 c3 tool y in",
	  "a c:failure high" },
	{ "a rule of which the only command is a helper",
	  "a - 0-10 c2 tool make\nb a 1-5 c1 helper gzip -t x", "a b:failure high" },
	{ "a driver in Python, and the command that it ran last",
	  "a - 0-10 c1 interpreter/run.py python3 run.py\nb a 1-5 ok tool x in\nc a 6-9 c3 tool y in",
	  "a c:failure medium" },
	{ "a driver that went on for long",
	  "a - 0-100 c1 interpreter/run.py python3 run.py\nb a 1-5 c3 tool x in",
	  "a b:failure low" },
	{ "a driver with the code of its command",
	  "a - 0-10 c3 interpreter/run.py python3 run.py\nb a 1-5 c3 tool x in", "a b:code high" },
	{ "Python without commands is a tool",
	  "a - 0-10 c1 interpreter/run.py python3 run.py\nb a 1-2 ok helper uname -p", "a high" },
	{ "a driver that only asked something",
	  "a - 0-10 c1 interpreter/run.py python3 run.py\nb a 1-2 c1 helper grep x y",
	  "a high noted b" },
	{ "xargs goes on: the first",
	  "a - 0-10 c123 launcher xargs bwa\nb a 1-2 c1 tool bwa 1\nc a 3-4 ok tool bwa 2\n"
	  "d a 5-6 c1 tool bwa 3",
	  "a b:failure high" },
	{ "docker: what ran in the container is another root of the task",
	  "a - 0-10 c3 task=1 tool docker run x\nb - 1-9 c3 task=1 shell sh -c x\n"
	  "c b 2-8 c3 task=1 tool bwa mem",
	  "a b:container c:code medium" },
	{ "docker, and nothing of the container was seen",
	  "a - 0-10 c3 task=1 tool docker run x\nb - 1-9 c3 task=2 tool bwa mem",
	  "a low incomplete" },
	{ "a signal to a script that waits is its own",
	  "a - 0-10 s15 shell bash run.sh\nb a 1-12 ok tool bwa mem", "a high" },
	{ "two that are each other's parent",
	  "a - 0-10 c3 shell bash run.sh\nb c 1-5 c3 shell bash x\nc b 1-5 c3 shell bash y",
	  "a medium incomplete" },
	{ "its own parent", "a a 0-10 c3 shell bash run.sh", "a medium incomplete" },
	{ "a parent that began after its child: another with its pid",
	  "a - 50-60 c3 shell bash run.sh\nb a 1-5 c3 tool bwa mem", "a medium incomplete" },
	{ "a parent that ended before its child began",
	  "a - 0-3 c3 shell bash run.sh\nb a 5-9 c3 tool bwa mem", "a medium incomplete" },
	{ "a subshell",
	  "a - 0-10 c3 shell bash run.sh\nb a 1-9 c3 shell bash run.sh\n"
	  "c b 2-8 c3 tool bwa mem",
	  "a b:code c:code high" },
	{ "with set -e the tool, not what the trap ran",
	  "a - 0-10 c1 shell bash -c set_-e;_x\nb a 1-5 c1 tool bwa mem\nc a 6-7 c1 helper pkill x",
	  "a b:code high" },
	{ "a worker that the driver ended itself is not noted",
	  "a - 0-10 c1 interpreter/x.R Rscript x.R\nb a 1-9 s15 by=a interpreter/x.R Rscript x.R",
	  "a medium" },
	{ "starts and ends that are not known",
	  "a - ?-? c3 shell bash run.sh\nb a ?-? c3 tool bwa mem", "a low incomplete" },
	{ "nothing but codes", "a - 0-10 c3 .", "a high" },
};

static void write_chain(const struct scene *scene, const struct blame_chain *chain, char *out,
			size_t size)
{
	static const char *const reasons[] = {
		[BLAME_CODE] = "code",       [BLAME_SIGNAL] = "signal",       [BLAME_PIPE] = "pipe",
		[BLAME_FAILURE] = "failure", [BLAME_CONTAINER] = "container",
	};
	static const char *const sure[] = { "low", "medium", "high" };
	size_t len = (size_t)snprintf(out, size, "%s", chain->count ? "" : "- ");

	for (size_t i = 0; i < chain->count; i++) {
		const struct blame_step *step = &chain->steps[i];

		assert_int_equal(step->reason == BLAME_ROOT, i == 0);
		len += (size_t)snprintf(out + len, size - len, "%c%s%s ",
					scene->names[step->process], i ? ":" : "",
					i ? reasons[step->reason] : "");
	}
	(void)snprintf(out + len, size - len, "%s%s%s%.1s", sure[chain->confidence],
		       chain->incomplete ? " incomplete" : "",
		       chain->noted == PROCESS_NONE ? "" : " noted ",
		       chain->noted == PROCESS_NONE ? "" : &scene->names[chain->noted]);
}

static void the_chain_is_the_one_of_the_table(void **state)
{
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(process_tree_freep) struct process_tree *tree = NULL;
		struct blame_chain chain;
		struct scene scene;
		char text[512];

		scene_read(&scene, cases[i].run);
		tree = process_tree_new(scene.processes, scene.count);
		assert_non_null(tree);
		blame_find(tree, 0, &chain);
		write_chain(&scene, &chain, text, sizeof(text));
		if (strcmp(text, cases[i].chain) == 0)
			continue;
		print_message("%s: %s, not %s\n", cases[i].name, text, cases[i].chain);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* Shells within shells, more than a chain holds. */
static void a_chain_is_cut_at_its_cap(void **state)
{
	static const char *const argv[] = { "bash", "x.sh" };
	struct tree_process processes[BLAME_STEPS_MAX + 2];
	CLEANUP(process_tree_freep) struct process_tree *tree = NULL;
	const size_t count = sizeof(processes) / sizeof(processes[0]);
	struct blame_chain chain;

	for (size_t i = 0; i < count; i++)
		processes[i] = (struct tree_process){ i ? i - 1 : PROCESS_NONE,
						      0,
						      "x.sh",
						      "shell",
						      argv,
						      2,
						      PROCESS_FAILED,
						      3,
						      0,
						      (int64_t)(1 + i),
						      (int64_t)(1000 - i),
						      0,
						      0,
						      0,
						      false };
	tree = process_tree_new(processes, count - 2);
	blame_find(tree, 0, &chain);
	assert_int_equal(chain.count, BLAME_STEPS_MAX);
	assert_int_equal(blame_culprit(&chain), BLAME_STEPS_MAX - 1);
	process_tree_free(TAKE_PTR(tree));
	tree = process_tree_new(processes, count);
	blame_find(tree, 0, &chain);
	assert_int_equal(chain.count, BLAME_STEPS_MAX);
	assert_true(chain.incomplete);
	assert_int_equal(chain.confidence, BLAME_LOW);
}

static void no_process_is_no_cause(void **state)
{
	CLEANUP(process_tree_freep) struct process_tree *tree = process_tree_new(NULL, 0);
	struct blame_chain chain;

	assert_non_null(tree);
	blame_find(tree, 0, &chain);
	assert_true(blame_culprit(&chain) == PROCESS_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_chain_is_the_one_of_the_table),
		cmocka_unit_test(a_chain_is_cut_at_its_cap),
		cmocka_unit_test(no_process_is_no_cause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
