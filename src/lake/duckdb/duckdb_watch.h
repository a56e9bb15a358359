/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Ends queries that take longer than they may, or have lost their reader (store_reader.h). It needs
 * a thread: the thread that runs a query is inside DuckDB until the end, and DuckDB stops only when
 * another thread interrupts its connection.
 */
struct duckdb_watch;

/* A query that runs, in memory of the caller. */
struct duckdb_watched {
	struct duckdb_watched *next;
	duckdb_connection connection;
	const struct store_reader *reader; /* of the thread that asks; NULL: none */
	uint64_t until_ns;                 /* by the monotonic clock */
	int ended;                         /* 0: it was not ended; -ETIMEDOUT, -ECANCELED */
};

int duckdb_watch_open(struct duckdb_watch **ret, uint64_t limit_ns, struct error *err);
/* No query may be running. NULL is fine. */
void duckdb_watch_close(struct duckdb_watch *watch);

void duckdb_watch_begin(struct duckdb_watch *watch, struct duckdb_watched *query,
			duckdb_connection connection);
/* The same for work that no request waits for: it may take much longer. */
void duckdb_watch_begin_long(struct duckdb_watch *watch, struct duckdb_watched *query,
			     duckdb_connection connection);
/* rc is the result of the query. Returns rc, or -ETIMEDOUT or -ECANCELED with words where the query
 * failed because it was ended. */
int duckdb_watch_end(struct duckdb_watch *watch, struct duckdb_watched *query, int rc,
		     struct error *err);

/* Ends all queries that run, and each that is begun later. */
void duckdb_watch_stop(struct duckdb_watch *watch);
