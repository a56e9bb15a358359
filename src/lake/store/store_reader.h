/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

struct memory_budget;

/*
 * The client for which a thread asks the store: all its queries together end at one time, and when
 * the client has gone; what the answers hold is counted in a budget. Without one (a thread of the
 * lake's own work) each query has the store's limit of time alone.
 */
struct store_reader {
	atomic_bool gone;             /* no client waits: its queries end with -ECANCELED */
	uint64_t until_ns;            /* by the monotonic clock; 0: no end but the query's */
	struct memory_budget *budget; /* of answers (rows.h); NULL: not counted */
};

/* Sets it for the calling thread; NULL: none. It must stay until it is replaced. */
void store_reader_use(struct store_reader *reader);
/* The calling thread's, or NULL. */
struct store_reader *store_reader_current(void);
