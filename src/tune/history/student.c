/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/history/student.h"

#include <math.h>

#define STEPS_MOST 200
#define TINY       1e-300

/* lgamma() writes a global. */
static double log_gamma(double value)
{
	int sign;
	return lgamma_r(value, &sign);
}

static double not_zero(double value)
{
	return fabs(value) < TINY ? TINY : value;
}

/* The continued fraction of the incomplete beta function, evaluated after Lentz (DLMF 8.17.22). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), value = d;

	for (int m = 1; m <= STEPS_MOST; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		value *= c * d;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		value *= c * d;
		if (fabs(c * d - 1) < 1e-12)
			break;
	}
	return value;
}

/* The regularised incomplete beta function. */
static double beta_part(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_above(double t, double freedom)
{
	double tail = beta_part(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
	return t >= 0 ? tail : 1 - tail;
}

double student_exceeded(double probability, double freedom)
{
	double least = -1e6, most = 1e6;

	for (int i = 0; i < STEPS_MOST; i++) {
		double middle = (least + most) / 2;
		if (middle <= least || middle >= most) /* the next doubles */
			break;
		if (student_above(middle, freedom) > probability)
			least = middle;
		else
			most = middle;
	}
	return (least + most) / 2;
}
