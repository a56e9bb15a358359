/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_exit.h"

#include <stdlib.h>
#include <string.h>

#include "collect/process/process_sample.h"
#include "collect/process/process_table.h"
#include "collect/process/tracker_private.h"

/* The record of an execution that ends while its process is alive. */
static void end_execution(struct tracker *tracker, struct process *process, uint64_t at_ns)
{
	process->ended_ns = at_ns;
	listeners_end(tracker->parts.listeners, process, PROCESS_REPLACED);
	tracker->counts.executions++;
	process->ended_ns = 0;
}

/* An execution of its own: not a fork of which no record was sent. */
static bool is_execution(const struct process *process)
{
	return process->executed || process_is_reported(process);
}

void process_exit_image(struct tracker *tracker, struct process *process, uint64_t at_ns)
{
	struct counters seen;

	process_table_revive(tracker->parts.tables.processes, process);
	process->carries = !is_execution(process);
	if (process->carries) {
		process_seen(process, &seen);
		seen = counters_carried(&seen);
	} else {
		end_execution(tracker, process, at_ns);
	}
	process_move(process, EVENT_IMAGE);
	process_carry(process, process->carries ? &seen : NULL);
	process->network_sent = 0;
	process->sampled_at = 0;
	if (process->sampling != SAMPLING_BASELINE)
		process->sampling = SAMPLING_QUIET;
	process->found = false;
}

void process_exit_end(struct tracker *tracker, struct process *process, uint64_t ended_ns)
{
	process_table_end(tracker->parts.tables.processes, process, ended_ns);
	listeners_end(tracker->parts.listeners, process, PROCESS_EXITED);
	tracker->counts.executions++;
}

/* An exit of which nothing is known but itself: its other records were lost, or the table was full.
 * Its figures are true all the same. */
static void end_stray(struct tracker *tracker, const struct probe_exit *exit)
{
	struct process stray = { .key = exit->key,
				 .image_seq = exit->image_seq,
				 .image_at_ns = exit->key.start_ns,
				 .started_at =
					 agent_clock_real(tracker->parts.clock, exit->key.start_ns),
				 .ended_ns = exit->at_ns,
				 .phase = PHASE_ENDED,
				 .exit_code = (uint8_t)exit->exit_code,
				 .signal = (uint8_t)exit->signal };

	process_sample_reading(tracker, &stray, &exit->figures);
	listeners_end(tracker->parts.listeners, &stray, PROCESS_STRAY);
	tracker->counts.executions++;
	free(stray.seen);
	free(stray.sent);
	free(stray.carried);
}

/* The process exec'd an excluded program: its last image ends as "replaced", and it is not tracked
 * any more. A fork of which no record was sent was no execution. */
static void end_left(struct tracker *tracker, struct process *process,
		     const struct probe_exit *exit)
{
	if (is_execution(process)) {
		process_sample_reading(tracker, process, &exit->figures);
		end_execution(tracker, process, exit->at_ns);
	}
	process_table_end(tracker->parts.tables.processes, process, exit->at_ns);
	listeners_end(tracker->parts.listeners, process, PROCESS_LEFT);
	process_table_remove(tracker->parts.tables.processes, process);
}

/* The record of an exec was lost: the image that it replaced ends with the process. */
static void follow_lost_exec(struct tracker *tracker, struct process *process,
			     const struct probe_exit *exit)
{
	if (process->image_seq == exit->image_seq)
		return;
	process_exit_image(tracker, process, exit->at_ns);
	images_release(tracker->parts.tables.images, process->image);
	process->image = NULL;
	process->image_seq = exit->image_seq;
}

void process_exit_take(struct tracker *tracker, const struct probe_exit *exit)
{
	struct process *process = process_table_get(tracker->parts.tables.processes, &exit->key);

	if (exit->exec_excluded) {
		if (process && process_is_alive(process))
			end_left(tracker, process, exit);
		return;
	}
	tracker->counts.exits++;
	if (!process) {
		end_stray(tracker, exit);
		return;
	}
	if (!process_is_alive(process))
		return;
	follow_lost_exec(tracker, process, exit);
	process->exit_code = (uint8_t)exit->exit_code;
	process->signal = (uint8_t)exit->signal;
	process->dumped = exit->core_dumped;
	if (!process->executed)
		memcpy(process->pipes, exit->pipes, sizeof(process->pipes));
	process_sample_reading(tracker, process, &exit->figures);
	process_exit_end(tracker, process, exit->at_ns);
}

void process_exit_residual(struct tracker *tracker, const struct probe_residual *residual)
{
	struct process *process =
		process_table_get(tracker->parts.tables.processes, &residual->key);

	tracker->counts.residuals++;
	if (!process || process_is_alive(process) || process->image_seq != residual->image_seq)
		return;
	process_sample_reading(tracker, process, &residual->figures);
	if (process->sampling == SAMPLING_ACTIVE)
		listeners_end(tracker->parts.listeners, process, PROCESS_LATE);
}
