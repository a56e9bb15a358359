/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/queue.h"

#include "correlate/engines/shared/submit.h"
#include "correlate/model/run.h"
#include "correlate/tree/job.h"
#include "correlate/tree/tree_private.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define QUEUE_SHARE 2 /* at most one task in so many waits: what runs is to have room */

/* It was prepared or submitted, and has not begun. */
static bool is_waiting(const struct entity *entity)
{
	const struct task *task = (const struct task *)entity;

	return entity->is_task && entity->live &&
	       (task->state == TASK_SUBMITTED || task->state == TASK_QUEUED);
}

static bool has_room(const struct tree *tree)
{
	return tree->entities.live_tasks < tree->task_cap &&
	       tree->queued < tree->task_cap / QUEUE_SHARE;
}

/* false: no memory; it is no task then. */
static bool enter(struct tree *tree, struct task *task, const char *folder, const char *script)
{
	if (!task->folder)
		task->folder = strdup(folder);
	task->script = strdup(script);
	if (!task->folder || !task->script) {
		task_drop(&tree->entities, task);
		return false;
	}
	task->submission = ++tree->ranks;
	task->run->queued++;
	tree->queued++;
	return true;
}

static void leave(struct tree *tree, struct task *task)
{
	task->submission = 0;
	task->run->queued--;
	tree->queued--;
}

static const char *cwd_of(const struct exec_view *exec)
{
	return exec->image->cwd ? exec->image->cwd : "";
}

/* The part of a task's folder that identifies it in its run. */
static const char *folder_seen(const struct run *run, const struct exec_view *exec)
{
	const char *cwd = cwd_of(exec);
	const char *own = run->engine->own_folder ? run->engine->own_folder(cwd) : NULL;

	return own ? own : cwd;
}

static bool is_client(const struct attribution *attribution, const struct exec_view *exec)
{
	const struct engine *engine = attribution->run ? attribution->run->engine : NULL;

	return engine && !attribution->task && !attribution->root && engine->handed &&
	       submit_is_client(engine, exec->command) &&
	       (!engine->own_folder || engine->own_folder(cwd_of(exec)));
}

/* The waiting task of a folder and script; NULL: none, or two. */
static struct task *find(const struct tree *tree, const struct run *run, const char *folder,
			 const char *script)
{
	struct task *found = NULL;

	for (struct entity *entity = tree->entities.all; entity && run->queued;
	     entity = entity->next) {
		struct task *task = (struct task *)entity;

		if (!is_waiting(entity) || task->run != run || strcmp(task->folder, folder) != 0 ||
		    strcmp(task->script, script) != 0)
			continue;
		if (found)
			return NULL;
		found = task;
	}
	return found;
}

/* Learns the engine's work folder, which the command line need not name. */
static void learn_folder(struct tree *tree, struct run *run, const char *path, size_t len)
{
	if (run->part ||
	    (run->folder && strlen(run->folder) == len && strncmp(run->folder, path, len) == 0))
		return;
	run_set_folder(run, path, len);
	run_changed(&tree->entities, run);
}

void queue_prepare(struct tree *tree, const struct attribution *attribution, const char *path,
		   int64_t at)
{
	struct run *run =
		attribution->role == ROLE_ENGINE && !attribution->task ? attribution->run : NULL;
	const char *folder = run && run->engine->own_folder ? run->engine->own_folder(path) : NULL;
	struct task *task;

	if (!folder)
		return;
	if (folder > path + 1)
		learn_folder(tree, run, path, (size_t)(folder - path) - 1);
	if (!has_room(tree) || find(tree, run, folder, ""))
		return;
	task = task_new(&tree->entities, tree->host_id, run, NULL);
	if (!task || !enter(tree, task, folder, ""))
		return;
	record_set(&task->record.folder, path, RECORD_COMMAND_LIMIT);
	task->record.status = status_queued;
	task->record.queued_at = at;
	task_set_state(task, TASK_QUEUED);
	entity_changed(&tree->entities, &task->entity);
}

