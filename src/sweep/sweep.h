/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "signal/finding.h"

/* Capacity that was paid for and not used: pure analysis of hosts. */

struct sweep_interval {
	int64_t since_at, until_at;
};

struct sweep_host {
	const char *id, *hostname;
	double usd_hour;                 /* ≤ 0: unknown */
	const struct sweep_interval *up; /* when it was seen up; any order, may overlap */
	size_t up_count;
	const struct sweep_interval *used; /* when tracked processes ran on it; any order, may
					      overlap, counts only within up */
	size_t used_count;
	uint64_t tracked_cpu_ns;
	double cpus;
};

struct sweep_use {
	uint64_t up_ns, tracked_ns, idle_ns; /* up = tracked + idle */
	uint64_t longest_idle_ns;
	double idle_usd; /* < 0: unknown */
};

/* -ENOMEM. */
int sweep_host_use(const struct sweep_host *host, struct sweep_use *ret);

/* Appends the findings about these hosts; the thresholds are in sweep.c, each with its reason.
 * -ENOMEM, -ENOSPC (findings_add). */
int sweep_find(const struct sweep_host *hosts, size_t count, struct findings *ret);
