/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "cost/bill.h"

struct server;

/* Among what the part of a run on a host is split: its cost_tasks. */
enum bill_parts {
	BILL_WHOLE, /* nothing: the cost of hosts and of complete runs */
	BILL_TASKS, /* the tasks of one run */
	BILL_STEPS, /* the steps of all runs */
	BILL_TOOLS, /* the tools of all runs, those of the engine, too */
};

/* Makes the bill of [since_at, until_at), ns since the epoch, from the queries activity_*. run: for
 * BILL_TASKS. -EIO, -ENOMEM with words. */
int bill_make(struct server *server, int64_t since_at, int64_t until_at, enum bill_parts parts,
	      const char *run, struct bill **ret, struct error *err);
/* A bill of hosts and their prices alone: no runs, no costs. */
int bill_make_hosts(struct server *server, struct bill **ret, struct error *err);
/* As bill_make, for the costs of runs and tasks alone: the bill has no runs where no host has a
 * price, and these queries are saved. run: with the costs of its tasks; NULL: without. */
int bill_make_costs(struct server *server, int64_t since_at, int64_t until_at, const char *run,
		    struct bill **ret, struct error *err);
