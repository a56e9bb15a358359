/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/history/input_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tune/history/quantiles.h"

#define POINTS_LEAST 5
#define PAIRS_LEAST  10
#define PAIRS_MOST   (INPUT_FIT_POINTS * (INPUT_FIT_POINTS - 1) / 2)
/* Inputs that differ by less say nothing about a slope. */
#define DISTANCE_LEAST 0.05
/* The inputs' 10 % and 90 % quantiles differ at least by this factor. */
#define RANGE_LEAST 0.25
/* What the slope must take away of the spread; of fewer tasks than POINTS_FEW, by which a slope may
 * be chance. */
#define EXPLAINED_LEAST 0.1
#define EXPLAINED_FEW   0.5
#define POINTS_FEW      12
#define SLOPE_MOST      2.0

struct work {
	struct input_point points[INPUT_FIT_POINTS];
	size_t count;
	double slopes[PAIRS_MOST];
	double values[INPUT_FIT_POINTS];
};

/* Spread evenly over all, so that each run has its part. */
static void sample(const struct input_point *points, size_t count, struct work *work)
{
	work->count = count < INPUT_FIT_POINTS ? count : INPUT_FIT_POINTS;
	for (size_t i = 0; i < work->count; i++)
		work->points[i] = points[i * count / work->count];
}

static size_t slopes_of_pairs(struct work *work, bool of_one_run)
{
	size_t pairs = 0;

	for (size_t i = 0; i < work->count; i++)
		for (size_t j = i + 1; j < work->count; j++) {
			const struct input_point *a = &work->points[i], *b = &work->points[j];
			double distance = b->input_log - a->input_log;
			if ((of_one_run && a->run != b->run) || fabs(distance) < DISTANCE_LEAST)
				continue;
			work->slopes[pairs++] = (b->figure_log - a->figure_log) / distance;
		}
	return pairs;
}

static bool inputs_differ(struct work *work, struct input_fit *fit)
{
	for (size_t i = 0; i < work->count; i++)
		work->values[i] = work->points[i].input_log;
	quantiles_sort(work->values, work->count);
	fit->least_log = work->values[0];
	fit->most_log = work->values[work->count - 1];
	return quantile_of(work->values, work->count, 0.9) -
		       quantile_of(work->values, work->count, 0.1) >=
	       RANGE_LEAST;
}

static size_t end_of_run(const struct work *work, size_t first)
{
	size_t next = first + 1;
	while (next < work->count && work->points[next].run == work->points[first].run)
		next++;
	return next;
}

/* What remains of the runs with two tasks or more, each around the median of its run. */
static size_t rests_by_run(struct work *work, const struct input_fit *fit)
{
	size_t kept = 0;

	for (size_t first = 0, next; first < work->count; first = next) {
		double run[INPUT_FIT_POINTS], centre;
		next = end_of_run(work, first);
		if (next - first < 2)
			continue;
		for (size_t i = first; i < next; i++)
			run[i - first] = work->values[kept + i - first] =
				input_fit_rest(fit, &work->points[i]);
		centre = median_of(run, next - first);
		for (size_t i = first; i < next; i++)
			work->values[kept++] -= centre;
	}
	return kept;
}

static double rest_spread(struct work *work, const struct input_fit *fit)
{
	size_t kept = rests_by_run(work, fit);

	if (kept < POINTS_LEAST) { /* too many runs of a single task: over all */
		kept = work->count;
		for (size_t i = 0; i < kept; i++)
			work->values[i] = input_fit_rest(fit, &work->points[i]);
	}
	return spread_around(work->values, kept, median_of(work->values, kept));
}

static bool explains(struct work *work, const struct input_fit *fit)
{
	struct input_fit none = { 0 };
	double least = work->count < POINTS_FEW ? EXPLAINED_FEW : EXPLAINED_LEAST;
	return rest_spread(work, fit) <= (1 - least) * rest_spread(work, &none);
}

int input_fit_find(const struct input_point *points, size_t count, struct input_fit *ret)
{
	struct input_fit fit = { 0 };
	CLEANUP(freep) struct work *work = NULL;
	size_t pairs;

	*ret = fit;
	if (count < POINTS_LEAST)
		return 0;
	work = malloc(sizeof(*work));
	if (!work)
		return -ENOMEM;
	sample(points, count, work);
	if (!inputs_differ(work, &fit))
		return 0;
	pairs = slopes_of_pairs(work, true);
	if (pairs < PAIRS_LEAST)
		pairs = slopes_of_pairs(work, false);
	fit.slope = fmin(fmax(median_of(work->slopes, pairs), -SLOPE_MOST), SLOPE_MOST);
	fit.known = explains(work, &fit);
	if (fit.known)
		*ret = fit;
	return 0;
}

double input_fit_rest(const struct input_fit *fit, const struct input_point *point)
{
	return point->figure_log - fit->slope * point->input_log;
}

bool input_fit_covers(const struct input_fit *fit, double input_log)
{
	return !fit->known ||
	       (input_log >= fit->least_log - log(2) && input_log <= fit->most_log + log(2));
}
