/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "tune/diff/diff_words.h"
#include "tune/diff/run_diff.h"
#include "tune/fixture_steps.h"

/* Two real runs of a pipeline (tests/data/nfcore), compared. The chain of what a run waited for is
 * that of its tasks' times, since the files between them are not known. */
struct half {
	struct step_task *tasks; /* of one run */
	size_t count;
	struct diff_span *spans;
	struct slow_path path;
	struct diff_run run;
};

static void find_path(struct half *half)
{
	struct flow_task *tasks = calloc(half->count + 1, sizeof(*tasks));
	struct flow flow = { .tasks = tasks, .task_count = half->count, .began_at = INT64_MAX };

	assert_non_null(tasks);
	for (size_t i = 0; i < half->count; i++) {
		const struct step_task *task = &half->tasks[i];

		tasks[i] = (struct flow_task){ task->started_at, task->ended_at };
		if (task->started_at < flow.began_at)
			flow.began_at = task->started_at;
		if (task->ended_at > flow.ended_at)
			flow.ended_at = task->ended_at;
	}
	assert_int_equal(slow_path_find(&flow, &half->path), 0);
	half->run.wall_ns = flow.ended_at - flow.began_at;
	free(tasks);
}

static void take(struct half *half, const struct step_task *tasks, size_t count, const char *run_id,
		 bool same)
{
	*half = (struct half){ .tasks = calloc(count, sizeof(*tasks)) };
	assert_non_null(half->tasks);
	for (size_t i = 0; i < count; i++)
		if ((strcmp(tasks[i].run_id, run_id) == 0) == same)
			half->tasks[half->count++] = tasks[i];
	find_path(half);
	half->spans = calloc(half->path.count + 1, sizeof(*half->spans));
	assert_non_null(half->spans);
	for (size_t i = 0; i < half->path.count; i++)
		half->spans[i].span = half->path.spans[i];
	half->run = (struct diff_run){ .id = "",
				       .pipeline = "",
				       .engine = "nextflow",
				       .wall_ns = half->run.wall_ns,
				       .tasks = half->tasks,
				       .task_count = half->count,
				       .spans = half->spans,
				       .span_count = half->path.count,
				       .cpus = -1,
				       .slots = -1 };
}

static void half_clear(struct half *half)
{
	free(half->tasks);
	free(half->spans);
	slow_path_clear(&half->path);
}

static char *said_of(const struct step_diff *step)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	diff_say_reason(step, &out);
	return buffer_take(&out);
}

/* What is found of steps, by the end of their names. */
static const struct {
	const char *table, *step;
	int toward;
	enum finding_confidence confidence;
	const char *said;
} STEPS[] = {
	{ "rnaseq", ":PICARD_MARKDUPLICATES", 1, CONFIDENCE_HIGH,
	  "perhaps host: m6i.16xlarge instead of r6id.24xlarge" },
	{ "rnaseq", ":DUPRADAR", -1, CONFIDENCE_HIGH, "the run no longer waits for it" },
	{ "rnaseq", ":QUALIMAP_RNASEQ", 1, CONFIDENCE_HIGH, "the run did not wait for it before" },
	{ "rnaseq", ":STAR_ALIGN_IGENOMES", 0, CONFIDENCE_LOW,
	  "its tasks differ as much within one run" },
	{ "methylseq", ":TRIMGALORE", 0, CONFIDENCE_LOW,
	  "its tasks differ as much within one run" },
	{ "methylseq", ":BISMARK_ALIGN", 0, CONFIDENCE_LOW,
	  "the run waited for 1 of its tasks one after the other instead of 2" },
};

static void check_step(const char *table, const struct step_diff *step)
{
	const char *end = strrchr(step->name, ':');

	assert_int_equal(step->state, STEP_SAME_NAME);
	for (size_t i = 0; i < sizeof(STEPS) / sizeof(STEPS[0]); i++) {
		CLEANUP(freep) char *said = NULL;

		if (strcmp(STEPS[i].table, table) != 0 ||
		    strcmp(STEPS[i].step, end ? end : "") != 0)
			continue;
		said = said_of(step);
		assert_string_equal(said, STEPS[i].said);
		assert_int_equal(step->changes[SIDE_WALL].toward, STEPS[i].toward);
		assert_int_equal(step->changes[SIDE_WALL].confidence, STEPS[i].confidence);
	}
}

static void compare(const char *table)
{
	CLEANUP(run_diff_clear) struct run_diff diff = { 0 };
	CLEANUP(half_clear) struct half from = { 0 };
	CLEANUP(half_clear) struct half to = { 0 };
	size_t count;
	struct step_task *tasks = nfcore_read(table, &count);
	int64_t sum = 0;

	take(&from, tasks, count, tasks[0].run_id, true);
	take(&to, tasks, count, tasks[0].run_id, false);
	assert_int_equal(run_diff_make(&diff, &from.run, &to.run), 0);
	for (size_t i = 0; i < DIFF_FACTORS; i++)
		sum += diff.engine_factors[i];
	for (size_t i = 0; i < diff.step_count; i++) {
		check_step(table, &diff.steps[i]);
		sum += diff.steps[i].path_ns;
	}
	assert_true(diff.step_count > 0);
	assert_int_equal(sum, diff.difference_ns);
	nfcore_free(tasks);
}

static void two_real_runs_add_up_and_chance_is_no_reason(void **state)
{
	(void)state;
	compare("rnaseq");
	compare("methylseq");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_real_runs_add_up_and_chance_is_no_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
