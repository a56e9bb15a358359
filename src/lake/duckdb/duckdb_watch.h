/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Ends queries that take longer than they may. A thread of its own: whoever asked is inside DuckDB
 * until the answer is there, and DuckDB looks at nothing there but a mark that another thread sets.
 */
struct duckdb_watch;

/* A query that runs, in the memory of who asks. */
struct duckdb_watched {
	struct duckdb_watched *next;
	duckdb_connection connection;
	uint64_t until_ns; /* of the monotonic clock */
	int ended;         /* 0; -ETIMEDOUT, -ECANCELED: why it was ended */
};

int duckdb_watch_open(struct duckdb_watch **ret, uint64_t limit_ns, struct error *err);
/* No query may run any more. NULL is fine. */
void duckdb_watch_close(struct duckdb_watch *watch);

void duckdb_watch_begin(struct duckdb_watch *watch, struct duckdb_watched *query,
			duckdb_connection connection);
/* rc is how the query came out. Returns it, or where it failed because it was ended -ETIMEDOUT or
 * -ECANCELED, with words. */
int duckdb_watch_end(struct duckdb_watch *watch, struct duckdb_watched *query, int rc,
		     struct error *err);

/* Ends all queries that run, and each that begins from now on. */
void duckdb_watch_stop(struct duckdb_watch *watch);
