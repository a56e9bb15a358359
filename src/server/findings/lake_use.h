/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct server;

/*
 * Whether the lake is in use: by readers, or agents that send more than the samples of idle hosts.
 * While it is not, work that can wait need not. One thread.
 */
struct lake_use {
	uint64_t queries, records;   /* until the last look */
	uint64_t looked_ns, used_ns; /* monotonic clock: then, and when it was used last */
};

#define LAKE_USE_WAIT_NS ((uint64_t)1 * 1000 * 1000 * 1000) /* one request may follow another */
#define LAKE_USE_QUERIES 2    /* since the last look: more than a monitor asks; a page asks ten */
#define LAKE_USE_RECORDS 2000 /* in a second: some hundreds of idle hosts send less */

/* Whether it was used since the last look, or shortly before. */
bool lake_use_look(struct lake_use *use, struct server *server);
