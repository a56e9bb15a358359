#include <stdlib.h>

#include "base/clock.h"
#include "collect/tracker.h"

void ending_reading(struct tracker *tracker, struct process *process,
		    const struct probe_figures *figures)
{
	struct counters now = counters_of(figures);
	uint64_t cpu_ns = counters_cpu_ns(&process->seen);

	carried_add(&process->carried, &now);
	process->peak_exact = figures->peak_exact;
	if (process->baseline) {
		process->baseline = false;
		process->seen = now;
		process->sampled = true;
		return;
	}
	if (process->sampled && !process->unsent && !counters_same(&process->seen, &now)) {
		process->unsent = malloc(sizeof(*process->unsent));
		if (process->unsent)
			*process->unsent = process->seen;
	}
	counters_advance(&process->seen, &now);
	if (!tracker_is_noise(process))
		tracker->cpu_tracked_ns += counters_cpu_ns(&process->seen) - cpu_ns;
}

void ending_image(struct tracker *tracker, struct process *process, uint64_t at_ns)
{
	struct carried carried = { 0 };

	process->carries =
		!process->executed && !process->reported && carried_take(&carried, &process->seen);
	if (!process->carries) {
		process->ended_ns = at_ns;
		record_sample(tracker, process, process_ended_at(process));
		record_execution(tracker, process, "replaced");
		tracker->counts.executions++;
		process->ended_ns = 0;
	}
	process->carried = carried;
	process->seen = (struct counters){ 0 };
	carried_add(&carried, &process->seen);
	process->sampled = false;
	free(process->unsent);
	process->unsent = NULL;
	process->reported = process->found = false;
}

static const char *status_of(const struct process *process)
{
	if (process->lost)
		return "lost";
	if (process->signal)
		return "killed";
	return process->exit_code ? "failed" : "succeeded";
}

void ending_process(struct tracker *tracker, struct process *process, uint64_t ended_ns)
{
	struct place late = { 0 };

	table_end(tracker->table, process, ended_ns);
	begun_forget(tracker->begun, &process->key);
	record_sample(tracker, process, process_ended_at(process));
	record_execution(tracker, process, status_of(process));
	record_end_event(tracker, process);
	tracker->counts.executions++;
	/* Its run or task ends now; a place like a child's keeps the ids for a late record. */
	tree_fork(tracker->tree, &process->place, &late);
	if (process->lost)
		tree_lose(tracker->tree, &process->place, process_ended_at(process));
	else
		tree_exit(tracker->tree, &process->place, process->exit_code, process->signal,
			  process_ended_at(process));
	process->place = late;
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

	ending_reading(tracker, &stray, &exit->figures);
	record_execution(tracker, &stray, status_of(&stray));
	tracker->counts.executions++;
}

void ending_exit(void *context, const struct probe_exit *exit)
{
	struct tracker *tracker = context;
	struct process *process = table_get(tracker->table, &exit->key);

	tracker->counts.exits++;
	if (!process) {
		end_stray(tracker, exit);
		return;
	}
	if (process->ended_ns)
		return;
	if (process->image_seq != exit->image_seq) { /* an exec was lost */
		ending_image(tracker, process, exit->at_ns);
		images_release(tracker->images, process->image);
		process->image = NULL;
		process->image_seq = exit->image_seq;
	}
	process->exit_code = (uint8_t)exit->exit_code;
	process->signal = (uint8_t)exit->signal;
	ending_reading(tracker, process, &exit->figures);
	ending_process(tracker, process, exit->at_ns);
}

/* Late figures: the record is sent again, whole, and the growth as a sample. */
void ending_residual(void *context, const struct probe_residual *residual)
{
	struct tracker *tracker = context;
	struct process *process = table_get(tracker->table, &residual->key);

	tracker->counts.residuals++;
	if (!process || !process->ended_ns || process->image_seq != residual->image_seq)
		return;
	ending_reading(tracker, process, &residual->figures);
	if (!process->unsent)
		return;
	record_sample(tracker, process, process_ended_at(process));
	record_execution(tracker, process, status_of(process));
}
