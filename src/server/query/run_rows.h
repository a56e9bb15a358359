/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/error.h"

struct server;
struct store_rows;

/*
 * The answers of queries about runs (their first parameter is `run_ids`). To ask about fifty runs
 * takes hardly longer than about one, as most of the time of a query is its planning. A thread that
 * is to analyse several settled runs, one after the other, says so: the first time that it asks a
 * query about one of them, all of them are asked for, and each of the others gets its rows from
 * there. A run of which anything arrived meanwhile is asked for alone.
 */
#define RUN_ROWS_MAX 50 /* runs */

struct run_rows;

/* What is asked of each run: at most so many rows, from this one on. 0, -1: the query has no such
 * parameter. */
struct run_rows_query {
	const char *name;
	int64_t limit, offset;
};

/* From now on the thread reads these settled runs. ids must outlive it. NULL: no memory, which does
 * no harm. */
struct run_rows *run_rows_begin(struct server *server, const char *const *ids, size_t count);
void run_rows_end(struct run_rows *rows); /* in the same thread; NULL is fine */
DEFINE_CLEANUP(struct run_rows *, run_rows_end)

/* The rows of one run. Errors as of query_named. */
int run_rows_ask(struct server *server, const struct run_rows_query *query, const char *id,
		 struct store_rows **ret, struct error *err);
