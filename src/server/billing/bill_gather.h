/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "cost/bill.h"

struct server;
struct store_rows;

/* The parts of bill_make(), in this order: each fills the bill from rows of the lake. -ENOMEM. */
int gather_hosts(struct bill *bill, struct store_rows *hosts);
/* Stretches, runs and presences. up: activity_up; runs: activity_runs. */
int gather_intervals(struct bill *bill, struct store_rows *up, struct store_rows *runs,
		     int64_t gap_ns);
/* The tasks of a run; or of each run and host the parts that a query lists, as tasks with the name
 * of the part as their step. */
int gather_tasks(struct bill *bill, struct server *server, const char *run, struct error *err);
int gather_parts(struct bill *bill, struct server *server, const char *query, struct error *err);
