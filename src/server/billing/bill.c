/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/bill.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "cloud/cloud.h"
#include "server/query/query.h"
#include "server/billing/bill_gather.h"

#define INDEX_MAX (1 << 22)
/* A host that was not heard of for as long was off: samples come every few seconds. */
#define UP_GAP_NS (60 * NS_PER_S)

DEFINE_CLEANUP(struct bill *, bill_free)

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

static struct bill *make_empty(int64_t since_at, int64_t until_at)
{
	struct bill *bill = calloc(1, sizeof(*bill));

	if (!bill)
		return NULL;
	bill->since_at = since_at;
	bill->until_at = until_at;
	bill->host_index = map_new(sizeof(struct map_text_key), INDEX_MAX);
	bill->run_index = map_new(sizeof(struct map_text_key), INDEX_MAX);
	bill->presence_index = map_new(sizeof(struct map_text_key), INDEX_MAX);
	bill->task_index = map_new(sizeof(struct map_text_key), INDEX_MAX);
	if (bill->host_index && bill->run_index && bill->presence_index && bill->task_index)
		return bill;
	bill_free(bill);
	return NULL;
}

/* What each run paid, over its presences. */
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

static int make(struct server *server, int64_t since_at, int64_t until_at, bool tasks,
		struct bill **ret, struct error *err)
{
	int64_t first_at = since_at > until_at - BILL_MAX_NS ? since_at : until_at - BILL_MAX_NS;
	CLEANUP(bill_freep) struct bill *bill = make_empty(first_at, until_at);
	const struct store_param window[] = { PARAM_TIME("since_at", first_at),
					      PARAM_TIME("until_at", until_at) };
	CLEANUP(store_rows_freep) struct store_rows *hosts = NULL, *up = NULL, *runs = NULL;
	const struct store_param all[] = { PARAM_OPTIONAL("host", NULL) };
	int rc;

	if (!bill)
		return error_set(err, -ENOMEM, "out of memory");
	rc = QUERY(server, "hosts", all, &hosts, err);
	if (rc == 0)
		rc = QUERY(server, "activity_up", window, &up, err);
	if (rc == 0)
		rc = QUERY(server, "activity_runs", window, &runs, err);
	if (rc == 0)
		rc = gather_hosts(bill, hosts);
	if (rc == 0)
		rc = gather_intervals(bill, up, runs, UP_GAP_NS);
	if (rc == 0 && tasks)
		rc = gather_tasks(bill, server, err);
	if (rc == 0)
		rc = cost_split(&bill->split);
	if (rc)
		return err->text[0] ? rc : error_set(err, rc, "the bill: %s", strerror(-rc));
	sum_runs(bill);
	*ret = TAKE_PTR(bill);
	return 0;
}

int bill_make(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
	      struct error *err)
{
	return make(server, since_at, until_at, true, ret, err);
}

int bill_make_whole(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
		    struct error *err)
{
	return make(server, since_at, until_at, false, ret, err);
}

/* Indexes hold an index + 1, since a value may not be NULL. */
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

bool bill_presence_priced(const struct bill *bill, size_t presence)
{
	size_t interval = bill->split.presences[presence].host;

	return bill->hosts[bill->intervals[interval].host].usd_hour >= 0;
}

double bill_task_usd(const struct bill *bill, const char *id)
{
	size_t at = find(bill->task_index, id);

	if (!at || bill->hosts[bill->tasks[at - 1].host].usd_hour < 0)
		return -1;
	return bill_usd(bill->split.tasks[at - 1].nusd);
}
