/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/container/container.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "collect/container/container_owner.h"
#include "collect/container/container_pod.h"
#include "collect/container/container_record.h"
#include "collect/container/container_sample.h"
#include "collect/container/container_throttle.h"
#include "collect/cgroup/cgroup_follow.h"
#include "collect/cgroup/cgroup.h"
#include "collect/container/container_private.h"

#include "collect/process/agent_clock.h"
#include "collect/process/exec_context.h"
#include "collect/process/listener.h"
#include "collect/process/process_table.h"
#include "collect/runtime/runtime.h"

struct containers *containers_new(const struct container_parts *parts)
{
	struct containers *containers = calloc(1, sizeof(*containers));

	if (!containers)
		return NULL;
	containers->parts = *parts;
	containers->owners = container_owners_new();
	if (containers->owners)
		return containers;
	free(containers);
	return NULL;
}

void containers_free(struct containers *containers)
{
	if (!containers)
		return;
	container_owners_free(containers->owners, containers->parts.tree);
	free(containers);
}

struct container_parts *containers_parts(struct containers *containers)
{
	return &containers->parts;
}

/* How it was made, where the kernel reported that. */
static bool find_birth(const struct containers *containers, uint64_t cgroup_id,
		       struct probe_cgroup *made, struct cgroup_birth *ret)
{
	bool is_known = containers->parts.probe &&
			probe_find_cgroup(containers->parts.probe, cgroup_id, made);

	*ret = (struct cgroup_birth){ .path = is_known ? made->path : "" };
	if (is_known)
		ret->made_at = agent_clock_real(containers->parts.clock, made->made_ns);
	return is_known;
}

/* Tracked work is in this cgroup for the first time. NULL: it is not found, or no memory. */
static struct cgroup *add(struct containers *containers, uint64_t cgroup_id, uint32_t pid)
{
	const struct container_parts *parts = &containers->parts;
	struct probe_cgroup made;
	struct cgroup_birth birth;
	bool is_known = find_birth(containers, cgroup_id, &made, &birth);
	struct cgroup *cgroup = cgroups_add(parts->cgroups, cgroup_id, pid, &birth);

	if (!cgroup)
		return NULL;
	/* Without room for the mark its folder shows its end. */
	if (parts->probe)
		(void)probe_watch_cgroup(parts->probe, cgroup_id);
	cgroup->used = true;
	if (!is_known) /* of one that was seen being made all that it used is known */
		container_sample_begin(containers, cgroup);
	tree_cgroup_limits(parts->tree, cgroup_id, cgroup->cpu_limit, cgroup->memory_limit_bytes);
	container_record_send(containers, cgroup, 0);
	if (parts->runtimes && cgroup_is_container(cgroup))
		runtimes_ask(parts->runtimes, cgroup_id, cgroup->runtime, cgroup->container_id);
	return cgroup;
}

static struct cgroup *on_enter(void *context, const struct process *process)
{
	struct containers *containers = context;
	struct cgroup *cgroup = cgroups_find(containers->parts.cgroups, process->cgroup_id);

	if (cgroup && !cgroup->used)
		container_sample_begin(containers, cgroup);
	if (process->cgroup_id && !cgroup)
		cgroup = add(containers, process->cgroup_id, process->key.pid);
	return cgroup;
}

static void send_again(struct cgroup *cgroup, void *context)
{
	container_record_send(context, cgroup, 0);
}

void container_resend(struct containers *containers)
{
	cgroups_visit(containers->parts.cgroups, send_again, containers);
}

static void keep_owner(struct cgroup *cgroup, const char *run_id, const char *task_id)
{
	bool same_run = strcmp(cgroup->run_id, run_id) == 0;

	if (same_run && strcmp(cgroup->task_id, task_id) == 0)
		return;
	if (same_run && cgroup->tasks)
		return;
	cgroup->tasks = same_run && *cgroup->task_id && *task_id;
	(void)snprintf(cgroup->run_id, sizeof(cgroup->run_id), "%s", run_id);
	if (cgroup->tasks)
		cgroup->task_id[0] = '\0';
	else if (*task_id || !same_run)
		(void)snprintf(cgroup->task_id, sizeof(cgroup->task_id), "%s", task_id);
}

/* A process of a run is in its container. */
static void use(struct containers *containers, struct cgroup *cgroup,
		const struct attribution *attribution)
{
	const char *run_id = attribution_run_id(attribution);

	if (!*run_id || !cgroup || !cgroup_is_container(cgroup))
		return;
	keep_owner(cgroup, run_id, attribution_task_id(attribution));
	cgroup->started = true;
	if (cgroup->facts.name)
		container_record_start(containers, cgroup);
}

static void on_begin(void *context, const struct exec_context *exec)
{
	if (!exec->again)
		use(context, exec->cgroup, &exec->process->attribution);
}

static void on_moved(void *context, const struct process *process)
{
	struct containers *containers = context;

	use(containers, on_enter(containers, process), &process->attribution);
}

bool container_take_facts(struct containers *containers, uint64_t cgroup_id,
			  struct container_facts *facts)
{
	struct cgroup *cgroup = cgroups_find(containers->parts.cgroups, cgroup_id);

