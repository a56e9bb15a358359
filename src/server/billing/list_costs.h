/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/billing/run_cost.h"

/* What the runs of a list cost: of settled runs as it was kept (kept_cost.h), of others now. */
struct list_costs {
	struct task_costs kept; /* by the ids of runs */
	struct sheet *sheet;    /* of the others; NULL: there are none */
	struct run_cost *costs; /* by its runs */
};

/* runs: the answer of runs_costs. Errors as of query_named. list_costs_clear in any case. */
int list_costs_make(struct server *server, struct store_rows *runs, struct list_costs *ret,
		    struct error *err);
void list_costs_clear(struct list_costs *costs);
/* NULL: nothing is known. */
const struct run_cost *list_cost(const struct list_costs *costs, const char *id);
