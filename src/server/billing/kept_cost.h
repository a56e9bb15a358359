/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"
#include "server/billing/run_cost.h"

/*
 * What a run cost is kept when it settles. It changes afterwards only by late records, a corrected
 * price, a bill, or other settings; each change is kept, too, with why.
 */
struct cost_change {
	int64_t at; /* ns since the epoch */
	struct run_cost from, to;
	char why[400];
};

/* Keeps what a run cost at that instant (ns since the epoch), and that is settled (of
 * store_run_state, before the cost was computed).
 * -ESTALE, -ENOMEM, -EIO as of run_document_keep. */
int kept_cost_keep(struct server *server, const char *id, uint64_t settled,
		   const struct run_cost *cost, int64_t at, struct error *err);
/* The cost of the column `cost` of runs_costs. false: none is kept, or by another rule. */
bool kept_cost_read(const char *text, enum cost_rule rule, struct run_cost *ret);
/* Looks again at what some settled runs cost, behind a corrected price or a bill. Whether more may
 * be left. */
bool kept_costs_renew(struct server *server);
/* How the cost of a run changed since it settled first, until now: the last change is to `now`
 * where that is not kept yet. *ret: an array that the caller frees. Errors as of query_named. */
int kept_cost_changes(struct server *server, const char *id, const struct run_cost *now,
		      struct cost_change **ret, size_t *ret_count, struct error *err);
