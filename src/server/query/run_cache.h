/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Keeps what was computed for runs that were asked for lately: to read a run of 100,000 executions
 * takes seconds. Locks itself.
 */
struct run_cache;

/* What the store has of a run: the same while nothing of it changes. */
struct run_stamp {
	int64_t value;
	bool open; /* it has executions that run: what they do changes all the time */
};

/* What is kept: values with a count of references, of which the cache holds one. */
struct run_cache_kind {
	size_t runs_max;   /* more: the run asked for longest ago is forgotten */
	size_t weight_max; /* of all values together */
	void (*hold)(void *value);
	void (*release)(void *value);
};

/* The kind must outlive the cache. NULL: no memory. */
struct run_cache *run_cache_new(const struct run_cache_kind *kind);
void run_cache_free(struct run_cache *cache);

/* A reference to the value of this run, where it is still right: of the same stamp; of an open run
 * for ten times as long as it took to compute. NULL: there is none. Instants: monotonic clock. */
void *run_cache_get(struct run_cache *cache, const char *id, const struct run_stamp *stamp,
		    uint64_t now_ns);
/* A reference to the last value of this run, which may be of an older stamp. NULL: there is none.
 */
void *run_cache_last(struct run_cache *cache, const char *id);
/* The cache holds a reference of its own. The runs asked for longest ago make room; a value that is
 * too heavy alone is not kept. */
void run_cache_put(struct run_cache *cache, const char *id, const struct run_stamp *stamp,
		   void *value, size_t weight, uint64_t began_ns);
