/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/daemon_run.h"

#include "base/id.h"
#include "base/map.h"
#include "correlate/tree/rootless_run.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"
#include "correlate/tree/tree_private.h"

#include <stdio.h>
#include <string.h>

static bool id_of_daemon_run(const struct tree *tree, const struct engine *engine,
			     const struct exec_view *exec, struct id *ret)
{
	char name[RECORD_NAME_LIMIT], key[RECORD_NAME_LIMIT + 256];

	if (!engine->daemon_run_id || !engine->daemon_run_id(exec, name, sizeof(name)))
		return false;
	(void)snprintf(key, sizeof(key), "run %.128s %s %llu %s", tree->host_id, engine->name,
		       (unsigned long long)exec->image->cgroup_id, name);
	*ret = id_of(key, strlen(key));
	return true;
}

bool daemon_run_begin(struct tree *tree, struct attribution *attribution,
		      const struct engine *engine, const struct exec_view *exec)
{
	struct run *run;
	struct id id;

	if (!id_of_daemon_run(tree, engine, exec, &id))
		return false;
	run = rootless_run_find(tree, &id);
	if (run) {
		attribution_set_run(attribution, run);
		attribution->role = ROLE_ENGINE;
		attribution->root = true;
	} else {
		if (!tree_begin_run(tree, attribution, engine, exec))
			return true;
		run = attribution->run;
		run->by_daemon = true;
		record_set(&run->record.run_id, id.text, RECORD_NAME_LIMIT);
		run_finish_names(run);
	}
	rootless_run_enter(tree, run);
	return true;
}

/* Identifies a task, to find out whether a later try of it succeeded. (The step of a Dagster
 * process is not known.) */
static struct map_text_key retry_key(const struct attribution *attribution)
{
	const struct task *task = attribution_task(attribution);
	char text[2 * RECORD_NAME_LIMIT + 4] = "";

	if (task)
		(void)snprintf(text, sizeof(text), "%s\t%s", task->record.step,
			       task->record.sample);
	return map_text_key(text, strlen(text));
}

void daemon_run_leave(struct tree *tree, const struct attribution *attribution,
		      const struct ending *how)
{
	struct run *run = attribution->run;
	struct map_text_key key = retry_key(attribution);

	if (!run->failing)
		run->failing = map_new_of_texts(TASK_FAILURE_LIMIT);
	if (ending_failed(how)) {
		run->failed = *how;
		if (run->failing)
			map_put(run->failing, &key, run);
	} else if (run->failing && attribution->task) {
		map_remove(run->failing, &key);
	}
	run->end = run->failing && map_count(run->failing) ? run->failed : (struct ending){ 0 };
	run->end.ended_at = how->ended_at;
	rootless_run_leave(tree, run);
}
