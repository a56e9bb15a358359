/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/share_out.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"

typedef unsigned __int128 wide;

#define FEW 32 /* without memory of their own: a cell of a host has seldom more */

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

/* Shares of 1 go to the largest `left` remainders; left < count: each was cut by less than one. */
static void give_rest(struct remainder *remainders, size_t count, int64_t left, int64_t *parts)
{
	if (left > 0)
		qsort(remainders, count, sizeof(*remainders), by_remainder);
	for (size_t i = 0; left > 0; i++, left--)
		parts[remainders[i].index]++;
}

int cost_share_out(int64_t whole, const unsigned __int128 *weights, size_t count, int64_t *parts)
{
	struct remainder few[FEW];
	CLEANUP(freep) struct remainder *many = NULL;
	wide sum = 0;
	int64_t left = whole;
	if (count > FEW) {
		many = calloc(count, sizeof(*many));
		if (!many)
			return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		sum += weights[i];
		parts[i] = 0;
	}
	if (sum == 0)
		return 0;
	struct remainder *remainders = many ? many : few;
	for (size_t i = 0; i < count; i++) {
		wide product = (wide)whole * weights[i];
		parts[i] = (int64_t)(product / sum);
		left -= parts[i];
		remainders[i] = (struct remainder){ product - (wide)parts[i] * sum, i };
	}
	give_rest(remainders, count, left, parts);
	return 0;
}
