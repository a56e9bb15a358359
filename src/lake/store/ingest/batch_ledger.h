/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "signal.pb-c.h"

/*
 * Which batches are stored, in memory: the sequences of each agent (host, agent, boot) as ranges.
 * An agent counts without gaps, so most have one range. Filled from the store, and kept by the one
 * thread that writes.
 */
#define BATCH_LEDGER_AGENTS_MAX (1u << 20)
#define BATCH_LEDGER_RANGES_MAX (1u << 16) /* of one agent */
/* Words for a batch beyond. */
#define BATCH_LEDGER_FULL "too many gaps between the sequences of this agent, or too many agents"

struct batch_ledger;

struct batch_ledger *batch_ledger_new(void);         /* NULL: no memory */
void batch_ledger_free(struct batch_ledger *ledger); /* NULL is fine */

/* Adds the sequences from first to last. -ENOMEM; -ENOSPC: there are too many agents, or ranges of
 * this one. */
int batch_ledger_add_range(struct batch_ledger *ledger, const char *host_id, const char *agent_id,
			   const char *boot_id, uint64_t first, uint64_t last);
/* Errors as above. */
int batch_ledger_add(struct batch_ledger *ledger, const Signal__Batch *batch);
bool batch_ledger_has(const struct batch_ledger *ledger, const Signal__Batch *batch);
/* Whether batch_ledger_add would return -ENOSPC. */
bool batch_ledger_is_full(const struct batch_ledger *ledger, const Signal__Batch *batch);
