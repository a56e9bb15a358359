/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/allocation.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cost/price.h"
#include "cost/share_out.h"

/* With these, a bill stays below 2^60 nano-dollars and a weight below 2^67: products fit. */
#define PRICE_LIMIT  1e4 /* USD an hour */
#define TIME_LIMIT   ((int64_t)10 * 366 * 86400 * NS_PER_S)
#define WEIGHT_SHIFT 8 /* parts of an instant are counted in 1/256 ns */

typedef unsigned __int128 wide;

struct boundary {
	int64_t at;
	int change; /* of how many are present */
	size_t presence;
};

static int by_time(const void *a, const void *b)
{
	const struct boundary *one = a, *other = b;
	return (one->at > other->at) - (one->at < other->at);
}

/* mine: the indexes of the host's presences; boundaries count these. */
static size_t add_boundaries(const struct cost_bill *bill, size_t host, const size_t *mine,
			     size_t mine_count, struct boundary *boundaries)
{
	const struct cost_host *window = &bill->hosts[host];
	size_t count = 0;
	for (size_t i = 0; i < mine_count; i++) {
		const struct cost_presence *presence = &bill->presences[mine[i]];
		int64_t since = presence->since_at, until = presence->until_at;
		since = since < window->since_at ? window->since_at : since;
		until = until > window->until_at ? window->until_at : until;
		if (since >= until)
			continue;
		boundaries[count++] = (struct boundary){ since, 1, i };
		boundaries[count++] = (struct boundary){ until, -1, i };
	}
	qsort(boundaries, count, sizeof(*boundaries), by_time);
	return count;
}

/*
 * Each instant of the window is shared equally among the runs that are present then. The boundaries
 * are visited in order of time; `integral` is the sum, from the start of the window until now, of
 * (time / runs present), so that the weight of a presence is by how much `integral` grew from its
 * first boundary to its last. Returns the weight of the instants without a run.
 */
static wide sweep_line(const struct cost_host *window, const struct boundary *boundaries,
		       size_t count, wide *weights)
{
	wide integral = 0, unused = 0;
	int64_t now = window->since_at, present = 0;
	for (size_t i = 0; i <= count; i++) {
		int64_t next = i < count ? boundaries[i].at : window->until_at;
		wide step = next > now ? (wide)(next - now) << WEIGHT_SHIFT : 0;
		if (present > 0)
			integral += step / (wide)present;
		else
			unused += step;
		now = next;
		if (i == count)
			break;
		present += boundaries[i].change;
		if (boundaries[i].change > 0)
			weights[boundaries[i].presence] -= integral;
		else
			weights[boundaries[i].presence] += integral;
	}
	return unused;
}

static int64_t host_bill(const struct cost_host *host)
{
	if (host->until_at <= host->since_at)
		return 0;
	return cost_nusd(host->usd_hour, (uint64_t)(host->until_at - host->since_at));
}

struct scratch { /* room for every presence or task and one more */
	struct boundary *boundaries;
	wide *weights;
	int64_t *parts;
	size_t *items;          /* tasks by presence */
	size_t *first;          /* of each presence: its first task in items */
	size_t *presences;      /* by host */
	size_t *first_presence; /* of each host: its first one in presences */
};

static void scratch_clear(struct scratch *scratch)
{
	free(scratch->boundaries);
	free(scratch->weights);
	free(scratch->parts);
	free(scratch->items);
	free(scratch->first);
	free(scratch->presences);
	free(scratch->first_presence);
}

static bool scratch_make(struct scratch *scratch, const struct cost_bill *bill)
{
	size_t most =
		bill->presence_count > bill->task_count ? bill->presence_count : bill->task_count;
	scratch->boundaries = calloc(2 * bill->presence_count + 1, sizeof(*scratch->boundaries));
	scratch->weights = calloc(most + 2, sizeof(*scratch->weights));
	scratch->parts = calloc(most + 2, sizeof(*scratch->parts));
	scratch->items = calloc(bill->task_count + 1, sizeof(*scratch->items));
	scratch->first = calloc(bill->presence_count + 2, sizeof(*scratch->first));
	scratch->presences = calloc(bill->presence_count + 1, sizeof(*scratch->presences));
	scratch->first_presence = calloc(bill->host_count + 2, sizeof(*scratch->first_presence));
	return scratch->boundaries && scratch->weights && scratch->parts && scratch->items &&
	       scratch->first && scratch->presences && scratch->first_presence;
}

