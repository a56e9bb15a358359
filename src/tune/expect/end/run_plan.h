/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/expect/end/step_flow.h"
#include "tune/expect/end/wall_outlook.h"

/*
 * What a running run still has to do: for each step its tasks that ended, that run, and that are
 * expected to come, and which steps it waits for. Times are ns from now on. Pure.
 */
struct plan_step {
	struct wall_outlook outlook;
	const struct step_task **running;
	size_t running_count;
	double *ends; /* when its tasks ended, ascending; room for all of them */
	size_t ended;
	size_t tasks;    /* all, with those to come */
	double begin_ns; /* of a step that waits for none: when its first task begins, ... */
	double span_ns;  /* ... and how long after that its last one */
	double lag_ns;   /* from the end of `closest` to its begin */
	size_t closest;
	size_t *before, before_count; /* steps that it follows */
	size_t *after, after_count;   /* that follow it */
	double done_ns;               /* wall time of the tasks that ended and run, so far */
};

struct run_plan {
	struct plan_step *steps;
	size_t step_count;
	size_t slots;      /* 0: no limit */
	size_t task_count; /* of all steps */
	size_t history_runs, history_tasks;
	struct run_pace pace;
	bool known; /* earlier runs are known, and each step with a task that runs has an outlook */
	void *memory[3]; /* what the pointers of the steps point to; owned */
};

/* Sets *ret, which run_plan_clear frees. 0, -ENOMEM, or -E2BIG beyond the bounds of remaining.h. */
int run_plan_find(const struct step_history *steps, size_t step_count, const char *run_id,
		  int64_t now_at, struct run_plan *ret);
void run_plan_clear(struct run_plan *plan);
