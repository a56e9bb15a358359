/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/expect/unusual_kind.h"
#include "tune/history/step_history.h"

/*
 * Whether a step of a run is as usual: each figure of its tasks against the step's own history, the
 * runs that began before it (docs/sizes.md, As usual or not). Also while it runs: what a running
 * task shows so far is judged only where more of it cannot turn the judgement. Pure.
 */

/* Fewer earlier runs are not enough history. */
#define USUAL_RUNS_LEAST 3
#define USUAL_MOST       32
/* Tasks of a kind that are listed, the farthest first. */
#define USUAL_TASKS_MOST 3

struct unusual {
	const struct unusual_kind *kind;
	const struct step_task *task; /* NULL: the step as a whole */
	bool above;                   /* the value is higher than usual, else lower */
	bool so_far;                  /* a running task showed it, or some of the step */
	double value; /* in the unit of kind->figure; of the step: the median of its tasks */
	/* Of the history, for inputs as they are here: a range that holds 80 % of the runs (of a
	 * task: of the tasks). Of an overrun the request alone, in all three. */
	double typical_low, typical_median, typical_high;
	double confidence;    /* 0 to 1: that chance does not explain it, all figures considered */
	size_t tasks;         /* of this run that it is about */
	size_t history_tasks; /* that it rests on */
	size_t history_runs;
};

struct usual {
	bool known;          /* false: there is not enough history */
	size_t history_runs; /* that are comparable */
	size_t history_tasks;
	size_t runs_missing;        /* so many more are needed; 0: enough */
	bool same_host, same_tools; /* the history is of the same host type, of the same tools */
	double noticeable; /* a slow-down by this factor is noticed in 19 of 20 cases; 0: unknown */
	/* Of each kind that compares a figure: from this median of the step's tasks on, in the
	 * figure's unit, it is noticed in 19 of 20 cases. 0: unknown. */
	double noticeable_value[UNUSUAL_KINDS];
	struct unusual items[USUAL_MOST]; /* by kind; of a kind the step, then tasks */
	size_t count;
};

/* The history holds the run's own tasks, too. Items point to its tasks. 0 or -ENOMEM. */
int usual_judge(const struct step_history *history, const char *run_id, struct usual *ret);
