/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* A host while the run lasted. */
struct slow_host {
	const char *id, *name;
	double cpus;
	double sampled_ns; /* for so long there are samples; 0: nothing else of this is known */
	double busy_ns, steal_ns, tracked_ns; /* of all CPUs */
	double inside_ns;      /* for so long there are samples that lie within the run */
	double inside_idle_ns; /* of all CPUs in them */
	double own_ns;         /* of the run */
	double agent_ns;
	double disk_busy_ns;
	double block_requests, block_tracked_requests;
	/* some task waited for memory, for storage (/proc/pressure); both 0: not known */
	double memory_pressure_ns, io_pressure_ns;
};

/* Who else used CPUs of a host while the run lasted; those that used most first. */
struct slow_other {
	size_t host;
	bool is_run; /* else a control group of untracked work */
	const char *name;
	double cpu_ns;
};

struct slow_cgroup {
	const char *path;
	double cpu_limit; /* CPUs; 0: none, or not known */
	double memory_limit_bytes, memory_peak_bytes;
	double periods, throttled_periods, throttled_ns;
	double memory_high_events, memory_max_events, memory_pressure_full_ns;
};
