/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "tune/size/size_fit.h"

/*
 * How far the next task may lie above what is predicted for it. Of few tasks by Student's t with
 * the spread of the step and, weighing as much as some tasks, that of other steps; of many as they
 * were seen. Pure.
 */
struct size_spread {
	double scale;            /* of the margin of a next task */
	double freedom;          /* of the t distribution */
	const double *residuals; /* of the fit */
	size_t count;
};

/* What the spreads of steps show about that of another one: it weighs as much as so many tasks. */
struct size_prior {
	double spread, weight;
};

#define SIZE_PRIOR_DEFAULT  \
	(struct size_prior) \
	{                   \
		0.05, 1     \
	} /* of fewer than SIZE_PRIOR_STEPS */
#define SIZE_PRIOR_STEPS 3
/* The t distribution weighs as much as so many tasks that were seen. */
#define SIZE_MODEL_WEIGHT 20.0

/* The more the spreads of steps differ, the less it weighs. After Smyth, Linear models and
 * empirical Bayes methods (2004), 6.2: the moments of the logarithms of the variances. */
struct size_prior size_prior_of(const struct size_fit *const *fits, size_t count);

/* The fit must outlive it. */
struct size_spread size_spread_make(const struct size_fit *fit, struct size_prior prior);
/* The probability that a task needs a larger margin. */
double size_spread_above(const struct size_spread *spread, double margin);
/* Whether the margin for a probability would be larger, by at most `excess`, than if endlessly many
 * tasks with this spread had been seen, if there were `tasks` of them. */
bool size_spread_suffices(const struct size_spread *spread, size_t tasks, double probability,
			  double excess);
