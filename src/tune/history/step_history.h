/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "tune/history/quantiles.h"
#include "tune/history/step_figure.h"

/*
 * The attempts of the tasks of a step, by run, with the distribution of each figure in a run and
 * over all. It points to the tasks, which must outlive it. Pure.
 */

/* Beyond these the earliest runs are left out; of a run, the last of its tasks. */
#define STEP_HISTORY_TASKS 100000
#define STEP_HISTORY_RUNS  1000

#define STEP_TASK_ENDS (STEP_TASK_LOST + 1)

struct step_history_run {
	const char *run_id;
	int64_t started_at;           /* when its first task of the step began; 0: unknown */
	size_t first, count;          /* of the history's tasks */
	size_t ended[STEP_TASK_ENDS]; /* so many attempts, by enum step_task_end */
};

struct step_history {
	const struct step_task **tasks; /* by run, in a run by their begin */
	size_t task_count;
	struct step_history_run *runs; /* by their begin */
	size_t run_count;
	size_t left_out; /* tasks, for the bounds */
};

/* Sets *ret, which step_history_clear then frees. The tasks, of one step, may have any order. 0 or
 * -ENOMEM. */
int step_history_of(const struct step_task *tasks, size_t count, struct step_history *ret);
/* The same of those tasks of a history for which keep returns true; runs without any are left out.
 * 0 or -ENOMEM. */
int step_history_filter(const struct step_history *history,
			bool (*keep)(const struct step_task *task, const void *context),
			const void *context, struct step_history *ret);
/* For CLEANUP; of a zeroed history it does nothing. */
void step_history_clear(struct step_history *history);

/* NULL: not found. */
const struct step_history_run *step_history_run(const struct step_history *history,
						const char *run_id);

/* The distribution of a figure over the tasks that succeeded and have it, of a run or (run NULL) of
 * all. 0 or -ENOMEM. */
int step_history_box(const struct step_history *history, const struct step_history_run *run,
		     enum step_figure figure, struct box *ret);
