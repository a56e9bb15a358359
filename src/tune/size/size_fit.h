/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "tune/size/size_points.h"

/*
 * What a task of a step needs by its input: a constant, or a line where that predicts tasks that it
 * was not made from clearly better. Pure.
 */
struct size_fit {
	bool linear;
	double intercept, slope;
	double least; /* the line is not followed below that */
	/* log(need / predicted) of each point, predicted from other points; ascending. */
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
/* input below 0: not known; of a line: as for the largest of the points. */
double size_fit_predict(const struct size_fit *fit, double input);
