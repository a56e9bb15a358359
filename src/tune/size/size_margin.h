/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "tune/size/size_spread.h"

/*
 * Chooses the margins of the steps of a pipeline together: for each the one with the least expected
 * cost, as long as their shared risk is not above what is allowed; else the price of a failed try
 * is raised until it is not. Pure.
 */
#define SIZE_MARGINS    128
#define SIZE_FACTOR_MAX 1000.0 /* so many times the usual need are never exceeded */

struct size_curve {
	double margin[SIZE_MARGINS]; /* ascending */
	double factor[SIZE_MARGINS]; /* by which it multiplies the usual need */
	double risk[SIZE_MARGINS];   /* of a task that needs more */
	size_t count;                /* of margins; at least 1 */
	double tasks;                /* of the step: how much its risk weighs */
	double gb_h;                 /* that a usual task needs */
	size_t chosen;
};

/* Of margins that multiply the usual need by `least` up to `most`. */
void size_curve_make(struct size_curve *curve, const struct size_fit *fit,
		     const struct size_spread *spread, double least, double most);
/* The first margin with at most that risk; the last one, where there is none. */
size_t size_curve_at(const struct size_curve *curve, double risk);

/* The margin with that risk, of one step by itself; it multiplies the usual need at least by
 * `least`. */
double size_margin_for(const struct size_fit *fit, const struct size_spread *spread, double least,
		       double risk);

struct size_price {
	double risk;      /* of all tasks together */
	double step_risk; /* of those of each step */
	double retry_gb_h;
};

/* Sets `chosen` of each. Returns the risk of all tasks together; -1 of none. It is above what is
 * allowed only by what the last margins of the curves leave. */
double size_margins_choose(struct size_curve *curves, size_t count, const struct size_price *price);
