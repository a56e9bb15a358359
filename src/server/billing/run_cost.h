/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/billing/sheet_read.h"
#include "server/query/query.h"

/* A sheet includes a minute before and after the runs that it is made for: some work starts before
 * the record of the root process, or ends after it. */
#define RUN_MARGIN_NS (60 * NS_PER_S)

/* What a run, or a part of it, cost. */
struct run_cost {
	struct cost_part part;
	bool priced; /* false: some of it has no price; or nothing is known */
	bool billed; /* some of its hosts have prices of a bill */
};

/* The sheet of the time during which this run was active; it has no runs where no host has a price.
 * -ENOENT too. */
int run_sheet(struct server *server, const char *id, struct sheet **ret, struct error *err);
/* The same of any time, for the costs of runs. */
int runs_sheet(struct server *server, int64_t since_at, int64_t until_at, struct sheet **ret,
	       struct error *err);

/* Of a run, by its index (SIZE_MAX: none). */
struct run_cost run_cost_of(const struct sheet *sheet, size_t run);
/* Of all runs: an array that the caller frees; NULL: no memory. */
struct run_cost *run_costs_of(const struct sheet *sheet);

/* The costs of the tasks of a run by their ids. */
struct task_costs {
	struct run_cost *items;
	struct map *index; /* index + 1 */
};
/* -ENOMEM. task_costs_clear in any case. */
int task_costs_make(const struct sheet *sheet, size_t run, struct task_costs *ret);
void task_costs_clear(struct task_costs *costs);
/* NULL: it held nothing in the time of the sheet. */
const struct run_cost *task_cost(const struct task_costs *costs, const char *id);
