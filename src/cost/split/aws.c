/* SPDX-License-Identifier: Apache-2.0 */
/*
 * COST_RULE_AWS, after "Example of split cost allocation data" of AWS's user guide of Data Exports,
 * https://docs.aws.amazon.com/cur/latest/userguide/example-split-cost-allocation-data.html and
 * https://docs.aws.amazon.com/cur/latest/userguide/example-accelerated-instances.html (read
 * 2026-11): a GPU weighs 9 where CPUs and memory weigh 1, and of that a vCPU 0.9 and a GB 0.1, so
 * 90 : 9 : 1; without GPUs 9 : 1. Allocated is the larger of reserved and used; the split-usage
 * ratio is allocated ÷ larger of what the instance has and Σ allocated; what is unused of a kind
 * goes to the pods by their part of Σ allocated ("unused ratio"). AWS's GB are taken as GiB: it
 * counts 16 GB for an m5.xlarge.
 *
 * What AWS does not say: of a kind of which nothing is allocated, all is unused; it goes to the
 * entries by the value of what they have of the other kinds.
 */
#include "cost/split/rule.h"

#define PART_SHIFT 62              /* parts of one count in 1/2^62 */
#define WEIGHT_OFF (2 * 62 - 83)   /* a product of two parts becomes a weight */
#define GIB_KIB    ((wide)1 << 20) /* KiB in a GiB; CPUs and GPUs are counted in millionths */

static const wide unit_weights[COST_KINDS] = {
	[COST_CPU] = 9 * GIB_KIB,
	[COST_MEMORY] = COST_MILLION,
	[COST_GPU] = 90 * GIB_KIB,
};

struct kind {
	wide allocated, whole; /* amount × time; whole: the larger of the host's and allocated */
	wide part;             /* of the price, in parts of one */
	wide value;            /* of what is allocated of it, in parts of that of all kinds */
};

static unsigned int bits_of(wide number) /* > 0 */
{
	return 128 - (number >> 64 ? (unsigned int)__builtin_clzll((uint64_t)(number >> 64))
				   : 64 + (unsigned int)__builtin_clzll((uint64_t)number));
}

/* part ≤ whole, whole > 0. */
static wide part_of(wide part, wide whole)
{
	unsigned int bits = bits_of(whole);
	unsigned int off = bits > 64 ? bits - 64 : 0;
	return ((part >> off) << PART_SHIFT) / (whole >> off);
}

static wide product(wide one, wide other)
{
	return (one * other) >> PART_SHIFT;
}

static wide time_in(const struct split_cell *cell, const struct split_entry *entry)
{
	int64_t since = entry->since_at > cell->since_at ? entry->since_at : cell->since_at;
	int64_t until = entry->until_at < cell->until_at ? entry->until_at : cell->until_at;
	return (wide)(until - since);
}

static uint64_t allocated(const struct split_entry *entry, size_t kind)
{
	return entry->reserved[kind] > entry->used[kind] ? entry->reserved[kind]
							 : entry->used[kind];
}

static void find_kinds(const struct split_cell *cell, struct kind kinds[COST_KINDS])
{
	wide length = (wide)(cell->until_at - cell->since_at), weights[COST_KINDS], sum = 0;
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		wide capacity = cell->host->capacity[kind], total = 0;
		for (size_t i = 0; i < cell->count; i++)
			total +=
				time_in(cell, cell->entries[i]) * allocated(cell->entries[i], kind);
		kinds[kind].allocated = total;
		kinds[kind].whole = capacity * length > total ? capacity * length : total;
		if (capacity == 0) /* not known: what is allocated on average */
			capacity = total / length;
		weights[kind] = capacity * unit_weights[kind];
		sum += weights[kind];
	}
	for (size_t kind = 0; kind < COST_KINDS; kind++)
		kinds[kind].part = sum > 0 ? part_of(weights[kind], sum) : 0;
}

/* By part × allocated ÷ whole, shifted so that also the value of a nanosecond within an hour is
 * exact. */
static void find_values(struct kind kinds[COST_KINDS])
{
	wide quotients[COST_KINDS] = { 0 }, all = 0, any = 0, sum = 0;
	for (size_t kind = 0; kind < COST_KINDS; kind++)
		any |= kinds[kind].allocated;
	for (size_t kind = 0; any > 0 && kind < COST_KINDS; kind++) {
		if (kinds[kind].allocated > 0)
			quotients[kind] =
				(kinds[kind].allocated << (128 - bits_of(any))) / kinds[kind].whole;
		all |= quotients[kind];
	}
	unsigned int off = all >> 64 ? bits_of(all) - 64 : 0;
	for (size_t kind = 0; kind < COST_KINDS; kind++)
		sum += (quotients[kind] >> off) * kinds[kind].part;
	for (size_t kind = 0; kind < COST_KINDS; kind++)
		kinds[kind].value =
			sum > 0 ? part_of((quotients[kind] >> off) * kinds[kind].part, sum) : 0;
}

static void weigh_kind(const struct split_cell *cell, size_t index, const struct kind *kind,
		       wide lone)
{
	wide left = part_of(kind->whole - kind->allocated, kind->whole);
	for (size_t i = 0; i < cell->count; i++) {
		struct split_entry *entry = cell->entries[i];
		wide length = time_in(cell, entry), all = length * allocated(entry, index);
		wide used = part_of(length * entry->used[index], kind->whole);
		wide unused = part_of(all - length * entry->used[index], kind->whole);
		wide own = part_of(all, kind->allocated);
		entry->weights.used += used * kind->part >> WEIGHT_OFF;
		entry->weights.unused += unused * kind->part >> WEIGHT_OFF;
		entry->weights.idle += product(own, left) * kind->part >> WEIGHT_OFF;
		entry->weights.idle += product(own, kind->value) * lone >> WEIGHT_OFF;
	}
}

wide split_by_aws(const struct split_cell *cell)
{
	struct kind kinds[COST_KINDS];
	wide lone = 0, value = 0; /* lone: the part of the kinds of which nothing is allocated */
	find_kinds(cell, kinds);
	find_values(kinds);
	for (size_t i = 0; i < cell->count; i++)
		cell->entries[i]->weights = (struct split_weights){ 0 };
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		lone += kinds[kind].allocated == 0 ? kinds[kind].part : 0;
		value += kinds[kind].value;
	}
	if (value == 0)
		return 1;
	for (size_t kind = 0; kind < COST_KINDS; kind++)
		if (kinds[kind].allocated > 0)
			weigh_kind(cell, kind, &kinds[kind], lone);
	return 0;
}
