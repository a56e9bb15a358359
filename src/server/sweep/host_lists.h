/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"

struct server;
struct sweep_hosts;

/* What hosts have: who worked there, GPUs, open sessions, tasks that wait. The hosts and their
 * prices are read before. Errors as of query_named, -ENOMEM. */
int host_lists_read(struct server *server, int64_t now_at, struct sweep_hosts *hosts,
		    struct error *err);
