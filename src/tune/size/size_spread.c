/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/size_spread.h"

#include <math.h>

#include "tune/history/student.h"

#define LEAST_SCALE 1e-6

/* A smaller spread is taken for this one: pages, and the time of a measurement. */
#define LEAST_SPREAD 1e-3
#define WEIGHT_MIN   0.1
#define WEIGHT_MAX   10.0

/* The derivative of log(gamma), by its asymptotic series (Abramowitz and Stegun, 6.3.18). */
static double digamma(double x)
{
	double sum = 0;
	while (x < 6) {
		sum -= 1 / x;
		x += 1;
	}
	double square = 1 / (x * x);
	return sum + log(x) - 0.5 / x - square * (1. / 12 - square * (1. / 120 - square / 252));
}

/* The derivative of digamma (6.4.12). */
static double trigamma(double x)
{
	double sum = 0;
	while (x < 6) {
		sum += 1 / (x * x);
		x += 1;
	}
	double square = 1 / (x * x);
	return sum + 1 / x + square / 2 + square / x * (1. / 6 - square * (1. / 30 - square / 42));
}

/* Half of the weight with that trigamma, which falls. */
static double half_weight(double value)
{
	double low = WEIGHT_MIN / 2, high = WEIGHT_MAX / 2;
	for (int i = 0; i < 50; i++) {
		double middle = (low + high) / 2;
		if (trigamma(middle) > value)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The logarithm of a variance, without what its few points add to it. */
static double log_variance(const struct size_fit *fit)
{
	double half = ((double)fit->count - 1) / 2;
	double variance = fmax(fit->squares / (2 * half), LEAST_SPREAD * LEAST_SPREAD);
	return log(variance) - digamma(half) + log(half);
}

struct size_prior size_prior_of(const struct size_fit *const *fits, size_t count)
{
	double mean = 0, variance = 0, by_chance = 0, steps = (double)count;
	if (count < SIZE_PRIOR_STEPS)
		return SIZE_PRIOR_DEFAULT;
	for (size_t i = 0; i < count; i++) {
		mean += log_variance(fits[i]) / steps;
		by_chance += trigamma(((double)fits[i]->count - 1) / 2) / steps;
	}
	for (size_t i = 0; i < count; i++) {
		double off = log_variance(fits[i]) - mean;
		variance += off * off / (steps - 1);
	}
	double half = half_weight(variance - by_chance);
	return (struct size_prior){ sqrt(exp(mean + digamma(half) - log(half))), 2 * half };
}

struct size_spread size_spread_make(const struct size_fit *fit, struct size_prior prior)
{
	double freedom = prior.weight + (double)fit->count - 1;
	double variance = (prior.weight * prior.spread * prior.spread + fit->squares) / freedom;
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

/* What a normal value exceeds with that probability, of at most a half. */
static double normal_exceeded(double probability)
{
	double low = 0, high = 40;
	for (int i = 0; i < 50; i++) {
		double middle = (low + high) / 2;
		if (erfc(middle / sqrt(2)) / 2 > probability)
			low = middle;
		else
			high = middle;
	}
	return high;
}

bool size_spread_suffices(const struct size_spread *spread, size_t tasks, double probability,
			  double excess)
{
	double one = spread->scale / sqrt(1 + 1 / (double)spread->count);
	double value = normal_exceeded(probability) + excess / one;
	double freedom = spread->freedom + (double)tasks - (double)spread->count;
	return student_above(value / sqrt(1 + 1 / (double)tasks), freedom) <= probability;
}
