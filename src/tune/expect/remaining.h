/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/history/step_history.h"

/*
 * Progress and the expected end of running tasks, steps and runs (docs/sizes.md, Progress and
 * expected end). Pure.
 */

/* No time is longer: 100 years. A step of which runs differ a millionfold would have no bound. */
#define REMAINING_NS_MOST 3.2e18

/* Times from now on, in ns. */
struct remaining {
	bool known;                         /* false: neither history nor progress says anything */
	bool longer_than_any;               /* not known: it runs longer than history can explain */
	double low_ns, median_ns, high_ns;  /* low to high: 80 % */
	double progress;                    /* 0 to 1; below 0: unknown */
	size_t history_runs, history_tasks; /* that it rests on */
};

/* How a run does so far beside its history, over all steps: of what steps differ from run to run
 * ("1" is their standard deviation) the mean of this run, and how much more or less its steps
 * differ than the history lets expect. Of a run of which nothing is done: 0 and 1. */
struct run_pace {
	double mean, scale;
	bool other_host; /* most of its tasks run on host types that the history lacks */
};

/* Of the tasks of a run in a step: ret[i] is of the i-th of step_history_run(), as long as that has
 * tasks; of one that does not run it is not known. wall_ns of a running task is how long it runs.
 * pace: as remaining_of_run says; NULL: not known. 0 or -ENOMEM. */
int remaining_of_tasks(const struct step_history *history, const char *run_id,
		       const struct run_pace *pace, struct remaining *ret);

/* Beyond these a run has no expectation. */
#define REMAINING_STEPS 512
#define REMAINING_TASKS 100000

struct run_remaining {
	struct remaining run;
	struct remaining *steps; /* as the steps that were given; owned */
	/* That are not begun; an estimate. Of each step. */
	size_t *tasks_to_come; /* owned */
	struct run_pace pace;
};

/* Of a run, which is running at now_at: one history for each step of its pipeline, of all runs, its
 * own tasks with it. Sets *ret, which run_remaining_clear frees. 0, -ENOMEM or -E2BIG (beyond the
 * bounds). Equal calls have equal results. */
int remaining_of_run(const struct step_history *steps, size_t step_count, const char *run_id,
		     int64_t now_at, struct run_remaining *ret);
void run_remaining_clear(struct run_remaining *remaining);
