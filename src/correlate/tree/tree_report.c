/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/tree_private.h"

#include "correlate/model/run.h"
#include "correlate/model/task.h"

/* What is reported of runs and tasks, and when. */

/* A task that was separated by its pipes may become a part of another until it is settled. */
static bool is_to_wait(const struct entity *entity)
{
	const struct task *task = (const struct task *)entity;

	return entity->is_task && task->run->engine->tasks_by_pipes &&
	       (task->state == TASK_SETTLING || task->state == TASK_ENDED_SETTLING);
}

/* The next change that may be reported; NULL: none. The caller has its reference. */
static struct entity *next_change(struct tree *tree)
{
	struct entity *entity;

	while ((entity = entity_next_change(&tree->entities))) {
		struct task *task = entity->is_task ? (struct task *)entity : NULL;

		if (!task || (task->state != TASK_MERGED && !is_to_wait(entity)))
			return entity;
		if (task->state == TASK_MERGED || task->report_waits) {
			entity_unref(entity);
			continue;
		}
		task->report_waits = true; /* with the reference */
	}
	return NULL;
}

bool tree_next_change(struct tree *tree, const Signal__Run **ret_run, const Signal__Task **ret_task)
{
	entity_unref(tree->lent);
	tree->lent = next_change(tree);
	*ret_run = NULL;
	*ret_task = NULL;
	if (!tree->lent)
		return false;
	if (tree->lent->is_task) {
		(void)task_id((struct task *)tree->lent);
		*ret_task = &((struct task *)tree->lent)->record;
	} else {
		*ret_run = &((struct run *)tree->lent)->record;
	}
	return true;
}

bool tree_run_is_new(struct tree *tree, struct tree_link *ret)
{
	struct run *run = (struct run *)tree->lent;
	bool new = !run->link_sent;

	run->link_sent = true;
	*ret = (struct tree_link){ .folder = run->folder,
				   .workflow = run->workflow,
				   .part = run->part };
	return new;
}

/* Ends it if it waited since the last call. */
static void settle_waiting(struct tree *tree, struct task *task)
{
	tree->unsettled |= !task->waited;
	if (task->waited)
		tree_end_task(tree, task);
	task->waited = true;
}

/* No root of it is left, and it did not become a part of another task. */
static void settle_new(struct tree *tree, struct task *task)
{
	if (task->state == TASK_NEW && task->roots == 0)
		settle_waiting(tree, task);
}

static void settle_reported(struct tree *tree, struct task *task)
{
	bool held = task->report_waits;

	if (task->state == TASK_SETTLING)
		task_set_state(task, TASK_RUNNING);
	else if (task->state == TASK_ENDED_SETTLING)
		task_set_state(task, TASK_ENDED);
	task->report_waits = false;
	if (task_waits_for_pipe(task))
		settle_waiting(tree, task);
	if (!held)
		return;
	entity_changed(&tree->entities, &task->entity);
	entity_unref(&task->entity);
}

void tree_settle(struct tree *tree)
{
	if (!tree->unsettled)
		return;
	tree->unsettled = false;
	entity_ref(tree->entities.all);
	for (struct entity *entity = tree->entities.all, *next; entity; entity = next) {
		struct task *task = entity->is_task ? (struct task *)entity : NULL;

		if (task && (task_is_reported(task) || task->report_waits))
			settle_reported(tree, task);
		else if (task)
			settle_new(tree, task);
		next = entity->next; /* a task that ended may have taken its run with it */
		entity_ref(next);
		entity_unref(entity);
	}
}

void tree_resend(struct tree *tree)
{
	for (struct entity *entity = tree->entities.all; entity; entity = entity->next)
		if (entity->is_task ? task_is_reported((struct task *)entity)
				    : run_is_reported((struct run *)entity)) {
			if (!entity->is_task)
				((struct run *)entity)->link_sent = false;
			entity_changed(&tree->entities, entity);
		}
}
