/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/history/quantiles.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

void quantiles_sort(double *values, size_t count)
{
	if (count > 1)
		qsort(values, count, sizeof(*values), ascending);
}

double quantile_of(const double *sorted, size_t count, double p)
{
	double at;
	size_t below;

	if (count == 0)
		return 0;
	at = fmin(fmax(p, 0), 1) * (double)(count - 1);
	below = (size_t)at;
	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

double median_of(double *values, size_t count)
{
	quantiles_sort(values, count);
	return quantile_of(values, count, 0.5);
}

double spread_around(double *values, size_t count, double centre)
{
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i] - centre);
	return 1.4826 * median_of(values, count);
}

struct box box_of(double *values, size_t count)
{
	struct box box = { .count = count };

	if (count == 0)
		return box;
	quantiles_sort(values, count);
	box.min = values[0];
	box.q1 = quantile_of(values, count, 0.25);
	box.median = quantile_of(values, count, 0.5);
	box.q3 = quantile_of(values, count, 0.75);
	box.p95 = quantile_of(values, count, 0.95);
	box.max = values[count - 1];
	return box;
}
