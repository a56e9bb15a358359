/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* How long a host was up, how long tracked work used it, and what it cost while none did. */
struct host_interval {
	int64_t since_at, until_at; /* ns since the epoch */
};

struct host_activity {
	double usd_hour;                /* ≤ 0: unknown */
	const struct host_interval *up; /* when it was seen up; any order, may overlap */
	size_t up_count;
	const struct host_interval *used; /* when tracked processes ran on it; any order, may
					     overlap, counts only within up */
	size_t used_count;
};

struct host_use {
	uint64_t up_ns, tracked_ns, idle_ns; /* up = tracked + idle */
	uint64_t longest_idle_ns;
	double idle_usd; /* < 0: unknown */
};

/* -ENOMEM. */
int host_use_make(const struct host_activity *host, struct host_use *ret);
