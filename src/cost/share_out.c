/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/share_out.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"

typedef unsigned __int128 wide;

struct remainder {
	wide left;
	size_t index;
};

/* Largest first; equal ones in the order of their parts, so that the result is always the same. */
static int by_remainder(const void *a, const void *b)
{
	const struct remainder *one = a, *other = b;
	if (one->left != other->left)
		return one->left < other->left ? 1 : -1;
	return (one->index > other->index) - (one->index < other->index);
}

int cost_share_out(int64_t whole, const unsigned __int128 *weights, size_t count, int64_t *parts)
{
	CLEANUP(freep) struct remainder *remainders = calloc(count + 1, sizeof(*remainders));
	wide sum = 0;
	int64_t left = whole;
	if (!remainders)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		sum += weights[i];
		parts[i] = 0;
	}
	if (sum == 0)
		return 0;
	for (size_t i = 0; i < count; i++) {
		wide product = (wide)whole * weights[i];
		parts[i] = (int64_t)(product / sum);
		left -= parts[i];
		remainders[i] = (struct remainder){ .left = product % sum, .index = i };
	}
	qsort(remainders, count, sizeof(*remainders), by_remainder);
	for (size_t i = 0; left > 0; i++, left--) /* < count: each was cut by less than one */
		parts[remainders[i].index]++;
	return 0;
}
