/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/rank_sum.h"

#include <math.h>

/* How many values from `at` on are equal to `value`. */
static size_t equal(const double *values, size_t count, size_t at, double value)
{
	size_t begin = at;

	while (at < count && values[at] == value)
		at++;
	return at - begin;
}

double rank_sum(const double *from, size_t from_count, const double *to, size_t to_count)
{
	double m = (double)from_count, n = (double)to_count, all = m + n;
	double rank = 0, sum = 0, ties = 0, variance;
	size_t i = 0, k = 0;

	while (i < from_count || k < to_count) {
		double value =
			k == to_count || (i < from_count && from[i] <= to[k]) ? from[i] : to[k];
		size_t ones = equal(from, from_count, i, value);
		size_t others = equal(to, to_count, k, value);
		double same = (double)(ones + others);

		sum += (double)others * (rank + (same + 1) / 2);
		ties += same * same * same - same;
		rank += same;
		i += ones;
		k += others;
	}
	if (m == 0 || n == 0)
		return 0;
	variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
	return variance > 0 ? (sum - n * (all + 1) / 2) / sqrt(variance) : 0;
}
