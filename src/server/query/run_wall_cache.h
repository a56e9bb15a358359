/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "server/query/run_wall.h"

/*
 * What was found for runs that were asked for lately: to read a run of 100,000 executions takes
 * seconds. Locks itself.
 */
struct run_wall_cache;

/* What the store has of a run: the same while nothing of it changes. */
struct run_wall_stamp {
	int64_t value;
	bool open; /* it has executions that run: what they do changes all the time */
};

/* NULL: no memory. */
struct run_wall_cache *run_wall_cache_new(void);
void run_wall_cache_free(struct run_wall_cache *cache);

/* A reference to what was found for this run, where it is still right: of the same stamp; of an
 * open run for ten times as long as it took to find. NULL: there is none. Instants: monotonic
 * clock. */
struct run_wall *run_wall_cache_get(struct run_wall_cache *cache, const char *id,
				    const struct run_wall_stamp *stamp, uint64_t now_ns);
/* Keeps a reference of its own. The runs asked for longest ago make room. */
void run_wall_cache_put(struct run_wall_cache *cache, const char *id,
			const struct run_wall_stamp *stamp, struct run_wall *walls,
			uint64_t began_ns);
