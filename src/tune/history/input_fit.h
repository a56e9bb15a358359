/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * How a figure of a step grows with the bytes of its inputs: figure ~ input^slope, by the median
 * slope between two tasks (Theil and Sen), on logarithms. Pairs are of one run where there are
 * enough of them: what differs between runs is not due to the input. Pure.
 */

/* So many points are looked at, spread over all: the pairs are bounded. */
#define INPUT_FIT_POINTS 160

struct input_point {
	double input_log, figure_log;
	size_t run; /* its number; points of a run follow each other */
};

struct input_fit {
	bool known;   /* false: too few tasks, too like inputs, or inputs explain nothing */
	double slope; /* 0 where not known */
	double least_log, most_log; /* the inputs that it rests on */
};

/* 0 or -ENOMEM. */
int input_fit_find(const struct input_point *points, size_t count, struct input_fit *ret);
/* The figure's logarithm without what the input explains: that of a task with an input of one
 * byte. */
double input_fit_rest(const struct input_fit *fit, const struct input_point *point);
/* Whether an input is like those that the slope rests on: between half of the least and double the
 * most. */
bool input_fit_covers(const struct input_fit *fit, double input_log);
