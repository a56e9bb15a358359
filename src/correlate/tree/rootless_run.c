/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/rootless_run.h"

#include "base/id.h"
#include "correlate/model/run.h"
#include "correlate/tree/tree_private.h"

#include <string.h>

struct run *rootless_run_find(const struct tree *tree, const struct id *id)
{
	for (struct entity *entity = tree->entities.all; entity; entity = entity->next) {
		struct run *run = (struct run *)entity;

		if (!entity->is_task && entity->live && strcmp(run->record.run_id, id->text) == 0)
			return run;
	}
	return NULL;
}

void rootless_run_enter(struct tree *tree, struct run *run)
{
	if (run->state == RUN_IDLE)
		run_set_state(run, RUN_RUNNING);
	if (run->processes++ == 0 && run->record.ended_at)
		run_wake(&tree->entities, run);
}

/* Keeps an idle run; the oldest one that is still idle ends. */
static void keep_idle(struct tree *tree, struct run *run)
{
	struct run **slot = &tree->idle_runs[tree->next_idle % ROOTLESS_RUNS_IDLE];

	if (run->in_idle_runs)
		return;
	if (*slot) {
		(*slot)->in_idle_runs = false;
		if ((*slot)->processes == 0)
			run_close(&tree->entities, *slot);
	}
	*slot = run;
	run->in_idle_runs = true;
	tree->next_idle++;
}

void rootless_run_leave(struct tree *tree, struct run *run)
{
	if (--run->processes > 0)
		return;
	if (run_is_reported(run))
		run_set_state(run, RUN_IDLE);
	run_record_end(&tree->entities, run, &run->end);
	keep_idle(tree, run);
}
