/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/container/container_throttle.h"

#include <stdio.h>

#include "collect/cgroup/cgroup.h"
#include "collect/container/container_private.h"
#include "collect/container/container_record.h"
#include "collect/process/agent_clock.h"
#include "collect/process/process_table.h"

#define OWNERS_MAX 64 /* tasks that get the event of one container at one time */

struct owners {
	struct containers *containers;
	uint64_t cgroup_id;
	const char *summary;
	int64_t at;
	const struct task *tasks[OWNERS_MAX];
	const struct run *runs[OWNERS_MAX];
	size_t count;
};

static void send_to_owner(struct process *process, void *context)
{
	struct owners *owners = context;
	const struct attribution *attribution = &process->attribution;

	if (process->cgroup_id != owners->cgroup_id || !attribution->run)
		return;
	for (size_t i = 0; i < owners->count; i++)
		if (owners->tasks[i] == attribution->task && owners->runs[i] == attribution->run)
			return;
	if (owners->count == OWNERS_MAX)
		return;
	owners->tasks[owners->count] = attribution->task;
	owners->runs[owners->count++] = attribution->run;
	container_record_event(owners->containers, "throttled", owners->at,
			       attribution_run_id(attribution), attribution_task_id(attribution),
			       owners->summary);
}

bool container_throttle_begins(bool *throttled, uint64_t periods, uint64_t throttled_periods)
{
	double share = periods ? (double)throttled_periods / (double)periods : 0;

	if (*throttled) {
		*throttled = share >= CONTAINER_THROTTLED_SHARE / 2;
		return false;
	}
	*throttled = share >= CONTAINER_THROTTLED_SHARE &&
		     throttled_periods >= CONTAINER_THROTTLED_PERIODS;
	return *throttled;
}

void container_throttle_judge(struct containers *containers, struct cgroup *cgroup)
{
	uint64_t periods = cgroup->usage.cpu_periods - cgroup->judged_periods;
	uint64_t throttled = cgroup->usage.cpu_throttled_periods - cgroup->judged_throttled;
	char who[480] = "the control group", summary[640];
	struct owners owners = { .containers = containers,
				 .cgroup_id = cgroup->id,
				 .summary = summary,
				 .at = agent_clock_now(containers->parts.clock) };

	cgroup->judged_periods = cgroup->usage.cpu_periods;
	cgroup->judged_throttled = cgroup->usage.cpu_throttled_periods;
	if (!container_throttle_begins(&cgroup->throttled, periods, throttled))
		return;
	if (cgroup_is_container(cgroup))
		container_record_describe(cgroup, who, sizeof(who));
	(void)snprintf(summary, sizeof(summary),
		       "%s used up its %.3g CPUs in %.0f %% of the time in which it had work", who,
		       cgroup->cpu_limit, (double)throttled * 100 / (double)periods);
	process_table_visit(containers->parts.processes, send_to_owner, &owners);
	cgroup->throttled = owners.count > 0;
}
