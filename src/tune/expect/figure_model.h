/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/history/input_fit.h"
#include "tune/history/step_history.h"

/*
 * What a figure of a step usually is, by its history: logarithms without what the inputs explain
 * ("rests"), how they differ between runs, and between the tasks of a run. Pure.
 */
struct figure_model {
	enum step_figure figure;
	double floor; /* added to each value: differences far below it are of no interest */
	struct input_fit fit;
	double centre;  /* the median over runs of the median rest of their tasks */
	double most;    /* the highest of these medians of runs */
	double between; /* how the medians of runs spread around it: a standard deviation */
	double freedom; /* degrees of freedom that it rests on, those of the assumption with it */
	double within;  /* how tasks spread around the median of their run, robust; 0: unknown */
	double tasks_a_run;           /* the median number */
	size_t run_count, task_count; /* that have the figure */
	double *rests; /* of tasks, each minus the median of its run plus the centre; sorted; owned
			*/
	size_t rest_count; /* of runs with two tasks or more; where there is none: of all */
};

/* What is assumed before there is history, as if some runs had shown it. */
struct model_assumption {
	double between;
	double freedom;
	bool inputs_ignored; /* that tasks differ by their inputs counts as chance */
};

/* Of the tasks that succeeded. Sets *ret, which figure_model_clear frees. 0 or -ENOMEM. */
int figure_model_find(const struct step_history *history, enum step_figure figure, double floor,
		      struct model_assumption assumed, struct figure_model *ret);
void figure_model_clear(struct figure_model *model);

/* The rest of a task. False: its figure or input is not known, or its input is unlike those of the
 * history. */
bool figure_model_rest(const struct figure_model *model, const struct step_task *task, double *ret);
/* What a value would be if its rest were another one. At least 0. */
double figure_model_value(const struct figure_model *model, double value, double rest,
			  double other_rest);
/* The standard error of the distance between the median rest of so many tasks of a new run and the
 * centre. */
double figure_model_error(const struct figure_model *model, size_t tasks);
