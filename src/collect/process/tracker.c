/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/tracker.h"

#include <stdlib.h>

#include "base/clock.h"
#include "collect/process/process_table.h"
#include "collect/process/tracker_private.h"

struct tracker *tracker_new(const struct tracker_parts *parts)
{
	struct tracker *tracker = calloc(1, sizeof(*tracker));

	if (tracker)
		tracker->parts = *parts;
	return tracker;
}

void tracker_free(struct tracker *tracker)
{
	free(tracker);
}

void tracker_set_probe(struct tracker *tracker, struct probe *probe)
{
	tracker->parts.probe = probe;
}

const struct tracker_counts *tracker_counts(const struct tracker *tracker)
{
	return &tracker->counts;
}

static void forget(struct tracker *tracker, struct process *process)
{
	listeners_forget(tracker->parts.listeners, process);
	process_table_remove(tracker->parts.tables.processes, process);
}

static void forget_ended(struct process *process, void *context)
{
	forget(context, process);
}

/* A new entry; where the table is full, those that ended make room. */
static struct process *add(struct tracker *tracker, const struct probe_key *key)
{
	struct process_table *processes = tracker->parts.tables.processes;
	struct process *process = process_table_add(processes, key);

	if (!process && process_table_live(processes) < process_table_count(processes)) {
		process_table_visit_ended(processes, forget_ended, tracker);
		process = process_table_add(processes, key);
	}
	if (!process)
		tracker->counts.refused++;
	return process;
}

/* What a process has from the parent that made it. */
static void inherit(struct process *process, const struct process *parent)
{
	process->image = image_share(parent->image);
	process->own = parent->own;
	process->pid_ns = parent->pid_ns;
	process->mnt_ns = parent->mnt_ns;
}

struct process *tracker_begin(struct tracker *tracker, const struct probe_fork *fork)
{
	struct process *process = add(tracker, &fork->key), *parent;

	if (!process)
		return NULL;
	/* After the table may have forgotten it. */
	parent = process_table_get(tracker->parts.tables.processes, &fork->parent);
	process->parent = fork->parent;
	process->image_seq = fork->image_seq;
	process->image_at_ns = fork->at_ns;
	process->started_at = agent_clock_real(tracker->parts.clock, fork->at_ns);
	process->tick = tracker->parts.clock->tick;
	process->uid = fork->uid;
	process->cgroup_id = fork->cgroup_id;
	if (parent)
		inherit(process, parent);
	listeners_fork(tracker->parts.listeners, process, parent);
	return process;
}

void tracker_fork(struct tracker *tracker, const struct probe_fork *fork)
{
	struct process *process;

	tracker->counts.forks++;
	if (process_table_get(tracker->parts.tables.processes, &fork->key))
		return; /* the scan found it first */
	process = tracker_begin(tracker, fork);
	if (process)
		(void)listeners_enter(tracker->parts.listeners, process);
}

static void resend(struct process *process, void *context)
{
	process_move(process, EVENT_CHANGE);
}

void tracker_resend(struct tracker *tracker)
{
	process_table_visit(tracker->parts.tables.processes, resend, NULL);
}

struct lingering {
	struct tracker *tracker;
	uint64_t now_ns;
};

static void forget_lingering(struct process *process, void *context)
{
	const struct lingering *lingering = context;

	if (lingering->now_ns - process->ended_ns >= TRACKER_LINGER_NS)
		forget(lingering->tracker, process);
}

void tracker_flush(struct tracker *tracker)
{
	struct lingering lingering = { .tracker = tracker, .now_ns = clock_boot_ns() };

	listeners_settle(tracker->parts.listeners);
	listeners_flush(tracker->parts.listeners);
	process_table_visit_ended(tracker->parts.tables.processes, forget_lingering, &lingering);
}
