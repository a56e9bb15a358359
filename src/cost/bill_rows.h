/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost/bill.h"

/* A bill by one key: pipeline, run, step, … The sum of the rows and idle_nusd is whole_nusd. */
struct bill_row {
	char *key;
	size_t runs;
	bool priced; /* false: a part of it has no price */
	int64_t nusd;
	uint64_t cpu_ns;
};

struct bill_rows {
	struct bill_row *items;
	size_t count;
	int64_t whole_nusd, idle_nusd;
	size_t priced_hosts, unpriced_hosts;
	struct map *index, *seen;
	const bool *shown; /* by run: the others are left out; NULL: all are shown. Not owned */
};

/* -ENOMEM. */
int bill_rows_init(struct bill_rows *rows, const struct bill *bill);
void bill_rows_clear(struct bill_rows *rows);

/* Each fills the rows by one key. -ENOMEM. */
int bill_by_pipeline(struct bill_rows *rows, const struct bill *bill);
int bill_by_run(struct bill_rows *rows, const struct bill *bill);
int bill_by_user(struct bill_rows *rows, const struct bill *bill);
int bill_by_instance(struct bill_rows *rows, const struct bill *bill);
/* Of a bill with steps, and of one with tools as its tasks. */
int bill_by_step(struct bill_rows *rows, const struct bill *bill);
int bill_by_tool(struct bill_rows *rows, const struct bill *bill);
/* The most expensive rows first. */
void bill_rows_sort(struct bill_rows *rows);

/* Adds to the row of a key, which is made when it is new. run: index, for counting each once. */
int bill_rows_add(struct bill_rows *rows, const char *key, size_t run, int64_t nusd,
		  uint64_t cpu_ns, bool priced);