void queue_submit(struct tree *tree, struct attribution *attribution, const struct exec_view *exec)
{
	const char *script, *folder;
	struct task *task;

	if (attribution->role == ROLE_SUBMIT || !is_client(attribution, exec))
		return;
	script = attribution->run->engine->task_file ? "" : submit_job_name(exec->command);
	if (!script) /* nothing would identify its job */
		return;
	folder = folder_seen(attribution->run, exec);
	task = *script ? NULL : find(tree, attribution->run, folder, "");
	if (!task && has_room(tree)) {
		task = task_new(&tree->entities, tree->host_id, attribution->run, exec);
		if (task && !enter(tree, task, folder, script))
			task = NULL;
		if (task)
			task_set_state(task, TASK_SUBMITTED);
	}
	if (!task)
		return;
	attribution->role = ROLE_SUBMIT;
	attribution->rank = task->submission;
}

struct task *queue_task(const struct tree *tree, const struct attribution *attribution)
{
	for (struct entity *entity = tree->entities.all; entity; entity = entity->next)
		if (is_waiting(entity) && ((struct task *)entity)->submission == attribution->rank)
			return (struct task *)entity;
	return NULL;
}

static void report_queued(struct tree *tree, struct task *task)
{
	Signal__Task *record = &task->record;

	(void)task_id(task); /* the same when it runs */
	record->queued_at = record->started_at;
	record->status = status_queued;
	record->pid = 0;
	record->start_ns = record->cgroup_id = 0;
	record->started_at = 0;
	if (!task->named && task->run->engine->name_queued)
		task->run->engine->name_queued(task, task->script);
	task_set_state(task, TASK_QUEUED);
	entity_changed(&tree->entities, &task->entity);
}

void queue_submitted(struct tree *tree, const struct attribution *attribution,
		     const struct ending *how)
{
	struct task *task = queue_task(tree, attribution);

	if (!task || task_is_reported(task)) /* the latter: its folder was made before */
		return;
	if (ending_failed(how)) {
		leave(tree, task);
		task_drop(&tree->entities, task);
	} else
		report_queued(tree, task);
}

static struct task *find_oldest(const struct tree *tree, const struct run *run, const char *folder)
{
	struct task *oldest = NULL;

	for (struct entity *entity = tree->entities.all; entity && run->queued;
	     entity = entity->next) {
		struct task *task = (struct task *)entity;

		if (is_waiting(entity) && task->run == run && strcmp(task->folder, folder) == 0 &&
		    (!oldest || task->submission < oldest->submission))
			oldest = task;
	}
	return oldest;
}

bool queue_holds(const struct tree *tree, const struct run *run, const struct exec_view *exec)
{
	return run->engine->is_job && run->engine->is_job(exec) &&
	       find(tree, run, folder_seen(run, exec), "");
}

static struct task *take(struct tree *tree, const struct run *run, const struct exec_view *exec)
{
	const char *folder = folder_seen(run, exec);
	const char *name = exec->image->job ? exec->image->job->name : "";
	struct task *found = find(tree, run, folder, run->engine->task_file ? "" : name);

	if (found && !found->record.queued_at) /* its client has not ended yet */
		found->record.queued_at = found->record.started_at;
	if (found || *name || run->engine->task_file)
		return found;
	found = find_oldest(tree, run, folder);
	if (found) /* one of them it is */
		found->record.queued_at = 0;
	return found;
}

void queue_begin(struct tree *tree, struct attribution *attribution, const struct exec_view *exec)
{
	struct task *queued = take(tree, attribution->run, exec);

	if (!queued) {
		tree_begin_task(tree, attribution, exec);
		return;
	}
	leave(tree, queued);
	task_begin(queued, exec);
	tree_start_task(tree, attribution, queued, exec);
}

void queue_forget(struct tree *tree, const struct run *run)
{
	for (struct entity *entity = tree->entities.all, *next; entity && run->queued;
	     entity = next) {
		next = entity->next;
		if (is_waiting(entity) && ((struct task *)entity)->run == run) {
			leave(tree, (struct task *)entity);
			task_drop(&tree->entities, (struct task *)entity);
		}
	}
}
