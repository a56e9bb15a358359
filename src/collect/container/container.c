/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/container/container.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "collect/cgroup/cgroup_name.h"
#include "collect/container/container_owner.h"
#include "collect/container/container_pod.h"
#include "collect/container/container_sample.h"
#include "collect/cgroup/cgroup_follow.h"
#include "collect/attribution/slurm.h"
#include "collect/process/tracker.h"
#include "signal/redact/redact.h"

/* Messages take char *, and the outbox copies them without writing. NULL is "". */
static char *text(const char *value)
{
	return (char *)(uintptr_t)(value ? value : "");
}

static void send(struct tracker *tracker, const struct cgroup *cgroup, int64_t ended_at)
{
	Signal__Container record = SIGNAL__CONTAINER__INIT;
	char path[CGROUP_PATH_BYTES];
	struct cgroup_name name;

	if (!cgroup->path[0])
		return;
	cgroup_name(redact_copy(cgroup->path, path, sizeof(path)), &name);
	record.cgroup_id = cgroup->id;
	record.path = path;
	record.runtime = text(name.runtime);
	record.container_id = name.container_id;
	record.memory_limit_bytes = cgroup->memory_limit_bytes;
	record.cpu_limit = cgroup->cpu_limit;
	record.limits_known = cgroup->limits_known;
	record.started_at = cgroup->seen_at;
	record.ended_at = ended_at;
	record.name = text(cgroup->facts.name);
	record.image = text(cgroup->facts.image);
	record.namespace_ = text(cgroup->facts.namespace);
	record.pod_name = text(cgroup->facts.pod_name);
	record.pod = name.pod;
	record.job_id = name.job_id;
	record.step_id = name.step_id;
	record.unit = name.unit;
	record.qos = name.qos;
	record.node = name.node;
	outbox_add(tracker->outbox, &record.base);
}

/* "docker container web (busybox:1.36)", "slurm job 42", "podman container 0123456789ab" */
static void describe(const struct cgroup *cgroup, char *ret, size_t size)
{
	char path[CGROUP_PATH_BYTES];
	struct cgroup_name name;
	const struct container_facts *facts = &cgroup->facts;
	const char *known = facts->name ? facts->name : "", *image = facts->image;

	cgroup_name(redact_copy(cgroup->path, path, sizeof(path)), &name);
	if (*name.job_id && strcmp(name.job_id, name.container_id) == 0)
		(void)snprintf(ret, size, "%s job %s", name.runtime, name.job_id);
	else
		(void)snprintf(ret, size, "%s%scontainer %.*s%s%.200s%s", name.runtime,
			       *name.runtime ? " " : "", *known ? 200 : 12,
			       *known ? known : name.container_id, image && *image ? " (" : "",
			       image ? image : "", image && *image ? ")" : "");
}

static void send_event(struct tracker *tracker, const char *kind, int64_t at, const char *run_id,
		       const char *task_id, const char *summary)
{
	Signal__Event event = SIGNAL__EVENT__INIT;

	event.happened_at = at;
	event.kind = text(kind);
	event.run_id = text(run_id);
	event.task_id = text(task_id);
	event.summary = text(summary);
	outbox_add(tracker->outbox, &event.base);
}

void container_note(struct tracker *tracker, uint64_t cgroup_id, uint32_t pid)
{
	struct cgroup_birth birth;
	struct probe_cgroup told;
	struct cgroup *cgroup = cgroups_find(tracker->cgroups, cgroup_id);
	bool is_told;

	if (cgroup && !cgroup->used)
		container_sample_begin(tracker, cgroup);
	if (!cgroup_id || cgroup)
		return;
	is_told = tracker->probe && probe_find_cgroup(tracker->probe, cgroup_id, &told);
	birth = (struct cgroup_birth){ .path = is_told ? told.path : "" };
	if (is_told)
		birth.made_at = tracker_real(tracker, told.made_ns);
	cgroup = cgroups_add(tracker->cgroups, cgroup_id, pid, &birth);
	if (!cgroup)
		return;
	/* Without room for the mark its folder tells of its end. */
	if (tracker->probe)
		(void)probe_watch_cgroup(tracker->probe, cgroup_id);
	cgroup->used = true;
	if (!is_told) /* who saw it being made has seen all that it used */
		container_sample_begin(tracker, cgroup);
	tree_cgroup_limits(tracker->tree, cgroup_id, cgroup->cpu_limit, cgroup->memory_limit_bytes);
	send(tracker, cgroup, 0);
	if (tracker->runtimes && cgroup_is_container(cgroup))
		runtimes_ask(tracker->runtimes, cgroup_id, cgroup->runtime, cgroup->container_id);
}

