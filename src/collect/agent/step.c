/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/step.h"

#include "base/clock.h"
#include "base/log.h"

/* One without a sample has its first from its start on, which is told and stays. */
static void move_process(struct process *process, void *step_ns)
{
	if (!process->sampled_at)
		process->sampled_at = process->started_at;
	process->sampled_at += *(const int64_t *)step_ns;
}

static void move_cgroup(struct cgroup *cgroup, void *step_ns)
{
	cgroup->stepped_ns += *(const int64_t *)step_ns;
	if (cgroup->sampled_at)
		cgroup->sampled_at += *(const int64_t *)step_ns;
}

void step_follow(struct tracker *tracker)
{
	int64_t now_ns = clock_boot_offset_ns(), step_ns = now_ns - tracker->offset_ns;

	tracker->offset_ns = now_ns;
	if (step_ns < STEP_NS && step_ns > -STEP_NS)
		return;
	log_warning("the clock was set by %+.3f s", (double)step_ns / NS_PER_S);
	tracker->stepped_ns += step_ns;
	tracker->read_at += step_ns;
	table_visit(tracker->table, move_process, &step_ns);
	cgroups_visit(tracker->cgroups, move_cgroup, &step_ns);
}
