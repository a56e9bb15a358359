/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/billing/bill.h"

struct store_rows;

/* A bill by one key: pipeline, run, step, … Rows and idle add up to the whole. */
struct cost_row {
	char *key;
	size_t runs;
	bool priced; /* false: a part of it has no price */
	int64_t nusd;
	uint64_t cpu_ns;
};

struct cost_rows {
	struct cost_row *items;
	size_t count;
	int64_t whole_nusd, idle_nusd;
	size_t priced_hosts, unpriced_hosts;
	struct map *index, *seen;
};

/* -ENOMEM. */
int cost_rows_init(struct cost_rows *rows, const struct bill *bill);
void cost_rows_clear(struct cost_rows *rows);

/* Each fills the rows by its key; the dearest first. -ENOMEM. */
int cost_by_pipeline(struct cost_rows *rows, const struct bill *bill);
int cost_by_run(struct cost_rows *rows, const struct bill *bill);
int cost_by_user(struct cost_rows *rows, const struct bill *bill);
int cost_by_instance(struct cost_rows *rows, const struct bill *bill);
int cost_by_step(struct cost_rows *rows, const struct bill *bill);
/* tools: activity_tools of the bill's window. */
int cost_by_tool(struct cost_rows *rows, const struct bill *bill, struct store_rows *tools);
void cost_rows_sort(struct cost_rows *rows);

/* Adds to the row of a key, which is made when it is new. run: index, for counting each once. */
int cost_rows_add(struct cost_rows *rows, const char *key, size_t run, int64_t nusd,
		  uint64_t cpu_ns, bool priced);