static void send_again(struct cgroup *cgroup, void *context)
{
	send(context, cgroup, 0);
}

void container_retell(struct tracker *tracker)
{
	cgroups_visit(tracker->cgroups, send_again, tracker);
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

/* With the name that the runtime gives meanwhile. */
static void tell_start(struct tracker *tracker, struct cgroup *cgroup)
{
	char who[480], summary[512];

	if (!cgroup->started || cgroup->start_told)
		return;
	cgroup->start_told = true;
	describe(cgroup, who, sizeof(who));
	(void)snprintf(summary, sizeof(summary), "%s started", who);
	send_event(tracker, "container_start", cgroup->seen_at, cgroup->run_id, cgroup->task_id,
		   summary);
}

void container_used(struct tracker *tracker, const struct process *process)
{
	const char *run_id = attribution_run_id(&process->attribution);
	struct cgroup *cgroup;

	if (!*run_id)
		return;
	cgroup = cgroups_find(tracker->cgroups, process->cgroup_id);
	if (!cgroup || !cgroup_is_container(cgroup))
		return;
	keep_owner(cgroup, run_id, attribution_task_id(&process->attribution));
	cgroup->started = true;
	if (cgroup->facts.name)
		tell_start(tracker, cgroup);
}

void container_told(void *context, uint64_t cgroup_id, struct container_facts *facts)
{
	struct tracker *tracker = context;
	struct cgroup *cgroup = cgroups_find(tracker->cgroups, cgroup_id);

	if (!cgroup)
		return;
	if (facts->of_pod) {
		container_pod_keep(&cgroup->facts, facts);
		container_pod_name(tracker, cgroup_id);
		return;
	}
	container_pod_keep(facts, &cgroup->facts); /* which this answer does not have */
	container_facts_clear(&cgroup->facts);
	cgroup->facts = *facts;
	memset(facts, 0, sizeof(*facts));
	container_pod_name(tracker, cgroup_id);
	send(tracker, cgroup, 0);
	tell_start(tracker, cgroup);
	container_owner_told(tracker, cgroup);
}

static void changed(void *context, struct cgroup *cgroup)
{
	struct tracker *tracker = context;

	tree_cgroup_limits(tracker->tree, cgroup->id, cgroup->cpu_limit,
			   cgroup->memory_limit_bytes);
	send(tracker, cgroup, 0);
}

static void ended(struct tracker *tracker, struct cgroup *cgroup, int64_t at)
{
	char who[480], summary[600], lived[32];
	int64_t ended_at = at - cgroup->stepped_ns; /* on the clock by which it was seen */

	send(tracker, cgroup, ended_at);
	container_owner_gone(tracker, cgroup->id);
	if (!cgroup->started)
		return;
	tell_start(tracker, cgroup);
	describe(cgroup, who, sizeof(who));
	(void)snprintf(summary, sizeof(summary), "%s stopped after %s", who,
		       text_duration(ended_at > cgroup->seen_at
					     ? (uint64_t)(ended_at - cgroup->seen_at)
					     : 0,
				     lived, sizeof(lived)));
	send_event(tracker, "container_stop", at, cgroup->run_id, cgroup->task_id, summary);
}

/* When, the kernel may know better than who finds it gone. */
static void found_gone(void *context, struct cgroup *cgroup)
{
	struct tracker *tracker = context;
	struct probe_cgroup told = { 0 };

	if (tracker->probe)
		(void)probe_find_cgroup(tracker->probe, cgroup->id, &told);
	container_sample_end(tracker, cgroup, told.memory_peak_bytes);
	ended(tracker, cgroup,
	      told.gone_ns ? tracker_real(tracker, told.gone_ns) : tracker_now(tracker));
}

struct told_gone {
	struct tracker *tracker;
	const struct probe_cgroup *told;
};

static void was_told_gone(void *context, struct cgroup *cgroup)
{
	const struct told_gone *told = context;

	container_sample_end(told->tracker, cgroup, told->told->memory_peak_bytes);
	ended(told->tracker, cgroup, tracker_real(told->tracker, told->told->gone_ns));
}

void container_cgroup(void *context, const struct probe_cgroup *cgroup)
{
	struct tracker *tracker = context;
	struct told_gone told = { tracker, cgroup };
	const struct cgroups_watch watch = { .gone = was_told_gone, .context = &told };

	if (cgroup->gone_ns)
		cgroups_remove(tracker->cgroups, cgroup->id, &watch);
	else {
		follow_new(tracker->follow, tracker->probe, cgroup);
		container_owner_made(tracker, cgroup);
		slurm_made(tracker, cgroup);
	}
}

#define OWNERS_MAX 64 /* tasks told of one container's throttling at one time */

struct owners {
	struct tracker *tracker;
	uint64_t cgroup_id;
	const char *summary;
	int64_t at;
	const struct task *tasks[OWNERS_MAX];
	const struct run *runs[OWNERS_MAX];
	size_t count;
};

static void tell_owner(struct process *process, void *context)
{
	struct owners *owners = context;
	const struct attribution *attribution = &process->attribution;

	if (process->cgroup_id != owners->cgroup_id || process->ended_ns || !attribution->run)
		return;
	for (size_t i = 0; i < owners->count; i++)
		if (owners->tasks[i] == attribution->task && owners->runs[i] == attribution->run)
			return;
	if (owners->count == OWNERS_MAX)
		return;
	owners->tasks[owners->count] = attribution->task;
	owners->runs[owners->count++] = attribution->run;
	send_event(owners->tracker, "throttled", owners->at, attribution_run_id(attribution),
		   attribution_task_id(attribution), owners->summary);
}

/* Begun once: while it goes on nothing is said. Of whole intervals, however often it was sampled.
 */
static void judge_throttling(struct tracker *tracker, struct cgroup *cgroup)
{
	uint64_t periods = cgroup->usage.cpu_periods - cgroup->judged_periods;
	uint64_t throttled = cgroup->usage.cpu_throttled_periods - cgroup->judged_throttled;
	double share = periods ? (double)throttled / (double)periods : 0;
	char who[480] = "the control group", summary[640];
	struct owners owners = { .tracker = tracker,
				 .cgroup_id = cgroup->id,
				 .summary = summary,
				 .at = tracker_now(tracker) };

	cgroup->judged_periods = cgroup->usage.cpu_periods;
	cgroup->judged_throttled = cgroup->usage.cpu_throttled_periods;
	if (cgroup->throttled) {
		cgroup->throttled = share >= CONTAINER_THROTTLED_SHARE / 2;
		return;
	}
	if (share < CONTAINER_THROTTLED_SHARE || throttled < CONTAINER_THROTTLED_PERIODS)
		return;
	if (cgroup_is_container(cgroup))
		describe(cgroup, who, sizeof(who));
	(void)snprintf(summary, sizeof(summary),
		       "%s used up its %.3g CPUs in %.0f %% of the time in which it had work", who,
		       cgroup->cpu_limit, share * 100);
	table_visit(tracker->table, tell_owner, &owners);
	cgroup->throttled = owners.count > 0;
}

static void sample_one(struct cgroup *cgroup, void *context)
{
	struct tracker *tracker = context;

	tell_start(tracker, cgroup);
	cgroup->used = cgroup->tick == tracker->tick;
	if (cgroup->used || cgroup->left) {
		container_sample(tracker, cgroup);
		judge_throttling(tracker, cgroup);
	}
	cgroup->left = false;
}

/* The cgroup of a container goes as soon as the process does that it began with. */
void container_left(struct tracker *tracker, const struct process *process)
{
	struct cgroup *cgroup = cgroups_find(tracker->cgroups, process->cgroup_id);

	if (!cgroup || tracker_is_noise(process))
		return;
	cgroup->left = true;
	if (cgroup->pid == process->key.pid)
		container_sample(tracker, cgroup);
}

static void mark(struct process *process, void *context)
{
	struct tracker *tracker = context;
	struct cgroup *cgroup;

	if (process->ended_ns || tracker_is_noise(process))
		return;
	cgroup = cgroups_find(tracker->cgroups, process->cgroup_id);
	if (cgroup)
		cgroup->tick = tracker->tick;
}

void container_tick(struct tracker *tracker)
{
	const struct cgroups_watch watch = { .changed = changed,
					     .gone = found_gone,
					     .context = tracker };

	cgroups_check(tracker->cgroups, &watch);
	table_visit(tracker->table, mark, tracker);
	cgroups_visit(tracker->cgroups, sample_one, tracker);
}
