/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_sample.h"

#include "base/clock.h"
#include "collect/process/process_exit.h"
#include "collect/process/process_table.h"
#include "collect/process/tracker_private.h"

#define MISSED_READINGS 2 /* after which a process that no reading shows has ended unseen */

/* Samples begin here: what was before is not known to be this agent's to report. */
static void take_baseline(struct tracker *tracker, struct process *process,
			  const struct counters *now)
{
	process->sampling = SAMPLING_QUIET;
	process->sampled_at = agent_clock_now(tracker->parts.clock);
	process_see(process, now);
	process_send(process);
}

void process_sample_reading(struct tracker *tracker, struct process *process,
			    const struct probe_figures *figures)
{
	struct counters now = counters_of(figures), seen, before, carried;
	struct process_reading reading = { .before = &before, .now = &seen };

	process_seen(process, &seen);
	if (process->carried) {
		counters_recall(process->carried, &carried);
		counters_add(&now, &carried);
	}
	counters_keep_gpu(&now, &seen);
	process->peak_exact = figures->peak_exact;
	if (process->sampling == SAMPLING_BASELINE) {
		take_baseline(tracker, process, &now);
		return;
	}
	before = seen;
	reading.woke = !counters_idle(&seen, &now);
	counters_advance(&seen, &before, &now);
	if (figures->ended)
		counters_end(&seen, &now);
	listeners_reading(tracker->parts.listeners, process, &reading);
	process_see(process, &seen);
}

/* It was moved to another cgroup, or became another user's. */
static void follow_move(struct tracker *tracker, struct process *process,
			const struct probe_alive *alive)
{
	if (process->uid == alive->uid && process->cgroup_id == alive->cgroup_id)
		return;
	process->uid = alive->uid;
	process->cgroup_id = alive->cgroup_id;
	process_move(process, EVENT_CHANGE);
	listeners_moved(tracker->parts.listeners, process);
}

void process_sample_alive(struct tracker *tracker, const struct probe_alive *alive)
{
	struct process *process = process_table_get(tracker->parts.tables.processes, &alive->key);

	if (process && !process_is_alive(process))
		return; /* not reaped yet */
	if (process)
		process->tick = tracker->parts.clock->tick;
	if (!process || process->image_seq != alive->image_seq) {
		process_recovery_suspect(&tracker->recovery, alive);
		return;
	}
	follow_move(tracker, process, alive);
	process_sample_reading(tracker, process, &alive->figures);
}

static void end_vanished(struct process *process, void *context)
{
	struct tracker *tracker = context;

	if (tracker->parts.clock->tick - process->tick < MISSED_READINGS)
		return;
	process->lost = true;
	tracker->counts.vanished++;
	process_exit_end(tracker, process, clock_boot_ns());
}

static void sample(struct process *process, void *context)
{
	const struct tracker *tracker = context;

	if (process_is_reported(process))
		listeners_sample(tracker->parts.listeners, process);
}

/* The first sample of a process begins at its start. started_at was sent and does not move: what
 * moves is the begin of the next sample. */
static void move_sampled(struct process *process, void *step_ns)
{
	if (!process->sampled_at)
		process->sampled_at = process->started_at;
	process->sampled_at += *(const int64_t *)step_ns;
}

void process_sample_follow_clock(struct tracker *tracker)
{
	int64_t step_ns = agent_clock_follow(tracker->parts.clock);

	if (!step_ns)
		return;
	process_table_visit(tracker->parts.tables.processes, move_sampled, &step_ns);
	process_table_visit_ended(tracker->parts.tables.processes, move_sampled, &step_ns);
	listeners_step(tracker->parts.listeners, step_ns);
}

/* The reading itself: all of what the kernel made until now is in the table before and after. */
static int read_all(struct tracker *tracker, struct probe *probe, bool send)
{
	int result;

	probe_poll(probe, 0);
	tracker->parts.clock->tick++;
	process_recovery_begin(&tracker->recovery);
	result = probe_sample(probe);
	if (send)
		probe_syscalls(probe); /* what fails now is read the next time */
	probe_poll(probe, 0);
	if (result < 0)
		tracker->parts.clock->tick--;
	return result;
}

int process_sample_tick(struct tracker *tracker, struct probe *probe, bool send)
{
	struct process_table *processes = tracker->parts.tables.processes;
	int result;

	process_sample_follow_clock(tracker);
	result = read_all(tracker, probe, send);
	if (result < 0)
		return result;
	tracker->parts.clock->read_at = agent_clock_now(tracker->parts.clock);
	process_recovery_run(tracker, probe);
	process_table_visit(processes, end_vanished, tracker);
	listeners_tick(tracker->parts.listeners);
	if (send) {
		tracker_flush(tracker);
		process_table_visit(processes, sample, tracker);
	}
	return 0;
}
