/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tune/history/step_by_tools.h"

static const struct step_task PAST[] = {
	{ .step = "map", .tools = "bwa mem, samtools sort" },
	{ .step = "call", .tools = "bcftools call" },
	{ .step = "map", .tools = "bwa mem, samtools sort" },
	{ .step = "index", .tools = "samtools index" },
	{ .step = "reindex", .tools = "samtools index" },
};
#define PAST_COUNT (sizeof(PAST) / sizeof(PAST[0]))

static void a_running_task_gets_the_step_that_alone_has_its_tools(void **state)
{
	struct step_task tasks[] = {
		{ .step = "bcftools call", .tools = "bcftools call", .end = STEP_TASK_RUNS },
		{ .step = "samtools index", .tools = "samtools index", .end = STEP_TASK_RUNS },
		{ .step = "new", .tools = "bwa mem", .end = STEP_TASK_RUNS },
		{ .step = "x", .tools = "", .end = STEP_TASK_RUNS },
		{ .step = "map", .tools = "bcftools call", .end = STEP_TASK_RUNS },
		{ .step = "ended", .tools = "bcftools call", .end = STEP_TASK_SUCCEEDED },
	};
	static const char *const WANTED[] = {
		"call", "samtools index", "new", "x", "map", "ended"
	};

	step_names_complete(tasks, 6, PAST, PAST_COUNT);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(tasks[i].step, WANTED[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_running_task_gets_the_step_that_alone_has_its_tools),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
