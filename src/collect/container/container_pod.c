/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/container/container_pod.h"

#include "base/cleanup.h"
#include "collect/cgroup/cgroup.h"
#include "collect/container/container_private.h"
#include "collect/runtime/runtime.h"
#include "correlate/tree/pod.h"

void container_pod_name(struct containers *containers, struct cgroup *cgroup)
{
	struct runtimes *runtimes = containers->parts.runtimes;
	const struct container_facts *facts = cgroup ? &cgroup->facts : NULL;
	struct pod pod;

	if (!facts || !facts->pod_name)
		return;
	pod = (struct pod){ .name = facts->pod_name,
			    .namespace = facts->namespace ? facts->namespace : "",
			    .workflow = facts->workflow,
			    .node = facts->node };
	if (!pod_name_runs(containers->parts.tree, cgroup->id, &pod) || !facts->sandbox_id ||
	    cgroup->pod_asked || !runtimes)
		return;
	cgroup->pod_asked = true;
	runtimes_ask_pod(runtimes, cgroup->id, cgroup->runtime, facts->sandbox_id);
}

void container_pod_keep(struct container_facts *facts, struct container_facts *from)
{
	char **const to[] = { &facts->workflow, &facts->node };
	char **const of[] = { &from->workflow, &from->node };

	for (size_t i = 0; i < sizeof(to) / sizeof(*to); i++)
		if (!*to[i])
			*to[i] = TAKE_PTR(*of[i]);
}
