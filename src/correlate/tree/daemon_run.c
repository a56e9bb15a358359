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

static bool id_of_whole(const struct tree *tree, const struct engine *engine,
			const struct sight *sight, struct id *ret)
{
	char name[RECORD_NAME_LIMIT], key[RECORD_NAME_LIMIT + 256];

	if (!engine->whole || !engine->whole(sight, name, sizeof(name)))
		return false;
	(void)snprintf(key, sizeof(key), "run %.128s %s %llu %s", tree->host_id, engine->name,
		       (unsigned long long)sight->image->cgroup_id, name);
	*ret = id_of(key, strlen(key));
	return true;
}

bool whole_begin(struct tree *tree, struct place *place, const struct engine *engine,
		 const struct sight *sight)
{
	struct run *run;
	struct id id;

	if (!id_of_whole(tree, engine, sight, &id))
		return false;
	run = members_find(tree, &id);
	if (run) {
		place_set_run(place, run);
		place->role = ROLE_ENGINE;
		place->root = true;
	} else {
		if (!tree_begin_run(tree, place, engine, sight))
			return true;
		run = place->run;
		run->whole = true;
		record_set(&run->record.run_id, id.text, RECORD_NAME_LIMIT);
		run_finish_names(run);
	}
	members_enter(tree, run);
	return true;
}

/* What the process did, for one that does it again; which step of Dagster's it was is not known. */
static struct map_text_key deed(const struct place *place)
{
	const struct task *task = place_task(place);
	char text[2 * RECORD_NAME_LIMIT + 4] = "";

	if (task)
		(void)snprintf(text, sizeof(text), "%s\t%s", task->record.step,
			       task->record.sample);
	return map_text_key(text, strlen(text));
}

void whole_leave(struct tree *tree, const struct place *place, const struct ending *how)
{
	struct run *run = place->run;
	struct map_text_key key = deed(place);

	if (!run->failing)
		run->failing = map_new_of_texts(TASK_FAILURE_LIMIT);
	if (ending_failed(how)) {
		run->failed = *how;
		if (run->failing)
			map_put(run->failing, &key, run);
	} else if (run->failing && place->task) {
		map_remove(run->failing, &key);
	}
	run->end = run->failing && map_count(run->failing) ? run->failed : (struct ending){ 0 };
	run->end.ended_at = how->ended_at;
	members_leave(tree, run);
}
