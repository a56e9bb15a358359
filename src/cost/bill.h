/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cost/allocation.h"
#include "cost/interval.h"
#include "cost/price.h"

struct map;

/*
 * Who pays for what in a window of time: hosts with their prices, the runs on them, and the tasks
 * of the runs, with the cost of each (cost/allocation.h). A host is billed for the intervals in
 * which it was up: a machine that was off costs nothing. Each interval is a struct cost_host, and
 * the presence of a run on a host is cut to these intervals. Filled by server/billing/bill_read.h.
 */
struct bill_host {
	char *id, *hostname, *instance_type; /* instance_type "": unknown */
	struct cost_price price;
	double cpus; /* 0: unknown */
	uint64_t memory_bytes;
};

struct bill_run {
	char *id, *name, *pipeline, *user, *engine;
	bool priced; /* every host of the run has a price */
	uint64_t cpu_ns;
	int64_t whole_nusd, tasks_nusd, engine_nusd, idle_nusd;
};

struct bill_task {
	char *id, *step; /* id NULL: a step or a tool, not a task */
	size_t run, host;
};

struct bill {
	struct bill_host *hosts;
	struct bill_run *runs;
	struct interval *intervals; /* those of split.hosts */
	size_t *presence_runs;      /* of split.presences: index into runs */
	uint64_t *presence_cpu_ns;  /* of split.presences: of the tasks, too */
	struct bill_task *tasks;    /* those of split.tasks */
	struct cost_bill split;
	size_t host_count, run_count;
	struct map *host_index, *run_index, *presence_index, *task_index; /* index + 1 */
	int64_t since_at, until_at;
};

/* The longest window of a bill: a run in a store of an earlier version may have begun in 1970. */
#define BILL_MAX_NS ((int64_t)3650 * 86400 * NS_PER_S)

/* An empty bill of [since_at, until_at), ns since the epoch; a longer window than BILL_MAX_NS is
 * cut at its beginning. NULL: no memory. */
struct bill *bill_new(int64_t since_at, int64_t until_at);
void bill_free(struct bill *bill); /* NULL is fine */
DEFINE_CLEANUP(struct bill *, bill_free)

/* The engines' CPU time is among that of the tasks: it gets no part of its own. */
void bill_forget_engines(struct bill *bill);
/* Computes the costs of a bill that has its hosts, runs and tasks. Errors as of cost_allocate. */
int bill_split(struct bill *bill);

/* NULL: the bill has no host, or run, of this id. */
const struct bill_host *bill_host(const struct bill *bill, const char *id);
const struct bill_run *bill_run(const struct bill *bill, const char *id);
/* The host of a presence. */
const struct bill_host *bill_presence_host(const struct bill *bill, size_t presence);
/* Whether the host of a presence has a price. */
bool bill_presence_priced(const struct bill *bill, size_t presence);
/* The cost of a task, USD; < 0: unknown. */
double bill_task_usd(const struct bill *bill, const char *id);
