/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"

struct server;
struct sweep_hosts;

/* The minutes and hours of hosts that sweeps have read (host_series.h). Locks itself. */
struct host_cache;

struct host_cache *host_cache_new(void); /* NULL: no memory */
void host_cache_free(struct host_cache *cache);
/* Sets minutes and hours of hosts, which sweep_hosts_clear frees. cache NULL: reads all from the
 * store. Errors as of query_named, -ENOMEM. */
int host_cache_fill(struct host_cache *cache, struct server *server, int64_t now_at,
		    struct sweep_hosts *hosts, struct error *err);
