/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "findings/failure/failure_analysis.h"
#include "fixture_failure.h"

/* A run (fixture_failure.h), and how many tools failed in it that did not make it fail. */
static const struct {
	const char *name, *processes, *facts;
	size_t failed;
} cases[] = {
	{ "none", "a - 0-10 ok shell bash run.sh\nb a 1-2 ok tool samtools sort", "run bash ok a",
	  0 },
	{ "two that nothing noticed",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c1 tool samtools sort\nc a 2-3 c2 tool bwa mem\n"
	  "d a 3-4 ok tool bwa index",
	  "run bash ok a", 2 },
	{ "an answer", "a - 0-10 ok shell bash run.sh\nb a 1-2 c1 helper grep -q x y",
	  "run bash ok a", 0 },
	{ "a task that its engine ignored",
	  "a - 0-10 ok tool nextflow\nb a 1-3 c5 task=1 shell bash .command.sh\n"
	  "c b 1-2 c5 task=1 tool bwa mem",
	  "run nextflow ok a\ntask LOST c5 b 1-3", 1 },
	{ "one that made its run fail, beside one that nothing noticed",
	  "a - 0-10 c1 tool nextflow\nb a 1-3 c5 task=1 shell bash .command.sh\n"
	  "c b 1-1.5 s11 task=1 tool samtools sort\nd b 2-3 c5 task=1 tool bwa mem",
	  "run nextflow c1 a\ntask BAD c5 b 1-3\nkilled c 1.5 code=11 detail=SIGSEGV_by_the_kernel "
	  "sender=kernel",
	  1 },
	{ "one of which a later attempt succeeded",
	  "a - 0-10 ok tool nextflow\nb a 1-3 c5 task=1 shell bash .command.sh\n"
	  "c b 1-2 c5 task=1 tool bwa mem",
	  "run nextflow ok a\ntask FLAKY c5 b 1-3 attempt=1 later=ok", 0 },
};

static void tools_that_failed_are_counted(void **state)
{
	static struct failure_scene scene;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(failure_analysis_clear) struct failure_analysis analysis = { 0 };

		print_message("%s\n", cases[i].name);
		failure_scene_read(&scene, cases[i].processes, cases[i].facts);
		assert_int_equal(failure_analysis_make(&scene.facts, &analysis), 0);
		assert_int_equal(failure_analysis_failed_tools(&analysis), cases[i].failed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(tools_that_failed_are_counted) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
