/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/bill.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

#define INDEX_MAX (1 << 22)

void bill_free(struct bill *bill)
{
	if (!bill)
		return;
	for (size_t i = 0; i < bill->host_count; i++) {
		free(bill->hosts[i].id);
		free(bill->hosts[i].hostname);
		free(bill->hosts[i].instance_type);
	}
	for (size_t i = 0; i < bill->run_count; i++) {
		free(bill->runs[i].id);
		free(bill->runs[i].name);
		free(bill->runs[i].pipeline);
		free(bill->runs[i].user);
		free(bill->runs[i].engine);
	}
	for (size_t i = 0; i < bill->split.task_count; i++) {
		free(bill->tasks[i].id);
		free(bill->tasks[i].step);
	}
	free(bill->hosts);
	free(bill->runs);
	free(bill->intervals);
	free(bill->presence_runs);
	free(bill->presence_cpu_ns);
	free(bill->tasks);
	free(bill->split.hosts);
	free(bill->split.presences);
	free(bill->split.tasks);
	map_free(bill->host_index);
	map_free(bill->run_index);
	map_free(bill->presence_index);
	map_free(bill->task_index);
	free(bill);
}

struct bill *bill_new(int64_t since_at, int64_t until_at)
{
	CLEANUP(bill_freep) struct bill *bill = calloc(1, sizeof(*bill));

	if (!bill)
		return NULL;
	bill->since_at = since_at > until_at - BILL_MAX_NS ? since_at : until_at - BILL_MAX_NS;
	bill->until_at = until_at;
	bill->host_index = map_new(sizeof(struct map_text_key), INDEX_MAX);
	bill->run_index = map_new(sizeof(struct map_text_key), INDEX_MAX);
	bill->presence_index = map_new(sizeof(struct map_text_key), INDEX_MAX);
	bill->task_index = map_new(sizeof(struct map_text_key), INDEX_MAX);
	if (!bill->host_index || !bill->run_index || !bill->presence_index || !bill->task_index)
		return NULL;
	return TAKE_PTR(bill);
}

/* The cost of each run: the sum of its presences. */
static void sum_runs(struct bill *bill)
{
	for (size_t i = 0; i < bill->split.presence_count; i++) {
		const struct cost_presence *presence = &bill->split.presences[i];
		struct bill_run *run = &bill->runs[bill->presence_runs[i]];

		run->whole_nusd += presence->whole_nusd;
		run->tasks_nusd += presence->tasks_nusd;
		run->engine_nusd += presence->engine_nusd;
		run->idle_nusd += presence->idle_nusd;
		run->priced = run->priced && bill_presence_priced(bill, i);
	}
}

void bill_forget_engines(struct bill *bill)
{
	for (size_t i = 0; i < bill->split.presence_count; i++)
		bill->split.presences[i].engine_cpu_ns = 0;
}

int bill_split(struct bill *bill)
{
	int rc = cost_allocate(&bill->split);

	if (rc == 0)
		sum_runs(bill);
	return rc;
}

static size_t find(const struct map *map, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));

	return (size_t)(uintptr_t)map_get(map, &key);
}

const struct bill_host *bill_host(const struct bill *bill, const char *id)
{
	size_t at = find(bill->host_index, id);

	return at ? &bill->hosts[at - 1] : NULL;
}

const struct bill_run *bill_run(const struct bill *bill, const char *id)
{
	size_t at = find(bill->run_index, id);

	return at ? &bill->runs[at - 1] : NULL;
}

const struct bill_host *bill_presence_host(const struct bill *bill, size_t presence)
{
	return &bill->hosts[bill->intervals[bill->split.presences[presence].host].host];
}

bool bill_presence_priced(const struct bill *bill, size_t presence)
{
	return cost_is_known(bill_presence_host(bill, presence)->price.usd_hour);
}

double bill_task_usd(const struct bill *bill, const char *id)
{
	size_t at = find(bill->task_index, id);

	if (!at || !cost_is_known(bill->hosts[bill->tasks[at - 1].host].price.usd_hour))
		return -1;
	return cost_usd(bill->split.tasks[at - 1].nusd);
}
