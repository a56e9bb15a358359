/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/sheet.h"

/*
 * A sheet by one key: pipeline, run, step, tool, day, … Where no run is left out, Σ cost of the
 * rows + unallocated_nusd = whole_nusd, to the nano-dollar.
 */
struct map;
struct sheet_choice;

struct sheet_row {
	char *key, *id; /* id: of the run, host or task; else "" */
	size_t runs, tasks, samples;
	size_t sampled_runs; /* with tasks of samples */
	uint64_t cpu_ns;
	int64_t input_bytes; /* of the tasks where it is known; < 0: of none */
	struct cost_part part;
	int64_t unallocated_nusd; /* of rows that are hosts or days */
	bool unallocated_known;   /* some of these hosts have a price */
	bool priced;              /* false: some of it has no price */
	size_t host;              /* where rows are hosts; else SIZE_MAX */
	/* What was counted first: what else was is in `seen`. SIZE_MAX, NULL: nothing. */
	size_t first_run;
	const char *first_sample;
};

/* A row in a bucket of time. */
struct sheet_point {
	size_t row; /* SIZE_MAX: what no run held, which is idle_nusd */
	int64_t at;
	struct cost_part part;
};

struct sheet_rows {
	struct sheet_row *items;
	size_t count;
	struct sheet_point *points; /* each row and bucket once */
	size_t point_count;
	struct cost_part part; /* of all rows */
	/* Of the hosts that were chosen. */
	int64_t whole_nusd, unallocated_nusd;
	size_t hosts, unpriced_hosts;
	bool billed; /* some of it is of a bill */
	struct map *index, *seen, *point_index;
};

/* -ENOMEM. sheet_rows_clear in any case. */
int sheet_rows_make(const struct sheet *sheet, const struct sheet_choice *choice,
		    struct sheet_rows *ret);
void sheet_rows_clear(struct sheet_rows *rows);
/* The most expensive first; of days the last one first. Points follow their rows. -ENOMEM. */
int sheet_rows_sort(struct sheet_rows *rows, const char *by);
