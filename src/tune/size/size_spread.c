/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/size_spread.h"

#include <math.h>

#include "tune/expect/student.h"

#define FREEDOM_ENDLESS 1e6
#define LEAST_SCALE     1e-6

double size_spread_own(const struct size_fit *fit)
{
	return fit->count > 1 ? sqrt(fit->squares / (double)(fit->count - 1)) : 0;
}

struct size_spread size_spread_make(const struct size_fit *fit, double prior)
{
	double freedom = SIZE_PRIOR_WEIGHT + (double)fit->count - 1;
	double variance = (SIZE_PRIOR_WEIGHT * prior * prior + fit->squares) / freedom;
	return (struct size_spread){
		.scale = fmax(sqrt(variance * (1 + 1 / (double)fit->count)), LEAST_SCALE),
		.freedom = freedom,
		.residuals = fit->residuals,
		.count = fit->count,
	};
}

/* How many residuals, which ascend, are above it. */
static size_t count_above(const struct size_spread *spread, double margin)
{
	size_t low = 0, high = spread->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (spread->residuals[middle] > margin)
			high = middle;
		else
			low = middle + 1;
	}
	return spread->count - low;
}

double size_spread_above(const struct size_spread *spread, double margin)
{
	double model = student_above(margin / spread->scale, spread->freedom);
	return ((double)count_above(spread, margin) + SIZE_MODEL_WEIGHT * model) /
	       ((double)spread->count + SIZE_MODEL_WEIGHT);
}

double size_spread_excess(const struct size_spread *spread, size_t tasks, double probability)
{
	double one = spread->scale / sqrt(1 + 1 / (double)spread->count);
	double few = student_exceeded(probability, SIZE_PRIOR_WEIGHT + (double)tasks - 1);
	double many = student_exceeded(probability, FREEDOM_ENDLESS);
	return one * (few * sqrt(1 + 1 / (double)tasks) - many);
}
