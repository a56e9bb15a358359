/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "collect/cgroup/cgroup.h"

struct tracker;

/*
 * Whose CPU time the host's was, as far as it was not tracked work's: by cgroup, from the kernel's
 * own counters, less what tracked processes in it took. Nothing is counted at a switch. A cgroup's
 * time is told once: what its counter lags behind the processes' is made up for in the intervals
 * that follow, what a removed one did since is told with the one that it was in.
 */
struct untracked;

#define UNTRACKED_TOLD_MAX 64      /* cgroups by path in an interval; the others are one record */
#define UNTRACKED_TOLD_NS  1000000 /* they took as much at least */

/* NULL only without memory. */
struct untracked *untracked_new(void);
void untracked_free(struct untracked *untracked); /* NULL is fine */

/* Tracked work of this cgroup took this much. NULL keeps nothing. */
void untracked_less(struct untracked *untracked, const struct cgroups *cgroups, uint64_t cgroup_id,
		    uint64_t cpu_ns);

/* What was so far, ever, as read just before. */
struct untracked_totals {
	uint64_t host_ns, tracked_ns; /* CPU time */
};
/* Reads all cgroups and sends what was since the last time; the first time sends nothing. */
void untracked_tick(struct untracked *untracked, struct tracker *tracker,
		    const struct untracked_totals *totals);
