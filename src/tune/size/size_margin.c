/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/size_margin.h"

#include <math.h>
#include <stdbool.h>

/* Margins in units of the spread: dense at first, up to more than t with two degrees of freedom
 * needs for a risk of 1e-4. */
#define FIRST_STEP 0.05
#define GROWTH     1.05
/* What a try costs that repeats a failed one with twice the memory. */
#define RETRY_FACTOR 2.0
/* The price of a retry is raised at most so many times by two. */
#define RAISES     40
#define HALVINGS   10
#define BISECTIONS 40

void size_curve_make(struct size_curve *curve, const struct size_fit *fit,
		     const struct size_spread *spread, double least, double most)
{
	double margin = size_fit_margin(fit, least), step = FIRST_STEP * spread->scale;
	double last = fmax(size_fit_margin(fit, most), margin);
	curve->count = 0;
	do {
		margin = fmin(margin, last);
		curve->margin[curve->count] = margin;
		curve->factor[curve->count] = size_fit_factor(fit, margin);
		curve->risk[curve->count++] = size_spread_above(spread, margin);
		margin += step;
		step *= GROWTH;
	} while (curve->count < SIZE_MARGINS && curve->margin[curve->count - 1] < last);
	curve->chosen = curve->count - 1;
}

size_t size_curve_at(const struct size_curve *curve, double risk)
{
	for (size_t i = 0; i < curve->count; i++)
		if (curve->risk[i] <= risk)
			return i;
	return curve->count - 1;
}

double size_margin_for(const struct size_fit *fit, const struct size_spread *spread, double least,
		       double risk)
{
	double low = size_fit_margin(fit, least), high = size_fit_margin(fit, SIZE_FACTOR_MAX);
	if (size_spread_above(spread, low) <= risk)
		return low;
	for (int i = 0; i < BISECTIONS; i++) { /* the risk falls */
		double middle = (low + high) / 2;
		if (size_spread_above(spread, middle) > risk)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Of a task, in GB * h: what is requested, and where that fails, the price and a second try. */
static double cost(const struct size_curve *curve, size_t at, double price)
{
	double requested = curve->gb_h * curve->factor[at];
	return requested + curve->risk[at] * (price + RETRY_FACTOR * requested);
}

static size_t cheapest(const struct size_curve *curve, double step_risk, double price)
{
	size_t best = size_curve_at(curve, step_risk);
	for (size_t i = best + 1; i < curve->count; i++)
		if (cost(curve, i, price) < cost(curve, best, price))
			best = i;
	return best;
}

/* Of all tasks, the share that needs more than is chosen. avoidable: without those that would also
 * need more than the last margin. */
static double shared_risk(const struct size_curve *curves, size_t count, bool avoidable)
{
	double failing = 0, tasks = 0;
	for (size_t i = 0; i < count; i++) {
		double risk = curves[i].risk[curves[i].chosen];
		if (avoidable)
			risk -= curves[i].risk[curves[i].count - 1];
		failing += risk * curves[i].tasks;
		tasks += curves[i].tasks;
	}
	return tasks > 0 ? failing / tasks : -1;
}

/* Whether the risk is low enough with that price of a retry. */
static bool choose_all(struct size_curve *curves, size_t count, const struct size_price *price,
		       double retry_gb_h)
{
	for (size_t i = 0; i < count; i++)
		curves[i].chosen = cheapest(&curves[i], price->step_risk, retry_gb_h);
	return shared_risk(curves, count, true) <= price->risk;
}

double size_margins_choose(struct size_curve *curves, size_t count, const struct size_price *price)
{
	double low = price->retry_gb_h, high = low;
	for (int i = 0; i < RAISES && !choose_all(curves, count, price, high); i++) {
		low = high;
		high *= 2;
	}
	for (int i = 0; i < HALVINGS && high > low; i++) {
		double middle = (low + high) / 2;
		if (choose_all(curves, count, price, middle))
			high = middle;
		else
			low = middle;
	}
	choose_all(curves, count, price, high);
	return shared_risk(curves, count, false);
}
