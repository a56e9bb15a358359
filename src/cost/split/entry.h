/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cost/split.h"

/*
 * A hold while it is split: its amounts within their limit, held ≥ the larger of the others. The
 * rules (rule.h) fill in the weights of its parts in the cell at hand.
 */
typedef unsigned __int128 wide;

struct split_weights { /* of the amount of a cell: each < 2^83, and all of a cell together */
	wide used, unused, idle;
};

struct split_entry {
	size_t index; /* in the holds that were given */
	int64_t since_at, until_at;
	uint64_t key;
	uint64_t reserved[COST_KINDS], used[COST_KINDS], held[COST_KINDS];
	struct split_weights weights;
	/* of COST_RULE_HELD: the integrals when the entry began in the cell */
	wide value_then[COST_KINDS], idle_then[COST_KINDS];
};

/* Copies the holds that last and hold something into entries, which has room for all, in the order
 * in which equal remainders are served: by key, then by what they hold, then by time, then by
 * index. Returns their number. */
size_t split_entries(const struct cost_hold *holds, size_t count, struct split_entry *entries);
