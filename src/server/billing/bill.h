/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "server/query/interval.h"
#include "sweep/cost.h"

struct map;
struct server;

/*
 * Who pays for what in a window of time: the lake's activity, priced by cloud/, split by
 * sweep/cost. A host is billed for the intervals in which it was up (a machine that was off costs
 * nothing); each interval is a struct cost_host, and a run's presence on a host is cut to them.
 */
struct bill_host {
	char *id, *hostname, *instance_type; /* instance_type "": unknown */
	double usd_hour;                     /* < 0: unknown */
	char source[128];                    /* of the price */
	double cpus;
	uint64_t memory_bytes;
};

struct bill_run {
	char *id, *name, *pipeline, *user, *engine;
	bool priced; /* every host of it has a price */
	uint64_t cpu_ns;
	int64_t whole_nusd, tasks_nusd, engine_nusd, idle_nusd;
};

struct bill_task {
	char *id, *step;
	size_t run, host;
};

struct bill {
	struct bill_host *hosts;
	struct bill_run *runs;
	struct interval *intervals; /* those of split.hosts */
	size_t *presence_runs;      /* of split.presences: index into runs */
	struct bill_task *tasks;    /* those of split.tasks */
	struct cost_bill split;
	size_t host_count, run_count;
	struct map *host_index, *run_index, *presence_index, *task_index;
	int64_t since_at, until_at;
};

/* No bill is of a longer window: a run of a store of an earlier version may have begun in 1970. */
#define BILL_MAX_NS ((int64_t)3650 * 86400 * NS_PER_S)

/* Nano-dollars as dollars: the double nearest to the exact decimal. */
static inline double bill_usd(int64_t nusd)
{
	return (double)nusd / 1e9;
}

/* The bill of [since_at, until_at), ns since the epoch. -EIO, -ENOMEM with words. */
int bill_make(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
	      struct error *err);
/* The same without its tasks: what hosts and runs cost as a whole. Less than half the work. */
int bill_make_whole(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
		    struct error *err);
void bill_free(struct bill *bill); /* NULL is fine */

/* NULL: the bill knows none of this id. */
const struct bill_host *bill_host(const struct bill *bill, const char *id);
const struct bill_run *bill_run(const struct bill *bill, const char *id);
/* Whether the host under a presence or a task has a price. */
bool bill_presence_priced(const struct bill *bill, size_t presence);
/* What a task cost, USD; < 0: unknown. */
double bill_task_usd(const struct bill *bill, const char *id);
