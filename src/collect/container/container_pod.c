/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/container/container_pod.h"

#include "base/cleanup.h"
#include "collect/process/tracker.h"
#include "correlate/tree/pod.h"

void container_pod_name(struct tracker *tracker, uint64_t cgroup_id)
{
	struct cgroup *cgroup = cgroups_find(tracker->cgroups, cgroup_id);
	const struct container_facts *facts = cgroup ? &cgroup->facts : NULL;
	struct pod pod;

	if (!facts || !facts->pod_name)
		return;
	pod = (struct pod){ .name = facts->pod_name,
			    .namespace = facts->namespace ? facts->namespace : "",
			    .workflow = facts->workflow,
			    .node = facts->node };
	if (!pod_name_runs(tracker->tree, cgroup_id, &pod) || !facts->sandbox_id ||
	    cgroup->pod_asked || !tracker->runtimes)
		return;
	cgroup->pod_asked = true;
	runtimes_ask_pod(tracker->runtimes, cgroup_id, cgroup->runtime, facts->sandbox_id);
}

void container_pod_keep(struct container_facts *facts, struct container_facts *from)
{
	char **const to[] = { &facts->workflow, &facts->node };
	char **const of[] = { &from->workflow, &from->node };

	for (size_t i = 0; i < sizeof(to) / sizeof(*to); i++)
		if (!*to[i])
			*to[i] = TAKE_PTR(*of[i]);
}
