/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "cost/split.h"

/*
 * A host, its stretches and holds as text, and what a split gave, summed up:
 *
 *     host CPUS GIB GPUS CPU_PPM MEMORY_PPM GPU_PPM
 *     up SINCE UNTIL USD_HOUR
 *     hold SINCE UNTIL CPUS GIB GPUS / CPUS GIB GPUS      reserved / used
 *
 * Times are hours since 1970; things are separated by ";".
 */
#define SPLIT_S    1000000000LL
#define SPLIT_HOUR (3600 * SPLIT_S)
#define SPLIT_USD  1000000000LL /* in nano-dollars */
#define SPLIT_MOST 256

struct split_case {
	struct cost_host host;
	struct cost_stretch stretches[SPLIT_MOST];
	struct cost_hold holds[SPLIT_MOST];
	size_t stretch_count, hold_count;
};

/* What each hold got, over all cells. Checks that only holds with time in a cell get a part, and
 * each cell: its parts and unallocated_nusd are its whole, none is negative, it lies within one
 * hour and after the one before. */
struct split_sums {
	struct cost_part parts[SPLIT_MOST];
	int64_t whole_nusd, unallocated_nusd;
	size_t cells, calls;
	const struct split_case *input;
	int64_t cell_nusd, last_at; /* of the cell at hand; the end of the last one */
};

/* Reads the words of a statement that it knows; false: it is another one. */
bool split_case_read(struct split_case *input, const char *statement);
/* Runs the split, which must succeed. */
void split_case_run(const struct split_case *input, enum cost_rule rule, struct split_sums *sums);
int64_t split_cost(const struct cost_part *part);