/* The host's bill over its presences and the time without one. */
static int split_host(struct cost_bill *bill, size_t index, struct scratch *scratch)
{
	struct cost_host *host = &bill->hosts[index];
	const size_t *mine = scratch->presences + scratch->first_presence[index];
	size_t count = scratch->first_presence[index + 1] - scratch->first_presence[index];
	memset(scratch->weights, 0, (count + 1) * sizeof(*scratch->weights));
	size_t boundaries = add_boundaries(bill, index, mine, count, scratch->boundaries);
	host->whole_nusd = host_bill(host);
	scratch->weights[count] =
		sweep_line(host, scratch->boundaries, boundaries, scratch->weights);
	int rc = cost_share_out(host->whole_nusd, scratch->weights, count + 1, scratch->parts);
	if (rc != 0)
		return rc;
	host->unused_nusd = scratch->parts[count];
	for (size_t i = 0; i < count; i++) {
		struct cost_presence *presence = &bill->presences[mine[i]];
		presence->whole_nusd = scratch->parts[i];
		presence->share_ns = (uint64_t)(scratch->weights[i] >> WEIGHT_SHIFT);
	}
	return 0;
}

/* A presence's part over its tasks, the engine, and what was idle. */
static int split_presence(struct cost_bill *bill, size_t index, struct scratch *scratch)
{
	struct cost_presence *presence = &bill->presences[index];
	const size_t *items = scratch->items + scratch->first[index];
	size_t count = scratch->first[index + 1] - scratch->first[index];
	double cpus = bill->hosts[presence->host].cpus;
	wide capacity = (wide)((double)presence->share_ns * (cpus > 0 ? cpus : 0));
	wide used = presence->engine_cpu_ns;
	for (size_t i = 0; i < count; i++) {
		scratch->weights[i] = bill->tasks[items[i]].cpu_ns;
		used += bill->tasks[items[i]].cpu_ns;
	}
	scratch->weights[count] = presence->engine_cpu_ns;
	scratch->weights[count + 1] = capacity > used ? capacity - used : 0;
	int rc = cost_share_out(presence->whole_nusd, scratch->weights, count + 2, scratch->parts);
	if (rc != 0)
		return rc;
	presence->engine_nusd = scratch->parts[count];
	presence->tasks_nusd = 0;
	for (size_t i = 0; i < count; i++) {
		bill->tasks[items[i]].nusd = scratch->parts[i];
		presence->tasks_nusd += scratch->parts[i];
	}
	presence->idle_nusd = presence->whole_nusd - presence->tasks_nusd - presence->engine_nusd;
	return 0;
}

/* Counting sort: tasks stand by presence, in their own order. */
static void group_tasks(const struct cost_bill *bill, struct scratch *scratch)
{
	for (size_t i = 0; i < bill->task_count; i++)
		scratch->first[bill->tasks[i].presence + 2]++;
	for (size_t i = 2; i < bill->presence_count + 2; i++)
		scratch->first[i] += scratch->first[i - 1];
	for (size_t i = 0; i < bill->task_count; i++)
		scratch->items[scratch->first[bill->tasks[i].presence + 1]++] = i;
}

/* The same for presences, by host. */
static void group_presences(const struct cost_bill *bill, struct scratch *scratch)
{
	for (size_t i = 0; i < bill->presence_count; i++)
		scratch->first_presence[bill->presences[i].host + 2]++;
	for (size_t i = 2; i < bill->host_count + 2; i++)
		scratch->first_presence[i] += scratch->first_presence[i - 1];
	for (size_t i = 0; i < bill->presence_count; i++)
		scratch->presences[scratch->first_presence[bill->presences[i].host + 1]++] = i;
}

static bool is_sound(const struct cost_bill *bill)
{
	for (size_t i = 0; i < bill->host_count; i++) {
		const struct cost_host *host = &bill->hosts[i];
		int64_t length = 0;
		if (!(host->usd_hour >= 0 && host->usd_hour <= PRICE_LIMIT) ||
		    !(host->cpus >= 0 && host->cpus <= 1e5) ||
		    __builtin_sub_overflow(host->until_at, host->since_at, &length) ||
		    length > TIME_LIMIT)
			return false;
	}
	for (size_t i = 0; i < bill->presence_count; i++)
		if (bill->presences[i].host >= bill->host_count)
			return false;
	for (size_t i = 0; i < bill->task_count; i++)
		if (bill->tasks[i].presence >= bill->presence_count)
			return false;
	return true;
}

int cost_allocate(struct cost_bill *bill)
{
	CLEANUP(scratch_clear) struct scratch scratch = { 0 };
	int rc = 0;
	if (!is_sound(bill))
		return -EINVAL;
	if (!scratch_make(&scratch, bill))
		return -ENOMEM;
	group_tasks(bill, &scratch);
	group_presences(bill, &scratch);
	for (size_t i = 0; rc == 0 && i < bill->host_count; i++)
		rc = split_host(bill, i, &scratch);
	for (size_t i = 0; rc == 0 && i < bill->presence_count; i++)
		rc = split_presence(bill, i, &scratch);
	return rc;
}
