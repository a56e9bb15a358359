/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/split.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cost/share_out.h"
#include "cost/split/entry.h"
#include "cost/split/rule.h"
#include "cost/split/timeline.h"

#define NS_PER_HOUR (3600 * NS_PER_S)

static wide (*const rules[])(const struct split_cell *cell) = {
	[COST_RULE_HELD] = split_by_held,
	[COST_RULE_AWS] = split_by_aws,
};

struct split {
	struct cost_host host;
	wide (*rule)(const struct split_cell *cell);
	const struct cost_sink *sink;
	struct cost_stretch *stretches; /* owned, as the other pointers: by time, none empty */
	size_t stretch_count;
	struct split_entry *entries;
	size_t entry_count;
	struct timeline timeline;
	struct split_event *events;
	wide *weights; /* for each entry and one more */
	int64_t *parts;
};

static void split_clear(struct split *split)
{
	free(split->stretches);
	free(split->entries);
	timeline_clear(&split->timeline);
	free(split->events);
	free(split->weights);
	free(split->parts);
}

static struct cost_host limited_host(const struct cost_host *host)
{
	struct cost_host limited = *host;
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		if (limited.capacity[kind] > COST_AMOUNT_LIMIT)
			limited.capacity[kind] = COST_AMOUNT_LIMIT;
		if (limited.weight_ppm[kind] > COST_MILLION)
			limited.weight_ppm[kind] = COST_MILLION;
	}
	return limited;
}

static int by_start(const void *a, const void *b)
{
	const struct cost_stretch *one = a, *other = b;
	return (one->since_at > other->since_at) - (one->since_at < other->since_at);
}

/* Copies those that last, and sorts them. */
static int take_stretches(struct split *split, const struct cost_stretch *stretches, size_t count)
{
	struct cost_stretch *all = calloc(count + 1, sizeof(*all));
	size_t kept = 0;
	int64_t total = 0, length = 0;
	split->stretches = all;
	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (stretches[i].nusd_hour < 0 || stretches[i].nusd_hour > COST_NUSD_HOUR_LIMIT ||
		    stretches[i].since_at < INT64_MIN / 2)
			return -EINVAL;
		if (stretches[i].since_at < stretches[i].until_at)
			all[kept++] = stretches[i];
	}
	qsort(all, kept, sizeof(*all), by_start);
	for (size_t i = 0; i < kept; i++) {
		if ((i > 0 && all[i].since_at < all[i - 1].until_at) ||
		    __builtin_sub_overflow(all[i].until_at, all[i].since_at, &length) ||
		    length > COST_TIME_LIMIT - total)
			return -EINVAL;
		total += length;
	}
	split->stretch_count = kept;
	return 0;
}

static int take_holds(struct split *split, const struct cost_hold *holds, size_t count)
{
	split->entries = calloc(count + 1, sizeof(*split->entries));
	split->events = calloc(2 * count + 1, sizeof(*split->events));
	split->weights = calloc(count + 1, sizeof(*split->weights));
	split->parts = calloc(count + 1, sizeof(*split->parts));
	if (!split->entries || !split->events || !split->weights || !split->parts)
		return -ENOMEM;
	split->entry_count = split_entries(holds, count, split->entries);
	return timeline_make(&split->timeline, split->entries, split->entry_count);
}

/* Of the time since the begin of the hour. Rounded up to here, so that the parts of an hour at one
 * price add up however it is cut. */
static int64_t amount_until(int64_t nusd_hour, int64_t length)
{
	return (int64_t)(((wide)nusd_hour * (wide)length + NS_PER_HOUR / 2) / NS_PER_HOUR);
}

static int64_t hour_before(int64_t at)
{
	int64_t rest = at % NS_PER_HOUR;
	return at - (rest < 0 ? rest + NS_PER_HOUR : rest);
}

/* An entry's amount over its parts. Its weights are not all 0 where it gets something. */
static int emit_part(struct split *split, const struct cost_cell *cell, size_t place)
{
	const struct split_entry *entry = split->timeline.active[place];
	const struct split_weights *weights = &entry->weights;
	const wide of_parts[] = { weights->used, weights->unused, weights->idle };
	int64_t parts[3] = { 0 };
	int rc = cost_share_out(split->parts[place], of_parts, 3, parts);
	if (rc != 0 || !split->sink->part)
		return rc;
	const struct cost_part part = { parts[0], parts[1], parts[2] };
	return split->sink->part(split->sink->context, cell, entry->index, &part);
}

static int split_cell(struct split *split, struct cost_cell *cell)
{
	timeline_visit(&split->timeline, cell->since_at, cell->until_at);
	size_t count = split->timeline.active_count;
	const struct split_cell input = { &split->host,           cell->since_at, cell->until_at,
					  split->timeline.active, count,          split->events };
	split->weights[count] = split->rule(&input);
	for (size_t i = 0; i < count; i++) {
		const struct split_weights *weights = &split->timeline.active[i]->weights;
		split->weights[i] = weights->used + weights->unused + weights->idle;
	}
	int rc = cost_share_out(cell->whole_nusd, split->weights, count + 1, split->parts);
	cell->unallocated_nusd = split->parts[count];
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = emit_part(split, cell, i);
	return rc != 0 || !split->sink->cell ? rc : split->sink->cell(split->sink->context, cell);
}

static int split_stretch(struct split *split, const struct cost_stretch *stretch)
{
	int rc = 0;
	for (int64_t now = stretch->since_at, next; rc == 0 && now < stretch->until_at;
	     now = next) {
		int64_t hour = hour_before(now), price = stretch->nusd_hour;
		next = stretch->until_at - hour > NS_PER_HOUR ? hour + NS_PER_HOUR
							      : stretch->until_at;
		struct cost_cell cell = { .since_at = now, .until_at = next };
		cell.whole_nusd =
			amount_until(price, next - hour) - amount_until(price, now - hour);
		rc = split_cell(split, &cell);
	}
	return rc;
}

int cost_split(const struct cost_host *host, const struct cost_stretch *stretches,
	       size_t stretch_count, const struct cost_hold *holds, size_t hold_count,
	       enum cost_rule rule, const struct cost_sink *sink)
{
	CLEANUP(split_clear) struct split split = { .sink = sink };
	if (rule >= sizeof(rules) / sizeof(*rules))
		return -EINVAL;
	split.host = limited_host(host);
	split.rule = rules[rule];
	int rc = take_stretches(&split, stretches, stretch_count);
	if (rc == 0)
		rc = take_holds(&split, holds, hold_count);
	for (size_t i = 0; rc == 0 && i < split.stretch_count; i++)
		rc = split_stretch(&split, &split.stretches[i]);
	return rc;
}
