/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fixture_steps.h"
#include "tune/expect/usual.h"

/*
 * Recorded runs of nf-core. Of each pipeline there are two: copies of the first one, with times
 * that differ by some percent, make the history.
 */
#define COPIES 6

static const double of_copy[COPIES] = { 1, 1.06, 0.95, 1.02, 0.93, 1.09 };
static const char *const ids[COPIES] = { "1", "2", "3", "4", "5", "6" };

static struct step_task *recorded, *made;
static size_t recorded_count, made_count;

static void copy_step(const struct step_task *first, size_t count)
{
	made_count = 0;
	made = calloc(count * COPIES, sizeof(*made));
	assert_non_null(made);
	for (size_t copy = 0; copy < COPIES; copy++)
		for (size_t i = 0; i < count; i++) {
			struct step_task *task = &made[made_count++];
			*task = first[i];
			task->run_id = ids[copy];
			task->started_at += (int64_t)copy * 86400 * 1000000000;
			task->wall_ns *= of_copy[copy];
			task->cpu_ns *= of_copy[copy];
		}
}

static struct usual judge(const struct step_task *tasks, size_t count, const char *run_id)
{
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	struct usual usual;

	assert_int_equal(step_history_of(tasks, count, &history), 0);
	assert_int_equal(usual_judge(&history, run_id, &usual), 0);
	return usual;
}

/* Of the first run: the number of tasks of the step. */
static size_t of_first_run(struct step_task *step, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (strcmp(step[i].run_id, step[0].run_id) == 0)
			step[kept++] = step[i];
	return kept;
}

static size_t read_step(const char *pipeline, const char *step, struct step_task *ret)
{
	recorded = nfcore_read(pipeline, &recorded_count);
	return nfcore_step(recorded, recorded_count, step, ret);
}

static void free_all(void)
{
	nfcore_free(recorded);
	free(made);
	made = NULL;
}

static void two_recorded_runs_are_not_enough(void **state)
{
	struct step_task step[64];
	size_t count = read_step("rnaseq", ":PICARD_MARKDUPLICATES", step);
	struct usual usual = judge(step, count, "5yJURpCMUNmfri");

	assert_int_equal(count, 16);
	assert_false(usual.known);
	assert_int_equal(usual.runs_missing, 2);
	assert_int_equal(usual.count, 0);
	free_all();
}

static void a_step_slowed_to_twice_is_found(void **state)
{
	static const char *const steps_of[] = { ":STAR_ALIGN_IGENOMES", ":QUALIMAP_RNASEQ",
						":STRINGTIE_STRINGTIE", ":FQ_LINT" };

	for (size_t i = 0; i < sizeof(steps_of) / sizeof(*steps_of); i++) {
		struct step_task step[64];
		size_t count = of_first_run(step, read_step("rnaseq", steps_of[i], step));
		struct usual usual;
		copy_step(step, count);
		usual = judge(made, made_count, "6");
		if (!usual.known || usual.count > 0)
			fail_msg("%s: a clean run is not as usual", steps_of[i]);
		for (size_t j = made_count - count; j < made_count; j++)
			made[j].wall_ns *= 2;
		usual = judge(made, made_count, "6");
		assert_true(usual.count > 0);
		assert_string_equal(usual.items[0].kind->name, "slower_than_usual");
		free_all();
	}
}

/* Its inputs differ sixteenfold, and its time with them. */
static void tasks_of_very_different_inputs_are_as_usual(void **state)
{
	struct step_task step[64];
	size_t count = of_first_run(step, read_step("methylseq", ":BISMARK_ALIGN", step));
	struct usual usual;

	copy_step(step, count);
	for (size_t left = 1; left < count; left++) { /* the last run has but one of them */
		struct step_task now[COPIES * 8];
		size_t kept = 0;
		for (size_t i = 0; i < made_count - count; i++)
			now[kept++] = made[i];
		now[kept++] = made[made_count - left];
		usual = judge(now, kept, "6");
		assert_true(usual.known);
		assert_int_equal(usual.count, 0);
	}
	free_all();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_recorded_runs_are_not_enough),
		cmocka_unit_test(a_step_slowed_to_twice_is_found),
		cmocka_unit_test(tasks_of_very_different_inputs_are_as_usual),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
