/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/clock.h"
#include "correlate/engines/run_root.h"
#include "probe/api/probe.h"

struct tracker;

/*
 * Work that no engine started: whose run is it? When a tool or a script begins outside of any run,
 * its ancestors are read in /proc; the one that drives it (correlate/engines/run_root.h) becomes
 * the root of a run, and is tracked from then on with all that descends from it. Where that is the
 * very process its image says so.
 */

#define DRIVE_STRANGERS 64                /* parents that are known to drive nothing */
#define DRIVE_NS        (100 * NS_PER_MS) /* a second; beyond, tools are of no run, and counted */

/* What was found last. */
struct drive {
	struct probe_key command, root;
	enum run_root_kind kind; /* of that root, until its image has been seen */
	struct probe_key strangers[DRIVE_STRANGERS];
	unsigned next_stranger;
	uint64_t refused;
	uint64_t spent_ns; /* since that reading: */
	uint32_t tick;
	uint64_t cgroup_id; /* only of what is in this one; 0: of all */
	bool on, busy;
	bool jobs;     /* a scheduler's are followed, by their cgroups (slurm.h) */
	bool scanning; /* what runs already: it takes what it takes */
};

/* An image begins in a process that is in no run, nor is its parent. It is not in the tree yet. */
void drive_find(struct tracker *tracker, const struct probe_image *image);
/* It is known by now whose a container is: likewise for each in it that is in no run. */
void drive_cgroup(struct tracker *tracker, uint64_t cgroup_id);
/* All that runs already was found: likewise for each that is in no run. */
void drive_scanned(struct tracker *tracker);
