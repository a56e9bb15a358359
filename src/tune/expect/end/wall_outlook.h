/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/expect/baseline.h"
#include "tune/expect/figure_model.h"
#include "tune/expect/remaining.h"

/*
 * How long the tasks of a step last in a run: what earlier runs say, moved by what the run's own
 * tasks show. The step is slower or faster in this run than it was by a factor (the shift) that is
 * not known exactly; a task differs from its siblings by another one (the rest). Both are
 * logarithms. Pure.
 */
#define OUTLOOK_SHIFTS   37
#define OUTLOOK_RESTS    41
#define OUTLOOK_PROFILES 8
#define OUTLOOK_PLACES   32

struct wall_outlook {
	bool known; /* by history; else only the progress of a task can say something */
	struct input_fit fit;
	double centre;     /* of rests, as in figure_model */
	double raw_centre; /* the same of its wall time, for tasks of which no input is known */
	double shifts[OUTLOOK_SHIFTS], weights[OUTLOOK_SHIFTS]; /* weights add up to 1 */
	double rests[OUTLOOK_RESTS];                            /* equally likely, ascending */
	double raw_rests[OUTLOOK_RESTS]; /* the same of wall times whatever the input */
	/* Of the latest runs: how long their tasks lasted by their place in the order of their
	 * begin, from the first to the last (logarithms, around the median of the run). Where one
	 * sample is larger than others, each of its tasks is long and comes late. */
	double profiles[OUTLOOK_PROFILES][OUTLOOK_PLACES];
	size_t profile_count;
	/* How far the step is from its history so far, in standard errors; by tasks that are done.
	 */
	bool has_distance;
	double distance;
	bool other_host; /* its tasks run on host types that the history lacks */
	size_t history_runs, history_tasks, siblings;
};

/* pace: of the run; a step that is not begun runs on the hosts of the others. 0 or -ENOMEM. */
int wall_outlook_find(const struct step_history *history, const char *run_id,
		      const struct run_pace *pace, struct wall_outlook *ret);
/* The pace of a run without any task that is done. */
struct run_pace run_pace_unknown(void);
/* A running task before this background. Logarithms. */
struct task_view {
	const double *rests; /* OUTLOOK_RESTS of the outlook */
	double centre;       /* of its wall time, with its inputs */
	double so_far;       /* how long it runs */
	double floor_ns;     /* was added to wall times before the logarithm */
};
struct task_view wall_outlook_view(const struct wall_outlook *outlook,
				   const struct step_task *task);
/* A wall time in ns that a running task may have, longer than it runs now. shift: of shifts;
 * chance: 0 to 1, where among the possible ones. */
double wall_outlook_draw(const struct wall_outlook *outlook, const struct step_task *task,
			 double shift, double chance);
/* The same of a task that has not begun. place: 0 to 1, in the order of the step's tasks;
 * profile: 0 to 1, which of the earlier runs it is like. */
double wall_outlook_draw_next(const struct wall_outlook *outlook, double place, double profile,
			      double shift, double chance);
/* Makes an interval wider around its median, by factors on logarithms. */
void remaining_widen(struct remaining *remaining, double lower, double upper);
/* One of shifts, by its weight: chance is 0 to 1. */
double wall_outlook_shift(const struct wall_outlook *outlook, double chance);
