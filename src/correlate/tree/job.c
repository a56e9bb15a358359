/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/job.h"

#include "base/id.h"
#include "correlate/tree/rootless_run.h"
#include "correlate/model/queue.h"
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

/* By its number alone: a process that is gone before its environment could be read does not say
 * which cluster's it was. */
static struct id run_id(const struct tree *tree, const struct job *job)
{
	char key[256];

	(void)snprintf(key, sizeof(key), "run %.128s slurm %s", tree->host_id,
		       *job->array ? job->array : job->id);
	return id_of(key, strlen(key));
}

/* One more process that the scheduler started for it. */
static void enter(struct tree *tree, struct place *place, enum role role, const struct job *job)
{
	struct run *run = place->run;

	place->role = (uint8_t)role;
	place->root = true;
	if (*job->node && run_add_to_label(run, "slurm_nodes", job->node) && run->announced)
		entity_changed(&tree->entities, &run->entity);
	members_enter(tree, run);
}

static bool join(struct tree *tree, struct place *place, const struct sight *sight)
{
	const struct job *job = sight->image->job;
	struct task *task = job ? task_of(tree, job) : NULL;
	bool of_step;

	if (!task)
		return false;
	place_set_run(place, task->run);
	of_step = strchr(task->job, '.');
	tree_take_root(tree, place, task, !*job->step || of_step ? sight->image->start_ns : 0);
	if (task->run->engine == &engine_slurm)
		enter(tree, place, ROLE_MEMBER, job);
	return true;
}

/* The live run whose engine handed this image to a scheduler; NULL where there is none, or two.
 * engine: it can only be one of this; NULL: of any. */
static struct run *handed_by(const struct tree *tree, const struct engine *engine,
			     const struct sight *sight)
{
	struct run *found = NULL;

	for (struct entity *entity = tree->entities.all; entity; entity = entity->next) {
		struct run *run = (struct run *)entity;

		if (entity->is_task || !entity->live || !run->engine->handed ||
		    (engine && run->engine != engine) ||
		    !(run->engine->handed(run, sight) || queue_holds(tree, run, sight)))
			continue;
		if (found)
			return NULL;
		found = run;
	}
	return found;
}

bool job_take(struct tree *tree, struct place *place, const struct engine *engine,
	      const struct sight *sight)
{
	const struct job *job = sight->image->job;
	enum tree_driver driver = sight->image->driver;
	struct run *run;

	if (engine ? !engine->handed : driver != TREE_JOB && driver != TREE_SCRIPT)
		return false;
	if ((engine || driver == TREE_JOB) && join(tree, place, sight))
		return true;
	run = handed_by(tree, engine, sight);
	if (!run)
		return false;
	place_set_run(place, run);
	queue_begin(tree, place, sight);
	if (place->task && job)
		job_note(place->task, job);
	return true;
}

void job_note(struct task *task, const struct job *job)
{
	task_key(job, false, task->job);
}

/* The first that was seen of it may not have told what it is called. */
static void learn(struct tree *tree, struct run *run, const struct sight *sight)
{
	if (run->job_named || !*sight->image->job->name)
		return;
	engine_slurm.describe(run, sight);
	run->told = false;
	if (run->announced)
		entity_changed(&tree->entities, &run->entity);
}

static struct run *begin_run(struct tree *tree, struct place *place, const struct sight *sight)
{
	const struct tree_image *image = sight->image;
	struct id id = run_id(tree, image->job);
	struct run *run = members_find(tree, &id);

	if (run) {
		place_set_run(place, run);
		learn(tree, run, sight);
		if (run->part && !*image->job->step)
			run->part = run->told = false;
		return run;
	}
	if (!tree_begin_run(tree, place, &engine_slurm, sight))
		return NULL;
	run = place->run;
	record_set(&run->record.run_id, id.text, RECORD_NAME_LIMIT);
	run->part = *image->job->step && !*image->job->array; /* of whose script runs elsewhere */
	if (*image->job->step || *image->job->array) { /* its root is the scheduler's daemon */
		run->record.pid = image->ppid;
		run->record.start_ns = image->parent_start_ns;
	}
	return run;
}

void job_begin(struct tree *tree, struct place *place, const struct sight *sight)
{
	const struct job *job = sight->image->job;
	bool script = !*job->step && !*job->array;

	if (!begin_run(tree, place, sight))
		return;
	enter(tree, place, script ? ROLE_ENGINE : ROLE_MEMBER, job);
	if (!script || tree_is_own_work(&engine_slurm, sight)) {
		if (!place->run->announced)
			entity_changed(&tree->entities, &place->run->entity);
		place->run->announced = true;
		tree_begin_task(tree, place, sight);
	}
	if (!place->task || script)
		return;
	place->task->by_worst = !*job->array;
	task_key(job, *job->step && !*job->array, place->task->job);
	if (*job->array)
		record_set(&place->task->record.sample, job->index, RECORD_NAME_LIMIT);
	place->task->sample_given = *job->array;
}

void job_name_script(struct sight *sight)
{
	const struct job *job = sight->image->job;

	if (job && *job->name && strcmp(sight->command->subject, "slurm_script") == 0)
		name_copy(job->name, strlen(job->name), sight->name, sizeof(sight->name));
}

/* Of several that began by themselves what failed first counts; of a script its own end. */
static void note_end(struct run *run, bool script, const struct ending *how)
{
	if (script || (!run->script_ended && !ending_failed(&run->end)))
		run->end = *how;
	run->script_ended |= script;
	run->end.ended_at = how->ended_at;
}

void job_leave(struct tree *tree, const struct place *place, const struct ending *how)
{
	struct run *run = place->run;

	note_end(run, place->role == ROLE_ENGINE, how);
	members_leave(tree, run);
}
