/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "findings/finders.h"

/* Finds something about each subject. */
static int find_any(const struct subject *subject, struct findings *ret)
{
	struct evidence evidence;

	evidence_begin(&evidence, subject);
	json_key(&evidence.json, "figure");
	json_u64(&evidence.json, 7);
	return finding_add(subject,
			   (struct finding){ .summary = strdup("It is so."),
					     .evidence = evidence_end(&evidence),
					     .advice = strdup("Do it.") },
			   ret);
}

static const struct {
	enum subject_kind kind;
	const char *subject, *evidence;
} cases[] = {
	{ SUBJECT_TASK, "task align s1", "{\"task_id\":\"t1\",\"figure\":7}" },
	{ SUBJECT_STEP, "step align", "{\"step\":\"align\",\"figure\":7}" },
	{ SUBJECT_RUN, "run calm-otter", "{\"run_id\":\"r1\",\"figure\":7}" },
	{ SUBJECT_BUDGET, "budget rnaseq", "{\"budget\":\"rnaseq\",\"figure\":7}" },
};

static void a_finder_of_each_kind_gets_its_subjects(void **state)
{
	const struct finding_task task = { .id = "t1", .step = "align", .name = "align s1" };
	const struct finding_task *const tasks[] = { &task };
	const struct finding_step step = { .name = "align", .tasks = tasks, .count = 1 };
	const struct finding_run run = { .id = "r1", .name = "calm-otter" };
	const struct finding_budget budget = { .name = "rnaseq" };
	const struct finding_input input = { .run = &run,
					     .tasks = &task,
					     .task_count = 1,
					     .steps = &step,
					     .step_count = 1,
					     .budgets = &budget,
					     .budget_count = 1 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct finder finder = { "any", cases[i].kind, find_any };
		CLEANUP(findings_clear) struct findings findings = { 0 };

		assert_int_equal(finder_apply(&finder, &input, &findings), 0);
		assert_int_equal(findings.count, 1);
		assert_string_equal(findings.items[0].kind, "any");
		assert_string_equal(findings.items[0].subject, cases[i].subject);
		assert_string_equal(findings.items[0].evidence, cases[i].evidence);
		assert_int_equal(finder_apply(&finder, &(struct finding_input){ 0 }, &findings), 0);
		assert_int_equal(findings.count, 1);
	}
}

static void each_threshold_has_a_name_a_value_a_unit_and_a_meaning(void **state)
{
	for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
		assert_true(THRESHOLDS[i].name && THRESHOLDS[i].unit && THRESHOLDS[i].meaning);
		assert_true(THRESHOLDS[i].value > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finder_of_each_kind_gets_its_subjects),
		cmocka_unit_test(each_threshold_has_a_name_a_value_a_unit_and_a_meaning),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
