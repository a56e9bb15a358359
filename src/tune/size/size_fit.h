/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "tune/size/size_points.h"

/*
 * What a task of a step needs by its input: a constant, or a line where that predicts tasks that it
 * was not made from clearly better. How far needs are from that is either a part of what is
 * predicted or the same amount for small and large tasks, whichever is likelier. Pure.
 */
struct size_fit {
	bool linear;
	bool relative; /* a margin is the logarithm of a factor; else a part of the usual need */
	double intercept, slope;
	double least; /* the line is not followed below that */
	/* Of a constant: how it may grow with inputs above all that were seen: by this power of
	 * them, 0 to 1, as far as the points do not exclude it. */
	double growth;
	double usual; /* what a task in the middle needs, as predicted */
	/* The margin with which each point would have been predicted exactly, from other points;
	 * ascending. */
	double *residuals;
	size_t count;
	double squares; /* their sum of squares */
};

#define SIZE_LINEAR_MIN 5  /* points for a line */
#define SIZE_FIT_POINTS 64 /* lines are made from so many, evenly spread over the inputs */
#define SIZE_FOLDS      10 /* each tenth is predicted from the others; of few points each one */

/* points: at least 2, by input. 0, or -ENOMEM; size_fit_clear in any case. */
int size_fit_make(const struct size_point *points, size_t count, struct size_fit *ret);
void size_fit_clear(struct size_fit *fit);
double size_fit_predict(const struct size_fit *fit, double input);
/* By how much a margin multiplies the usual need, and the margin that does so. */
double size_fit_factor(const struct size_fit *fit, double margin);
double size_fit_margin(const struct size_fit *fit, double factor);
