/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_exit.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "collect/container/container.h"
#include "collect/output/failure.h"
#include "collect/stall/stall.h"
#include "collect/output/record.h"
#include "collect/attribution/rule_names.h"
#include "collect/process/tracker.h"
#include "collect/cgroup/untracked.h"

void process_exit_reading(struct tracker *tracker, struct process *process,
			  const struct probe_figures *figures)
{
	struct counters now = counters_of(figures), seen, carried, earlier;
	uint64_t cpu_ns;

	counters_recall(process->carried, &carried);
	counters_recall(process->seen, &seen);
	counters_add(&now, &carried);
	counters_keep_gpu(&now, &seen);
	process->peak_exact = figures->peak_exact;
	if (process->baseline) {
		process->baseline = false;
		process->sampled_at = tracker_now(tracker);
		process_see(process, &now);
		process_send(process);
		return;
	}
	if (!counters_idle(&seen, &now)) {
		/* What it did not do while it was idle is not spread over that time. */
		if (process->idle && process->sampled_at)
			record_sample(tracker, process, tracker->read_at);
		process->idle = false;
		process->active = true;
	}
	cpu_ns = counters_cpu_ns(&seen);
	earlier = seen;
	counters_advance(&seen, &now);
	if (!process->ended_ns)
		stall_reading(tracker, process, &earlier, &seen);
	process_see(process, &seen);
	if (tracker_is_noise(process))
		return;
	cpu_ns = counters_cpu_ns(&seen) - cpu_ns;
	tracker->cpu_tracked_ns += cpu_ns;
	untracked_less(tracker->untracked, tracker->cgroups, process->cgroup_id, cpu_ns);
}

void process_exit_image(struct tracker *tracker, struct process *process, uint64_t at_ns)
{
	struct counters seen = { 0 };

	process->carries = !process->executed && !process->reported;
	if (process->carries) {
		counters_recall(process->seen, &seen);
		seen = counters_carried(&seen);
	} else {
		process->ended_ns = at_ns;
		record_end(tracker, process, "replaced");
		tracker->counts.executions++;
		process->ended_ns = 0;
	}
	counters_keep(&process->carried, &seen);
	process_forget_sent(process);
	process_see(process, &seen);
	process->network_sent = 0;
	process->sampled_at = 0;
	process->active = process->idle = false;
	process->reported = process->found = false;
}

void process_exit_end(struct tracker *tracker, struct process *process, uint64_t ended_ns)
{
	struct attribution late = { 0 };

	table_end(tracker->table, process, ended_ns);
	stall_over(tracker, process, process_ended_at(process));
	begun_forget(tracker->begun, &process->key);
	container_left(tracker, process);
	record_end(tracker, process, process_status(process));
	failure_event(tracker, process);
	failure_free(TAKE_PTR(process->failure));
	tracker->counts.executions++;
	if (tracker->task_files)
		rule_names_end(tracker->rule_names, tracker->tree,
			       &(struct rule_names_root){ .attribution = &process->attribution,
							  .pid = process->key.pid,
							  .ppid = process->parent.pid,
							  .uid = process->uid,
							  .mnt_ns = process->mnt_ns,
							  .cwd = image_cwd(process->image) },
			       ended_ns);
	/* Its run or task ends now; a place like a child's keeps the ids for a late record. */
	tree_fork(tracker->tree, &process->attribution, &late);
	if (process->lost)
		tree_lose(tracker->tree, &process->attribution, process_ended_at(process));
	else
		tree_exit(tracker->tree, &process->attribution, process->exit_code, process->signal,
			  process_ended_at(process));
	process->attribution = late;
}

/* An exit of which nothing is known but itself: its other records were lost, or the table was full.
 * Its figures are true all the same. */
static void end_stray(struct tracker *tracker, const struct probe_exit *exit)
{
	struct process stray = { .key = exit->key,
				 .image_seq = exit->image_seq,
				 .image_at_ns = exit->key.start_ns,
				 .started_at = tracker_real(tracker, exit->key.start_ns),
				 .ended_ns = exit->at_ns,
				 .exit_code = (uint8_t)exit->exit_code,
				 .signal = (uint8_t)exit->signal };

	process_exit_reading(tracker, &stray, &exit->figures);
	record_execution(tracker, &stray, process_status(&stray));
	tracker->counts.executions++;
	free(stray.seen);
	free(stray.sent);
	free(stray.carried);
}

/* It runs what is excluded now: its last image was replaced, by what is not told. What becomes of a
 * run or task that it is the root of nobody sees. A fork of which no record went is none. */
static void end_left(struct tracker *tracker, struct process *process,
		     const struct probe_exit *exit)
{
	bool told = process->executed || process->reported;

	if (told)
		process_exit_reading(tracker, process, &exit->figures);
	table_end(tracker->table, process, exit->at_ns);
	stall_over(tracker, process, process_ended_at(process));
	begun_forget(tracker->begun, &process->key);
	if (told) {
		record_end(tracker, process, "replaced");
		tracker->counts.executions++;
	}
	failure_free(TAKE_PTR(process->failure));
	tree_lose(tracker->tree, &process->attribution, process_ended_at(process));
	table_remove(tracker->table, process);
}

void process_exit_take(void *context, const struct probe_exit *exit)
{
	struct tracker *tracker = context;
	struct process *process = table_get(tracker->table, &exit->key);

	if (exit->exec_excluded) {
		if (process && !process->ended_ns)
			end_left(tracker, process, exit);
		return;
	}
	tracker->counts.exits++;
	if (!process) {
		end_stray(tracker, exit);
		return;
	}
	if (process->ended_ns)
		return;
	if (process->image_seq != exit->image_seq) { /* an exec was lost */
		process_exit_image(tracker, process, exit->at_ns);
		images_release(tracker->images, process->image);
		process->image = NULL;
		process->image_seq = exit->image_seq;
	}
	process->exit_code = (uint8_t)exit->exit_code;
	process->signal = (uint8_t)exit->signal;
	process->dumped = exit->core_dumped;
	process_exit_reading(tracker, process, &exit->figures);
	process_exit_end(tracker, process, exit->at_ns);
}

/* Late figures: the record is sent again, whole, and the growth as a sample where there was one. */
void process_exit_residual(void *context, const struct probe_residual *residual)
{
	struct tracker *tracker = context;
	struct process *process = table_get(tracker->table, &residual->key);

	tracker->counts.residuals++;
	if (!process || !process->ended_ns || process->image_seq != residual->image_seq)
		return;
	process_exit_reading(tracker, process, &residual->figures);
	if (process->active)
		record_end(tracker, process, process_status(process));
}
