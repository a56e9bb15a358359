/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/container/container_record.h"

#include <stdio.h>
#include <string.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_name.h"
#include "collect/container/container_private.h"
#include "collect/output/outbox.h"
#include "signal/redact/redact.h"

/* Messages take char *, and the outbox copies them without writing. NULL is "". */
static char *text(const char *value)
{
	return (char *)(uintptr_t)(value ? value : "");
}

void container_record_send(struct containers *containers, const struct cgroup *cgroup,
			   int64_t ended_at)
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
	outbox_add(containers->parts.outbox, &record.base);
}

void container_record_describe(const struct cgroup *cgroup, char *ret, size_t size)
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

void container_record_event(struct containers *containers, const char *kind, int64_t at,
			    const char *run_id, const char *task_id, const char *summary)
{
	Signal__Event event = SIGNAL__EVENT__INIT;

	event.happened_at = at;
	event.kind = text(kind);
	event.run_id = text(run_id);
	event.task_id = text(task_id);
	event.summary = text(summary);
	outbox_add(containers->parts.outbox, &event.base);
}

void container_record_start(struct containers *containers, struct cgroup *cgroup)
{
	char who[480], summary[512];

	if (!cgroup->started || cgroup->start_sent)
		return;
	cgroup->start_sent = true;
	container_record_describe(cgroup, who, sizeof(who));
	(void)snprintf(summary, sizeof(summary), "%s started", who);
	container_record_event(containers, "container_start", cgroup->seen_at, cgroup->run_id,
			       cgroup->task_id, summary);
}
