/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_reading.h"

#include "collect/process/process_table.h"
#include "collect/process/tracker_private.h"

/* Samples begin here: what was before is not known to be this agent's to report. */
static void take_baseline(struct tracker *tracker, struct process *process,
			  const struct counters *now)
{
	process->baseline = false;
	process->sampled_at = agent_clock_now(tracker->parts.clock);
	process_see(process, now);
	process_send(process);
}

void process_reading_take(struct tracker *tracker, struct process *process,
			  const struct probe_figures *figures)
{
	struct counters now = counters_of(figures), seen, before, carried;
	struct process_reading reading = { .before = &before, .now = &seen };

	counters_recall(process->carried, &carried);
	counters_recall(process->seen, &seen);
	counters_add(&now, &carried);
	counters_keep_gpu(&now, &seen);
	process->peak_exact = figures->peak_exact;
	if (process->baseline) {
		take_baseline(tracker, process, &now);
		return;
	}
	before = seen;
	reading.woke = !counters_idle(&seen, &now);
	counters_advance(&seen, &now);
	listeners_reading(tracker->parts.listeners, process, &reading);
	process_see(process, &seen);
}
