/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/rootless_run.h"

#include "base/id.h"
#include "correlate/model/run.h"
#include "correlate/tree/tree_private.h"

#include <string.h>

struct run *members_find(const struct tree *tree, const struct id *id)
{
	for (struct entity *entity = tree->entities.all; entity; entity = entity->next) {
		struct run *run = (struct run *)entity;

		if (!entity->is_task && entity->live && strcmp(run->record.run_id, id->text) == 0)
			return run;
	}
	return NULL;
}

void members_enter(struct tree *tree, struct run *run)
{
	if (run->members++ == 0 && run->record.ended_at)
		run_wake(&tree->entities, run);
}

/* The oldest that rest come to their end for others. */
static void rest(struct tree *tree, struct run *run)
{
	struct run **slot = &tree->resting[tree->next_resting % MEMBERS_RESTING];

	if (run->resting)
		return;
	if (*slot) {
		(*slot)->resting = false;
		if ((*slot)->members == 0)
			run_close(&tree->entities, *slot);
	}
	*slot = run;
	run->resting = true;
	tree->next_resting++;
}

void members_leave(struct tree *tree, struct run *run)
{
	if (--run->members > 0)
		return;
	run_tell_end(&tree->entities, run, &run->end);
	rest(tree, run);
}
