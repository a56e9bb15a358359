/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/size_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"

/* A line must leave less than this part of the constant's squares: with fewer points than that
 * shows, a line by chance would be believed. */
#define LINEAR_GAIN 0.5
/* A line is not followed below half of the least that was needed. */
#define LEAST_PART 0.5

struct line {
	double intercept, slope;
};

static int compare_numbers(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_numbers);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* At most SIZE_FIT_POINTS of the points, without each one at i % folds == left_out (folds 0: of
 * all). */
static size_t choose(const struct size_point *points, size_t count, size_t folds, size_t left_out,
		     struct size_point *chosen)
{
	size_t left = 0, taken = 0, seen = 0;
	for (size_t i = 0; i < count; i++)
		left += folds == 0 || i % folds != left_out;
	for (size_t i = 0; i < count; i++) {
		if (folds != 0 && i % folds == left_out)
			continue;
		/* The first, the last, and evenly between. */
		if (left <= SIZE_FIT_POINTS || seen * (SIZE_FIT_POINTS - 1) / (left - 1) >= taken)
			chosen[taken++] = points[i];
		seen++;
		if (taken == SIZE_FIT_POINTS)
			break;
	}
	return taken;
}

/* Theil and Sen: the median of the slopes between any two, and of what is left. */
static struct line draw_line(const struct size_point *points, size_t count)
{
	double slopes[SIZE_FIT_POINTS * (SIZE_FIT_POINTS - 1) / 2], rests[SIZE_FIT_POINTS];
	struct line line = { 0 };
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			if (points[j].input > points[i].input)
				slopes[found++] = (points[j].need - points[i].need) /
						  (points[j].input - points[i].input);
	if (found > 0)
		line.slope = median(slopes, found);
	for (size_t i = 0; i < count; i++)
		rests[i] = points[i].need - line.slope * points[i].input;
	line.intercept = median(rests, count);
	return line;
}

static struct line draw_constant(const struct size_point *points, size_t count)
{
	double logs[SIZE_FIT_POINTS];
	for (size_t i = 0; i < count; i++)
		logs[i] = log(points[i].need);
	return (struct line){ .intercept = exp(median(logs, count)) };
}

static double least_need(const struct size_point *points, size_t count)
{
	double least = points[0].need;
	for (size_t i = 1; i < count; i++)
		least = fmin(least, points[i].need);
	return least;
}

typedef struct line draw(const struct size_point *points, size_t count);

/* Sets residuals; returns the sum of their squares. */
static double predict_others(const struct size_point *points, size_t count, draw *draw_from,
			     double *residuals)
{
	struct size_point chosen[SIZE_FIT_POINTS];
	size_t folds = count < SIZE_FOLDS ? count : SIZE_FOLDS;
	double squares = 0;
	for (size_t fold = 0; fold < folds; fold++) {
		size_t taken = choose(points, count, folds, fold, chosen);
		struct line line = draw_from(chosen, taken);
		double least = LEAST_PART * least_need(chosen, taken);
		for (size_t i = fold; i < count; i += folds) {
			double predicted = line.intercept + line.slope * points[i].input;
			residuals[i] = log(points[i].need / fmax(predicted, least));
			squares += residuals[i] * residuals[i];
		}
	}
	return squares;
}

static bool may_be_linear(const struct size_point *points, size_t count)
{
	size_t different = 0;
	if (count < SIZE_LINEAR_MIN || points[0].input < 0)
		return false;
	for (size_t i = 1; i < count; i++)
		different += points[i].input > points[i - 1].input;
	return different >= 2;
}

static void keep(struct size_fit *fit, const struct size_point *points, size_t count, draw *draw_as)
{
	struct size_point chosen[SIZE_FIT_POINTS];
	struct line line = draw_as(chosen, choose(points, count, 0, 0, chosen));
	fit->intercept = line.intercept;
	fit->slope = line.slope;
	fit->least = LEAST_PART * least_need(points, count);
}

int size_fit_make(const struct size_point *points, size_t count, struct size_fit *ret)
{
	*ret = (struct size_fit){ .count = count };
	CLEANUP(freep) double *by_line = calloc(count, sizeof(*by_line));
	ret->residuals = calloc(count, sizeof(*ret->residuals));
	if (!by_line || !ret->residuals)
		return -ENOMEM;
	ret->squares = predict_others(points, count, draw_constant, ret->residuals);
	if (may_be_linear(points, count)) {
		double squares = predict_others(points, count, draw_line, by_line);
		keep(ret, points, count, draw_line);
		ret->linear = ret->slope > 0 && squares < LINEAR_GAIN * ret->squares;
		if (ret->linear) {
			double *constant = ret->residuals;
			ret->residuals = by_line;
			by_line = constant;
			ret->squares = squares;
		}
	}
	if (!ret->linear)
		keep(ret, points, count, draw_constant);
	qsort(ret->residuals, count, sizeof(*ret->residuals), compare_numbers);
	return 0;
}

void size_fit_clear(struct size_fit *fit)
{
	free(fit->residuals);
	*fit = (struct size_fit){ 0 };
}

double size_fit_predict(const struct size_fit *fit, double input)
{
	return fmax(fit->intercept + fit->slope * fmax(input, 0), fit->least);
}
