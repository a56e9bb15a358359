/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/pod.h"

#include "correlate/model/run.h"
#include "correlate/model/task.h"
#include "correlate/tree/tree_private.h"

#include <stdio.h>
#include <string.h>

bool pod_is_wanted(const struct attribution *attribution)
{
	const struct run *run = attribution->run;

	return run && run->engine->name_by_pod && !run->workflow;
}

static void name_tasks(struct tree *tree, const struct run *run)
{
	for (struct entity *entity = tree->entities.all; entity; entity = entity->next) {
		struct task *task = (struct task *)entity;

		if (!entity->is_task || task->run != run || task->named)
			continue;
		run->engine->name_task(task, NULL);
		if (task->named && task_is_reported(task))
			entity_changed(&tree->entities, entity);
	}
}

static void name_run(struct tree *tree, struct run *run, const struct pod *pod)
{
	char before[RECORD_NAME_LIMIT + 1];

	(void)snprintf(before, sizeof(before), "%s", run->record.name);
	run->engine->name_by_pod(run, pod);
	if (!run->workflow && strcmp(before, run->record.name) == 0)
		return;
	run->link_sent &= !run->workflow;
	run_changed(&tree->entities, run);
	if (run->workflow)
		name_tasks(tree, run);
}

bool pod_name_runs(struct tree *tree, uint64_t cgroup_id, const struct pod *pod)
{
	bool wanted = false;

	for (struct entity *entity = tree->entities.all; entity; entity = entity->next) {
		struct run *run = entity->is_task ? NULL : (struct run *)entity;

		if (!run || run->cgroup_id != cgroup_id || !run->engine->name_by_pod ||
		    run->workflow)
			continue;
		name_run(tree, run, pod);
		wanted |= !run->workflow;
	}
	return wanted;
}
