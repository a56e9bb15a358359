/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "collect/process/process_recovery.h"
#include "collect/process/tracker.h"

struct scan;

struct tracker {
	struct tracker_parts parts;
	struct scan *scan; /* while one lists processes: images go to it */
	struct process_recovery recovery;
	struct tracker_counts counts;
};

/* A process begins, as a copy of its parent. NULL: no room. */
struct process *tracker_begin(struct tracker *tracker, const struct probe_fork *fork);
/* Hands an exec's context to the listeners, up to the place of the process; what else runs of its
 * run is tracked on the way. */
void process_exec_place(struct tracker *tracker, struct exec_context *exec);
