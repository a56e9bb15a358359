/* SPDX-License-Identifier: Apache-2.0 */
/*
 * COST_RULE_HELD. At an instant at which Σ is held of a kind, a unit of it is worth
 * rate = weight ÷ (max(capacity, Σ) × Σ weights), and gets gain = rate × idle ÷ value of what is
 * idle, where value = Σ over the kinds of rate × Σ, and value + idle = 1. Both change only when an
 * entry begins or ends. So their integrals over the cell are kept, and an entry gets amount ×
 * (integral at its end − integral at its begin): no step looks at all entries.
 *
 * Rates count in 1/2^84: with a cell of at most an hour (2^42 ns) amount × integral stays below
 * 2^126. Divisions round down, so that nothing becomes negative; on a host with 2 TiB at 10,000 USD
 * an hour the weights fall short of what is exact by less than 1/100 of a nano-dollar.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "cost/split/rule.h"

#define RATE_SHIFT 84
#define GAIN_SHIFT 43 /* idle ÷ value: below 2^127 */
#define WEIGHT_OFF 43 /* from 2^126 to the limit of weights */

struct sweep {
	const struct cost_host *host;
	int64_t now;
	wide held[COST_KINDS];                    /* Σ of the entries at this instant */
	wide rate[COST_KINDS], gain[COST_KINDS];  /* at this instant, of a unit */
	wide value[COST_KINDS], idle[COST_KINDS]; /* their integrals */
	wide unallocated;                         /* of the time without value */
	bool changed;                             /* rates do not stand for held any more */
	bool any;                                 /* something of value is held */
};

static wide most(wide one, wide other)
{
	return one > other ? one : other;
}

/* Returns Σ of the weights of the kinds that there are. */
static wide kind_weights(const struct sweep *sweep, wide weights[COST_KINDS])
{
	wide sum = 0, kinds = 0;
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		bool there = sweep->host->capacity[kind] > 0 || sweep->held[kind] > 0;
		weights[kind] = there ? sweep->host->weight_ppm[kind] : 0;
		sum += weights[kind];
		kinds += there;
	}
	for (size_t kind = 0; sum == 0 && kind < COST_KINDS; kind++)
		weights[kind] = sweep->host->capacity[kind] > 0 || sweep->held[kind] > 0;
	return sum > 0 ? sum : kinds;
}

static void find_rates(struct sweep *sweep)
{
	wide weights[COST_KINDS], value = 0, idle = 0;
	wide sum = kind_weights(sweep, weights);
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		wide held = sweep->held[kind];
		wide whole = most(sweep->host->capacity[kind], held);
		sweep->rate[kind] = whole > 0 ? (weights[kind] << RATE_SHIFT) / (whole * sum) : 0;
		value += sweep->rate[kind] * held;
		idle += sweep->rate[kind] * (whole - held);
	}
	wide ratio = value > 0 ? (idle << GAIN_SHIFT) / value : 0;
	for (size_t kind = 0; kind < COST_KINDS; kind++) /* ratio ≤ 2^127 ÷ (rate × held) */
		sweep->gain[kind] =
			sweep->held[kind] > 0 ? (sweep->rate[kind] * ratio) >> GAIN_SHIFT : 0;
	sweep->any = value > 0;
	sweep->changed = false;
}

static void pass(struct sweep *sweep, int64_t until_at)
{
	wide length = (wide)(until_at - sweep->now);
	if (length == 0)
		return;
	if (sweep->changed)
		find_rates(sweep);
	sweep->now = until_at;
	if (!sweep->any) {
		sweep->unallocated += length;
		return;
	}
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		sweep->value[kind] += sweep->rate[kind] * length;
		sweep->idle[kind] += sweep->gain[kind] * length;
	}
}

static void begin_entry(struct sweep *sweep, struct split_entry *entry)
{
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		sweep->held[kind] += entry->held[kind];
		entry->value_then[kind] = sweep->value[kind];
		entry->idle_then[kind] = sweep->idle[kind];
	}
	sweep->changed = true;
}

static void end_entry(struct sweep *sweep, struct split_entry *entry)
{
	struct split_weights weights = { 0 };
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		wide value = sweep->value[kind] - entry->value_then[kind];
		wide idle = sweep->idle[kind] - entry->idle_then[kind];
		weights.used += value * entry->used[kind];
		weights.unused += value * (entry->held[kind] - entry->used[kind]);
		weights.idle += idle * entry->held[kind];
		sweep->held[kind] -= entry->held[kind];
	}
	entry->weights =
		(struct split_weights){ weights.used >> WEIGHT_OFF, weights.unused >> WEIGHT_OFF,
					weights.idle >> WEIGHT_OFF };
	sweep->changed = true;
}

static int by_time(const void *a, const void *b)
{
	const struct split_event *one = a, *other = b;
	return (one->at > other->at) - (one->at < other->at);
}

/* Begins those that are there when the cell begins; the others, and ends, become events. */
static size_t find_events(const struct split_cell *cell, struct sweep *sweep)
{
	size_t count = 0;
	for (size_t i = 0; i < cell->count; i++) {
		struct split_entry *entry = cell->entries[i];
		if (entry->since_at > cell->since_at)
			cell->events[count++] = (struct split_event){ entry->since_at, entry, 1 };
		else
			begin_entry(sweep, entry);
		if (entry->until_at < cell->until_at)
			cell->events[count++] = (struct split_event){ entry->until_at, entry, 0 };
	}
	if (count > 1)
		qsort(cell->events, count, sizeof(*cell->events), by_time);
	return count;
}

wide split_by_held(const struct split_cell *cell)
{
	struct sweep sweep = { .host = cell->host, .now = cell->since_at, .changed = true };
	size_t count = find_events(cell, &sweep);
	for (size_t i = 0; i < count; i++) {
		pass(&sweep, cell->events[i].at);
		if (cell->events[i].begins)
			begin_entry(&sweep, cell->events[i].entry);
		else
			end_entry(&sweep, cell->events[i].entry);
	}
	pass(&sweep, cell->until_at);
	for (size_t i = 0; i < cell->count; i++)
		if (cell->entries[i]->until_at >= cell->until_at)
			end_entry(&sweep, cell->entries[i]);
	return sweep.unallocated << (RATE_SHIFT - WEIGHT_OFF);
}
