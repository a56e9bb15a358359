/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "signal.pb-c.h"

struct store;

/*
 * Which host a run is of: the one that first sent its Run record. The id of a run is made by its
 * agent, and can be guessed. So where a host sends records under the run id of another host, they
 * get an id of their own: they add nothing to the foreign run, and a host that claims the runs of
 * another before they begin makes that host lose nothing.
 *
 * A cache of what the store holds, and what came since. Any thread may call. At half of
 * RUN_OWNERS_MAX runs all are forgotten.
 */
#define RUN_OWNERS_MAX       200000
#define RUN_OWNERS_BATCH_MAX 10000 /* runs of one batch that are new */

struct arena;
struct run_owners;

struct run_owners *run_owners_new(void);         /* NULL: no memory */
void run_owners_free(struct run_owners *owners); /* NULL is fine */

/* Notes the runs of a batch as those of its host, and replaces the ids of runs of other hosts by
 * new ones in the arena. *ret_replaced: how many records. Errors as of store_query; -ENOMEM;
 * -EPROTO: it has too many. */
int run_owners_apply(struct run_owners *owners, struct store *store, Signal__Batch *batch,
		     struct arena *arena, size_t *ret_replaced, struct error *err);
