/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/job.h"

#include "base/id.h"
#include "correlate/tree/own_run.h"
#include "correlate/tree/rootless_run.h"
#include "correlate/tree/queue.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"
#include "correlate/tree/tree_private.h"

#include <stdio.h>
#include <string.h>

/* "12", or "12.0" of a step. */
static void task_key(const struct job *job, bool step, char key[TASK_JOB_SIZE])
{
	(void)snprintf(key, TASK_JOB_SIZE, step ? "%s.%s" : "%s", job->id, job->step);
}

static struct task *find_task(const struct tree *tree, const char *key)
{
	for (struct entity *entity = tree->entities.all; entity; entity = entity->next) {
		struct task *task = (struct task *)entity;

		if (entity->is_task && entity->live && strcmp(task->job, key) == 0)
			return task;
	}
	return NULL;
}

/* The job itself is a task (of an array, of an engine), or the step is. */
static struct task *task_of(const struct tree *tree, const struct job *job)
{
	char key[TASK_JOB_SIZE];
	struct task *task;

	task_key(job, false, key);
	task = find_task(tree, key);
	if (task || !*job->step)
		return task;
	task_key(job, true, key);
	return find_task(tree, key);
}

/* The id is made of the job's number without the cluster's name: the name is in the environment,
 * which cannot be read of a process that has ended. */
static struct id run_id(const struct tree *tree, const struct engine *engine, const struct job *job)
{
	char key[256];

	(void)snprintf(key, sizeof(key), "run %.128s %s %s", tree->host_id, engine->name,
		       *job->array ? job->array : job->id);
	return id_of(key, strlen(key));
}

/* One more process that the scheduler started for it. */
static void enter(struct tree *tree, struct attribution *attribution, enum role role,
		  const struct job *job)
{
	struct run *run = attribution->run;

	attribution->role = (uint8_t)role;
	attribution->root = true;
	if (*job->node && run->engine->nodes_label &&
	    run_add_to_label(run, run->engine->nodes_label, job->node))
		run_changed(&tree->entities, run);
	rootless_run_enter(tree, run);
}

static bool join(struct tree *tree, struct attribution *attribution, const struct exec_view *exec)
{
	const struct job *job = exec->image->job;
	struct task *task = job ? task_of(tree, job) : NULL;
	bool of_step;

	if (!task)
		return false;
	attribution_set_run(attribution, task->run);
	of_step = strchr(task->job, '.');
	tree_take_root(tree, attribution, task, !*job->step || of_step ? exec->image->start_ns : 0);
	if (task->run->engine->is_scheduler)
		enter(tree, attribution, ROLE_MEMBER, job);
	return true;
}

/* The live run of which the engine gave this image to a scheduler; NULL: none, or two. engine: only
 * runs of it are searched; NULL: all. */
static struct run *handed_by(const struct tree *tree, const struct engine *engine,
			     const struct exec_view *exec)
{
	struct run *found = NULL;

	for (struct entity *entity = tree->entities.all; entity; entity = entity->next) {
		struct run *run = (struct run *)entity;

		if (entity->is_task || !entity->live || !run->engine->handed ||
		    (engine && run->engine != engine) ||
		    !(run->engine->handed(run, exec) || queue_holds(tree, run, exec)))
			continue;
		if (found)
			return NULL;
		found = run;
	}
	return found;
}

bool job_take(struct tree *tree, struct attribution *attribution, const struct engine *engine,
	      const struct exec_view *exec)
{
	const struct job *job = exec->image->job;
	enum run_root_kind kind = exec->image->root_kind;
	struct run *run;

	if (engine ? !engine->handed : kind != RUN_ROOT_JOB && kind != RUN_ROOT_SCRIPT)
		return false;
	if ((engine || kind == RUN_ROOT_JOB) && join(tree, attribution, exec))
		return true;
	run = handed_by(tree, engine, exec);
	if (!run)
		return false;
	attribution_set_run(attribution, run);
	queue_begin(tree, attribution, exec);
	if (attribution->task && job)
		job_note(attribution->task, job);
	return true;
}

void job_note(struct task *task, const struct job *job)
{
	task_key(job, false, task->job);
}

/* Names the run, if its first process did not know the job's name. */
static void learn(struct tree *tree, struct run *run, const struct exec_view *exec)
{
	if (run->job_named || !*exec->image->job->name)
		return;
	run->engine->describe(run, exec);
	run->link_sent = false;
	run_changed(&tree->entities, run);
}

static struct run *begin_run(struct tree *tree, struct attribution *attribution,
			     const struct exec_view *exec)
{
	const struct tree_image *image = exec->image;
	const struct engine *engine = engine_of_root(RUN_ROOT_JOB, exec);
	struct id id = run_id(tree, engine, image->job);
	struct run *run = rootless_run_find(tree, &id);

	if (run) {
		attribution_set_run(attribution, run);
		learn(tree, run, exec);
		if (run->part && !*image->job->step)
			run->part = run->link_sent = false;
		return run;
	}
	if (!tree_begin_run(tree, attribution, engine, exec))
		return NULL;
	run = attribution->run;
	record_set(&run->record.run_id, id.text, RECORD_NAME_LIMIT);
	run->part = *image->job->step && !*image->job->array; /* its script runs on another host */
	if (*image->job->step || *image->job->array) { /* its root is the scheduler's daemon */
		run->record.pid = image->ppid;
		run->record.start_ns = image->parent_start_ns;
	}
	return run;
}

void job_begin(struct tree *tree, struct attribution *attribution, const struct exec_view *exec)
{
	const struct job *job = exec->image->job;
	bool script = !*job->step && !*job->array;

	if (!begin_run(tree, attribution, exec))
		return;
	enter(tree, attribution, script ? ROLE_ENGINE : ROLE_MEMBER, job);
	if (!script || own_run_is_work(attribution->run->engine, exec)) {
		if (!run_is_reported(attribution->run))
			run_report(&tree->entities, attribution->run);
		tree_begin_task(tree, attribution, exec);
	}
	if (!attribution->task || script)
		return;
	attribution->task->by_worst = !*job->array;
	task_key(job, *job->step && !*job->array, attribution->task->job);
	if (*job->array)
		record_set(&attribution->task->record.sample, job->index, RECORD_NAME_LIMIT);
	attribution->task->sample_given = *job->array;
}

void job_name_script(struct exec_view *exec)
{
	const struct job *job = exec->image->job;

	if (job && *job->name && engine_of_job_script(exec->command))
		name_copy(job->name, strlen(job->name), exec->name, sizeof(exec->name));
}

/* Of several that began by themselves what failed first counts; of a script its own end. */
static void note_end(struct run *run, bool script, const struct ending *how)
{
	if (script || (!run->script_ended && !ending_failed(&run->end)))
		run->end = *how;
	run->script_ended |= script;
	run->end.ended_at = how->ended_at;
}

void job_leave(struct tree *tree, const struct attribution *attribution, const struct ending *how)
{
	struct run *run = attribution->run;

	note_end(run, attribution->role == ROLE_ENGINE, how);
	rootless_run_leave(tree, run);
}
