/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "cost/bill.h"

struct server;

/* Makes the bill of [since_at, until_at), ns since the epoch, from the queries activity_*. -EIO,
 * -ENOMEM with words. */
int bill_make(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
	      struct error *err);
/* A bill of hosts and their prices alone: no runs, no costs. */
int bill_make_hosts(struct server *server, struct bill **ret, struct error *err);
/* As bill_make, without tasks: the cost of hosts and of complete runs. Less than half of the work.
 */
int bill_make_whole(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
		    struct error *err);
/* As bill_make, for the costs of runs (and tasks) alone: the bill has no runs where no host has a
 * price, and these queries are saved. */
int bill_make_costs(struct server *server, int64_t since_at, int64_t until_at, bool tasks,
		    struct bill **ret, struct error *err);
