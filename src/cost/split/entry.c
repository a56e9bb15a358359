/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/split/entry.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint64_t limited(uint64_t amount)
{
	return amount < COST_AMOUNT_LIMIT ? amount : COST_AMOUNT_LIMIT;
}

static uint64_t larger(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

/* Whether it holds something. */
static bool fill(struct split_entry *entry, const struct cost_hold *hold, size_t index)
{
	uint64_t any = 0;
	memset(entry, 0, sizeof(*entry));
	entry->index = index;
	entry->since_at = hold->since_at;
	entry->until_at = hold->until_at;
	entry->key = hold->key;
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		entry->reserved[kind] = limited(hold->reserved[kind]);
		entry->used[kind] = limited(hold->used[kind]);
		entry->held[kind] = larger(limited(hold->held[kind]),
					   larger(entry->reserved[kind], entry->used[kind]));
		any |= entry->held[kind];
	}
	return any != 0 && hold->since_at < hold->until_at;
}

static int by_number(uint64_t one, uint64_t other)
{
	return (one > other) - (one < other);
}

static int by_amounts(const uint64_t *one, const uint64_t *other)
{
	int order = 0;
	for (size_t kind = 0; order == 0 && kind < COST_KINDS; kind++)
		order = by_number(one[kind], other[kind]);
	return order;
}

static int by_rank(const void *a, const void *b)
{
	const struct split_entry *one = a, *other = b;
	int order = by_number(one->key, other->key);
	if (order == 0)
		order = by_amounts(one->held, other->held);
	if (order == 0)
		order = by_amounts(one->reserved, other->reserved);
	if (order == 0)
		order = by_amounts(one->used, other->used);
	if (order == 0)
		order = (one->since_at > other->since_at) - (one->since_at < other->since_at);
	if (order == 0)
		order = (one->until_at > other->until_at) - (one->until_at < other->until_at);
	return order != 0 ? order : by_number(one->index, other->index);
}

size_t split_entries(const struct cost_hold *holds, size_t count, struct split_entry *entries)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		kept += fill(&entries[kept], &holds[i], i);
	if (kept > 0)
		qsort(entries, kept, sizeof(*entries), by_rank);
	return kept;
}
