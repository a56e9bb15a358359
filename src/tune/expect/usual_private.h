/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/expect/baseline.h"
#include "tune/expect/usual.h"

/* What the kinds judge: the tasks of a run and what they are compared with. */
struct usual_view {
	const struct step_history *history;
	const struct step_history_run *run;
	const struct step_task *const *tasks; /* of the run */
	size_t task_count;
	const struct baseline *baseline;
	bool enough;         /* the baseline has enough runs to judge the step */
	double wall_typical; /* of the baseline, in ns; 0: unknown */
};

/* A task of the run, with a figure that is known. */
struct usual_task {
	const struct step_task *task;
	double rest;
	bool done;       /* else it runs: so far */
	double distance; /* of its rest from where it should be; 0: as usual */
};

/* A figure of the run beside what it usually is. */
struct usual_figure {
	const struct usual_view *view;
	const struct unusual_kind *kind;
	struct figure_model model;
	bool own; /* the model is of the run itself: there is no other */
	struct usual_task *tasks;
	double *scratch; /* as long as tasks */
	size_t count, done;
	double host_error; /* a standard error more, where the host type is new */
};

/* Some ten figures are judged: the confidence counts all of them. */
#define USUAL_FIGURES 10

/* Adds an item unless the list is full. */
void usual_add(struct usual *usual, struct unusual item);
/* 1 minus the probability that chance shows this in so many tries, at least 0. */
double usual_confidence(double chance, double tries);
/* Whether a difference of logarithms is on a side and of a size that is of interest. */
bool usual_is_far(const struct unusual_kind *kind, double distance);
/* The median rest of the tasks, or of those that are done. */
double usual_median_rest(const struct usual_figure *figure, bool done_only);

/* The step as a whole, by the median of its tasks. True: it is not as usual. */
bool usual_judge_step(const struct usual_figure *figure, struct usual *usual);
/* Single tasks that are far outside. */
void usual_judge_tasks(struct usual_figure *figure, struct usual *usual);

/* Judges of unusual_kinds. */
int usual_judge_figure(const struct usual_view *view, const struct unusual_kind *kind,
		       struct usual *usual);
int usual_judge_retries(const struct usual_view *view, const struct unusual_kind *kind,
			struct usual *usual);
int usual_judge_overrun(const struct usual_view *view, const struct unusual_kind *kind,
			struct usual *usual);
