/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "tune/failure/process_tree.h"
#include "tune/fixture_tree.h"

DEFINE_CLEANUP(struct process_tree *, process_tree_free)

/* A run (fixture_tree.h), and the role of each process: T tool, H helper, Q test, S shell, W
 * wrapper, E engine. */
static const struct {
	const char *name, *run, *roles;
} cases[] = {
	{ "kinds of the rules",
	  "a - 0-1 ok tool bwa mem\nb - 0-1 ok helper ls x\nc - 0-1 ok shell foosh x\n"
	  "d - 0-1 ok launcher x y\ne - 0-1 ok . ./own",
	  "THSWT" },
	{ "names of questions",
	  "a - 0-1 ok helper /bin/grep x\nb - 0-1 ok helper [ x\n"
	  "c - 0-1 ok . zgrep x\nd - 0-1 ok tool/samtools_quickcheck samtools quickcheck x",
	  "QQQQ" },
	{ "helpers that do work",
	  "a - 0-1 ok helper gzip x\nb - 0-1 ok helper gzip -t x\n"
	  "c - 0-1 ok helper sort x\nd - 0-1 ok helper sort -c x",
	  "TQTQ" },
	{ "how a tool is used",
	  "a - 0-1 ok tool bwa\nb - 0-1 ok in=3 tool bwa\nc - 0-1 ok tool x --version", "HTH" },
	{ "a script of a shell is a shell, whatever it is called",
	  "a - 0-1 ok shell/align.sh /bin/bash align.sh\nb - 0-1 ok tool/picard bash /opt/picard x\n"
	  "c - 0-1 ok helper/.command.run /bin/bash -ue .command.run",
	  "SSS" },
	{ "engines",
	  "a - 0-1 ok tool/snakemake python3 /usr/bin/snakemake\n"
	  "b - 0-1 ok tool/nextflow_run java -Xmx1g\nc - 0-1 ok tool make\nd - 0-1 ok launcher xargs x",
	  "EEEE" },
	{ "an interpreter that runs a tool",
	  "a - 0-2 ok interpreter/x.py python3.11 x.py\n"
	  "b a 0-1 ok tool bwa mem",
	  "ET" },
	{ "an interpreter that asks something",
	  "a - 0-2 ok interpreter/x.py python3 x.py\n"
	  "b a 0-1 ok helper uname -p",
	  "TH" },
	{ "an interpreter that runs a tool by a shell",
	  "a - 0-2 ok interpreter/x.R Rscript x.R\n"
	  "b a 0-1 ok shell sh -c x\nc b 0-1 ok tool bwa mem",
	  "EST" },
	{ "wrappers",
	  "a - 0-1 ok launcher timeout 5 x\nb - 0-1 ok tool/docker_run docker run\n"
	  "c - 0-1 ok launcher/conda_run python conda run",
	  "WWW" },
	{ "an engine's clean-up", "a - 0-1 ok shell bash -c kill_-TERM_7", "H" },
};

static void roles_are_those_of_the_table(void **state)
{
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(process_tree_freep) struct process_tree *tree = NULL;
		char roles[SCENE_MAX + 1] = "";
		struct scene scene;

		scene_read(&scene, cases[i].run);
		tree = process_tree_new(scene.processes, scene.count);
		assert_non_null(tree);
		for (size_t j = 0; j < scene.count; j++)
			roles[j] = "THQSWE"[process_tree_role(tree, j)];
		if (strcmp(roles, cases[i].roles) == 0)
			continue;
		print_message("%s: %s, not %s\n", cases[i].name, roles, cases[i].roles);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void children_and_roots_are_in_order(void **state)
{
	CLEANUP(process_tree_freep) struct process_tree *tree = NULL;
	struct scene scene;
	const size_t *list;
	size_t count;

	scene_read(&scene,
		   "a - 0-9 ok tool x 1\nb a 1-? lost task=2 tool x 2\nc a 5-6 ok task=2 tool x 3\n"
		   "d a 2-8 ok task=1 tool x 4\ne c 5-6 ok task=2 tool x 5");
	tree = process_tree_new(scene.processes, scene.count);
	list = process_tree_children(tree, 0, &count);
	assert_int_equal(count, 3);
	assert_int_equal(list[0], scene_find(&scene, 'c'));
	assert_int_equal(list[1], scene_find(&scene, 'd'));
	assert_int_equal(list[2], scene_find(&scene, 'b'));
	list = process_tree_roots(tree, 2, &count);
	assert_int_equal(count, 2);
	assert_int_equal(list[0], scene_find(&scene, 'b'));
	assert_int_equal(list[1], scene_find(&scene, 'c'));
	(void)process_tree_roots(tree, 3, &count);
	assert_int_equal(count, 0);
	(void)process_tree_roots(tree, SIZE_MAX, &count);
	assert_int_equal(count, 0);
}

/* a is below c, which is below b, which is below a; d is below a. */
static void processes_of_a_cycle_have_no_parent(void **state)
{
	CLEANUP(process_tree_freep) struct process_tree *tree = NULL;
	struct scene scene;

	scene_read(
		&scene,
		"d a 1-9 ok tool x 1\na c 1-9 ok tool x 1\nb a 1-9 ok tool x 2\nc b 1-9 ok tool x 3");
	tree = process_tree_new(scene.processes, scene.count);
	assert_int_equal(process_tree_parent(tree, 0), 1);
	for (size_t i = 1; i < 4; i++)
		assert_true(process_tree_parent(tree, i) == PROCESS_NONE);
}

/* Within the slack of a clock that is adjusted a child may seem older than its parent. */
static void a_clock_may_be_adjusted(void **state)
{
	CLEANUP(process_tree_freep) struct process_tree *tree = NULL;
	struct scene scene;

	scene_read(&scene, "a - 1.001-9 ok tool x 1\nb a 1-9 ok tool x 1\nc a 0.9-9 ok tool x 2\n"
			   "d - 0-0.999 ok tool x 1\ne d 1-9 ok tool x 1\nf d 1.1-9 ok tool x 1");
	tree = process_tree_new(scene.processes, scene.count);
	assert_int_equal(process_tree_parent(tree, 1), 0);
	assert_true(process_tree_parent(tree, 2) == PROCESS_NONE);
	assert_int_equal(process_tree_parent(tree, 4), 3);
	assert_true(process_tree_parent(tree, 5) == PROCESS_NONE);
}

static void a_parent_out_of_range_is_not_known(void **state)
{
	struct tree_process process = { .parent = 1, .tool = "", .kind = "" };
	CLEANUP(process_tree_freep) struct process_tree *tree = process_tree_new(&process, 1);

	assert_true(process_tree_parent(tree, 0) == PROCESS_NONE);
	assert_int_equal(process_tree_role(tree, 0), ROLE_TOOL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roles_are_those_of_the_table),
		cmocka_unit_test(children_and_roots_are_in_order),
		cmocka_unit_test(processes_of_a_cycle_have_no_parent),
		cmocka_unit_test(a_clock_may_be_adjusted),
		cmocka_unit_test(a_parent_out_of_range_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