	if (!cgroup)
		return false;
	if (facts->of_pod) {
		container_pod_keep(&cgroup->facts, facts);
		container_pod_name(containers, cgroup);
		return false;
	}
	container_pod_keep(facts, &cgroup->facts); /* which this answer does not have */
	container_facts_clear(&cgroup->facts);
	cgroup->facts = *facts;
	memset(facts, 0, sizeof(*facts));
	container_pod_name(containers, cgroup);
	container_record_send(containers, cgroup, 0);
	container_record_start(containers, cgroup);
	return container_owner_take_facts(containers, cgroup);
}

static void on_changed(void *context, struct cgroup *cgroup)
{
	struct containers *containers = context;

	tree_cgroup_limits(containers->parts.tree, cgroup->id, cgroup->cpu_limit,
			   cgroup->memory_limit_bytes);
	container_record_send(containers, cgroup, 0);
}

static void ended(struct containers *containers, struct cgroup *cgroup, int64_t at)
{
	char who[480], summary[600], lived[32];
	int64_t ended_at = at - cgroup->stepped_ns; /* on the clock by which it was seen */

	container_record_send(containers, cgroup, ended_at);
	container_owner_gone(containers, cgroup->id);
	if (!cgroup->started)
		return;
	container_record_start(containers, cgroup);
	container_record_describe(cgroup, who, sizeof(who));
	(void)snprintf(summary, sizeof(summary), "%s stopped after %s", who,
		       text_duration(ended_at > cgroup->seen_at
					     ? (uint64_t)(ended_at - cgroup->seen_at)
					     : 0,
				     lived, sizeof(lived)));
	container_record_event(containers, "container_stop", at, cgroup->run_id, cgroup->task_id,
			       summary);
}

/* When, the kernel may know better than who finds it gone. */
static void found_gone(void *context, struct cgroup *cgroup)
{
	struct containers *containers = context;
	struct probe_cgroup reported = { 0 };

	if (containers->parts.probe)
		(void)probe_find_cgroup(containers->parts.probe, cgroup->id, &reported);
	container_sample_end(containers, cgroup, reported.memory_peak_bytes);
	ended(containers, cgroup,
	      reported.gone_ns ? agent_clock_real(containers->parts.clock, reported.gone_ns)
			       : agent_clock_now(containers->parts.clock));
}

struct removal {
	struct containers *containers;
	const struct probe_cgroup *reported;
};

static void on_removed(void *context, struct cgroup *cgroup)
{
	const struct removal *removal = context;

	container_sample_end(removal->containers, cgroup, removal->reported->memory_peak_bytes);
	ended(removal->containers, cgroup,
	      agent_clock_real(removal->containers->parts.clock, removal->reported->gone_ns));
}

void container_take_cgroup(struct containers *containers, const struct probe_cgroup *cgroup)
{
	struct removal removal = { containers, cgroup };
	const struct cgroups_watch watch = { .gone = on_removed, .context = &removal };

	if (cgroup->gone_ns) {
		cgroups_remove(containers->parts.cgroups, cgroup->id, &watch);
		return;
	}
	follow_new(containers->parts.follow, containers->parts.probe, cgroup);
	container_owner_made(containers, cgroup);
}

static void sample_one(struct cgroup *cgroup, void *context)
{
	struct containers *containers = context;

	container_record_start(containers, cgroup);
	cgroup->used = cgroup->tick == containers->parts.clock->tick;
	if (cgroup->used || cgroup->left) {
		container_sample(containers, cgroup);
		container_throttle_judge(containers, cgroup);
	}
	cgroup->left = false;
}

/* The cgroup of a container goes as soon as the process does that it began with. */
static void on_end(void *context, struct process *process, enum process_end end)
{
	struct containers *containers = context;
	struct cgroup *cgroup;

	if (end != PROCESS_EXITED || process_is_noise(process))
		return;
	cgroup = cgroups_find(containers->parts.cgroups, process->cgroup_id);
	if (!cgroup)
		return;
	cgroup->left = true;
	if (cgroup->pid == process->key.pid)
		container_sample(containers, cgroup);
}

static void mark(struct process *process, void *context)
{
	struct containers *containers = context;
	struct cgroup *cgroup;

	if (process_is_noise(process))
		return;
	cgroup = cgroups_find(containers->parts.cgroups, process->cgroup_id);
	if (cgroup)
		cgroup->tick = containers->parts.clock->tick;
}

void container_sample_all(struct containers *containers)
{
	const struct cgroups_watch watch = { .changed = on_changed,
					     .gone = found_gone,
					     .context = containers };

	cgroups_check(containers->parts.cgroups, &watch);
	process_table_visit(containers->parts.processes, mark, containers);
	cgroups_visit(containers->parts.cgroups, sample_one, containers);
}

static void on_tick(void *context)
{
	container_owner_tick(context);
}

static void move_cgroup(struct cgroup *cgroup, void *step_ns)
{
	cgroup->stepped_ns += *(const int64_t *)step_ns;
	if (cgroup->sampled_at)
		cgroup->sampled_at += *(const int64_t *)step_ns;
}

static void on_step(void *context, int64_t step_ns)
{
	struct containers *containers = context;

	cgroups_visit(containers->parts.cgroups, move_cgroup, &step_ns);
}

const struct listener container_listener = { .enter = on_enter,
					     .moved = on_moved,
					     .begin = on_begin,
					     .tick = on_tick,
					     .step = on_step,
					     .end = on_end };
