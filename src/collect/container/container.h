/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "collect/cgroup/cgroup.h"
#include "probe/api/probe.h"

struct tracker;
struct process;

/*
 * The cgroups that tracked work is in, as the lake is told of them: their records, samples and
 * events.
 */

/* An event says that a container was throttled once the quota was used up in this part of the
 * periods in which it wanted to run, over an interval of samples; the next one only after an
 * interval in which it was less than half of that. */
#define CONTAINER_THROTTLED_SHARE   0.25
#define CONTAINER_THROTTLED_PERIODS 5 /* and in as many at least */

/* Tracked work is in this cgroup: its record goes ahead of what runs in it. */
void container_note(struct tracker *tracker, uint64_t cgroup_id, uint32_t pid);
/* A process of a run is in its cgroup. */
void container_used(struct tracker *tracker, const struct process *process);
/* A process has ended: what its cgroup used until now is told with the others', or at once. */
void container_left(struct tracker *tracker, const struct process *process);
/* The runtime has told: sends the record again. A runtime_told. */
void container_told(void *context, uint64_t cgroup_id, struct container_facts *facts);
/* The kernel says that a cgroup was made, or that one is no more: of a probe_handler. */
void container_cgroup(void *context, const struct probe_cgroup *cgroup);
/* Sends the records of all of them again. */
void container_retell(struct tracker *tracker);
/* Looks at all of them again, and sends what those used since in which tracked processes lived. */
void container_tick(struct tracker *tracker);
