/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "tune/size/size_fit.h"

/*
 * How far the next task may lie above what is predicted for it: a margin is the logarithm of need
 * through prediction. Of few tasks by Student's t with the spread of the step and, weighing as much
 * as one task, that of other steps; of many as they were seen. Pure.
 */
struct size_spread {
	double scale;            /* of the margin of a next task */
	double freedom;          /* of the t distribution */
	const double *residuals; /* of the fit */
	size_t count;
};

#define SIZE_SPREAD_DEFAULT 0.05 /* where no step shows one */
#define SIZE_PRIOR_WEIGHT   1.0
/* The t distribution weighs as much as so many tasks that were seen. */
#define SIZE_MODEL_WEIGHT 20.0

/* prior: the usual spread of steps. The fit must outlive it. */
struct size_spread size_spread_make(const struct size_fit *fit, double prior);
/* The probability that a task needs more than predicted * exp(margin). */
double size_spread_above(const struct size_spread *spread, double margin);
/* By how much the margin for a probability is larger than if endlessly many tasks with this spread
 * had been seen, if there were `tasks` of them. */
double size_spread_excess(const struct size_spread *spread, size_t tasks, double probability);
/* The spread that a step shows by itself. */
double size_spread_own(const struct size_fit *fit);
