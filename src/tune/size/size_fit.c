/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/size_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"

/* A line must be likelier by so much a point: half the squares of what is left. With fewer points
 * than show that, a line by chance would be believed. */
#define LINEAR_GAIN 0.35
#define GROWTH_MIN  3 /* points that show how a constant grows */
/* A spread below that is due to few points. */
#define LEAST_SPREAD 1e-4
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
	double logs[SIZE_FIT_POINTS] = { 0 };
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

/* A kind of fit, and how well it predicts. */
struct candidate {
	bool linear, relative;
	double usual;
	double *residuals;
	double squares;
};

static struct line draw(bool linear, const struct size_point *points, size_t count)
{
	return linear ? draw_line(points, count) : draw_constant(points, count);
}

static double distance(const struct candidate *of, double need, double predicted)
{
	return of->relative ? log(need / predicted) : (need - predicted) / of->usual;
}

/* Each tenth from the others. */
static void predict_others(bool linear, const struct size_point *points, size_t count,
			   double *predicted)
{
	struct size_point chosen[SIZE_FIT_POINTS] = { 0 };
	size_t folds = count < SIZE_FOLDS ? count : SIZE_FOLDS;
	for (size_t fold = 0; fold < folds; fold++) {
		size_t taken = choose(points, count, folds, fold, chosen);
		struct line line = draw(linear, chosen, taken);
		double least = LEAST_PART * least_need(chosen, taken);
		for (size_t i = fold; i < count; i += folds)
			predicted[i] = fmax(line.intercept + line.slope * points[i].input, least);
	}
}

static void set_residuals(const struct size_point *points, size_t count, const double *predicted,
			  struct candidate *of)
{
	of->squares = 0;
	for (size_t i = 0; i < count; i++) {
		of->residuals[i] = distance(of, points[i].need, predicted[i]);
		of->squares += of->residuals[i] * of->residuals[i];
	}
}

/* The logarithm of the likelihood of the needs, as if the residuals were normal, a point; what is
 * the same for all candidates is left out. */
static double likelihood(const struct size_point *points, size_t count, const struct candidate *of)
{
	double scales = 0, spread = sqrt(of->squares / (double)count);
	for (size_t i = 0; i < count; i++)
		scales += log(of->relative ? points[i].need : of->usual);
	return -log(fmax(spread, LEAST_SPREAD)) - scales / (double)count;
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

/* What Student's t exceeds with a probability of a twentieth. */
static double error_factor(size_t freedom)
{
	static const double exceeded[] = { 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860 };
	size_t known = sizeof(exceeded) / sizeof(exceeded[0]);
	return freedom <= known ? exceeded[freedom - 1] : 1.645 + 1.75 / (double)freedom;
}

/* The largest power by which the need may grow with the input, with a risk of a twentieth: the
 * slope of the logarithms by least squares, and its error. */
static double find_growth(const struct size_point *points, size_t count)
{
	double x = 0, y = 0, xx = 0, xy = 0, yy = 0, n = (double)count;
	if (points[0].input <= 0 || count < GROWTH_MIN)
		return 1;
	for (size_t i = 0; i < count; i++) {
		x += log(points[i].input) / n;
		y += log(points[i].need) / n;
	}
	for (size_t i = 0; i < count; i++) {
		double off_x = log(points[i].input) - x, off_y = log(points[i].need) - y;
		xx += off_x * off_x;
		xy += off_x * off_y;
		yy += off_y * off_y;
	}
	if (xx <= 0)
		return 1;
	double slope = xy / xx, left = fmax(yy - slope * xy, 0);
	double error = sqrt(left / (n - 2) / xx);
	return fmin(fmax(slope + error_factor(count - 2) * error, 0), 1);
}

static void keep(struct size_fit *fit, const struct size_point *points, size_t count)
{
	struct size_point chosen[SIZE_FIT_POINTS] = { 0 };
	struct line line = draw(fit->linear, chosen, choose(points, count, 0, 0, chosen));
	fit->intercept = line.intercept;
	fit->slope = line.slope;
	fit->least = LEAST_PART * least_need(points, count);
	fit->usual = size_fit_predict(fit, points[count / 2].input);
	fit->growth = fit->linear ? 0 : find_growth(points, count);
}

/* The needs of the points in the middle. */
static double middle_need(const struct size_point *points, size_t count)
{
	struct size_point chosen[SIZE_FIT_POINTS] = { 0 };
	double needs[SIZE_FIT_POINTS];
	size_t taken = choose(points, count, 0, 0, chosen);
	for (size_t i = 0; i < taken; i++)
		needs[i] = chosen[i].need;
	return median(needs, taken);
}

static void take(struct size_fit *fit, struct candidate *best, size_t count)
{
	fit->linear = best->linear;
	fit->relative = best->relative;
	fit->residuals = best->residuals;
	best->residuals = NULL;
	fit->squares = best->squares;
	fit->count = count;
	if (fit->residuals)
		qsort(fit->residuals, count, sizeof(*fit->residuals), compare_numbers);
}

#define CANDIDATES 3

static void candidates_clear(struct candidate (*candidates)[CANDIDATES])
{
	for (size_t i = 0; i < CANDIDATES; i++)
		free((*candidates)[i].residuals);
}

int size_fit_make(const struct size_point *points, size_t count, struct size_fit *ret)
{
	CLEANUP(candidates_clear)
	struct candidate candidates[CANDIDATES] = {
		{ .relative = true },
		{ .linear = true, .relative = true },
		{ .linear = true },
	};
	struct candidate *best = &candidates[0];
	CLEANUP(freep) double *predicted = calloc(count, sizeof(*predicted));
	size_t tried = may_be_linear(points, count) ? CANDIDATES : 1;
	double highest = 0, usual = middle_need(points, count);
	*ret = (struct size_fit){ 0 };
	for (size_t i = 0; i < tried; i++) {
		candidates[i].usual = usual;
		candidates[i].residuals = calloc(count, sizeof(double));
		if (!predicted || !candidates[i].residuals)
			return -ENOMEM;
		if (i == 0 || candidates[i].linear != candidates[i - 1].linear)
			predict_others(candidates[i].linear, points, count, predicted);
		set_residuals(points, count, predicted, &candidates[i]);
		double likely = likelihood(points, count, &candidates[i]);
		if (i == 0 || likely > highest) {
			best = &candidates[i];
			highest = i == 0 ? likely + LINEAR_GAIN : likely;
		}
	}
	take(ret, best, count);
	keep(ret, points, count);
	if (ret->slope < 0) { /* a larger input never needs less */
		size_fit_clear(ret);
		take(ret, &candidates[0], count);
		keep(ret, points, count);
	}
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

double size_fit_factor(const struct size_fit *fit, double margin)
{
	return fit->relative ? exp(margin) : 1 + margin;
}

double size_fit_margin(const struct size_fit *fit, double factor)
{
	return fit->relative ? log(factor) : factor - 1;
}
