/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/tree_private.h"

#include "correlate/tree/pipe_tasks.h"
#include "correlate/model/limits.h"
#include "correlate/engines/own_run.h"
#include "correlate/model/queue.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"
#include "correlate/tree/daemon_run.h"

#include <string.h>

/* Where an image moves its process: into a run of its own, into its engine, into a task. */

/* What a cgroup allows was asked for, unless the whole run lives in that cgroup; a run that is one
 * task asks for what it is given. */
void tree_request_limits(struct tree *tree, struct task *task)
{
	struct request request;

	if (*task->record.requested_by && strcmp(task->record.requested_by, "cgroup") != 0)
		return;
	if (task->run->engine->is_task && task->run->cgroup_id == task->record.cgroup_id)
		return;
	request = limits_get(tree->limits, task->record.cgroup_id);
	if (task_request(task, request, "cgroup") && task->announced)
		entity_changed(&tree->entities, &task->entity);
}

void tree_take_root(struct tree *tree, struct place *place, struct task *task, uint64_t start_ns)
{
	place_set_task(place, task);
	place->root = true;
	place->rank = task_root(task, start_ns, ++tree->ranks);
}

void tree_begin_task(struct tree *tree, struct place *place, const struct sight *sight)
{
	struct task *task = NULL;

	if (tree->entities.live_tasks < tree->task_cap)
		task = task_new(&tree->entities, tree->host_id, place->run, sight);
	if (task)
		tree_start_task(tree, place, task, sight);
	else
		tree->refused++;
}

void tree_start_task(struct tree *tree, struct place *place, struct task *task,
		     const struct sight *sight)
{
	tree_take_root(tree, place, task, sight->image->start_ns);
	task_announce(task, tree->rules);
	task->settled = true;
	task_request(task, place->run->request, "tracer run");
	tree_request_limits(tree, task);
	entity_changed(&tree->entities, &task->entity);
}

/* What a driver's process started: a task once there is work in it. */
static void join_group(struct tree *tree, struct place *place, const struct sight *sight)
{
	struct task *task = group_join(tree, place->run, sight);

	if (task)
		tree_take_root(tree, place, task, sight->image->start_ns);
}

static void announce(struct tree *tree, struct run *run)
{
	run->announced = true;
	entity_changed(&tree->entities, &run->entity);
}

/* Whether a run is told of at once: `tracer run` has its command still to come; a script that is
 * typed in a session, or that a scheduler was given, may have no work in it, or an engine's. */
static bool is_told_at_once(const struct engine *engine, const struct sight *sight)
{
	return engine->is_task && engine != &engine_slurm &&
	       (!engine->driver || engine == &engine_make ||
		(sight->image->driver != TREE_NO_DRIVER && engine != &engine_command));
}

bool tree_begin_run(struct tree *tree, struct place *place, const struct engine *engine,
		    const struct sight *sight)
{
	struct run *run = NULL;

	if (tree->entities.live_runs < tree->run_cap)
		run = run_new(&tree->entities, tree->host_id, engine, sight);
	if (!run) {
		tree->refused++;
		return false;
	}
	place_set_run(place, run);
	place->role = ROLE_ENGINE;
	place->root = true;
	if (is_told_at_once(engine, sight))
		announce(tree, run);
	return true;
}

static void begin_engine(struct tree *tree, struct place *place, const struct engine *engine,
			 const struct sight *sight)
{
	if (!whole_begin(tree, place, engine, sight))
		(void)tree_begin_run(tree, place, engine, sight);
	/* One that is told of by itself though it is a job of an engine elsewhere is one task. */
	if (!place->run || !(engine->one_task || place->run->part))
		return;
	if (!place->run->announced)
		announce(tree, place->run);
	tree_begin_task(tree, place, sight);
}

/* A job of an engine elsewhere; what is in that job besides is in its task. */
static void begin_part(struct tree *tree, struct place *place, const struct engine *engine,
		       const struct sight *sight)
{
	begin_engine(tree, place, engine, sight);
	if (place->task && sight->image->job)
		job_note(place_task(place), sight->image->job);
}

/* `tracer run` has become its command: an engine, whose run this is, or the run's one task. */
static void become_command(struct tree *tree, struct place *place, const struct engine *engine,
			   const struct sight *sight)
{
	struct run *run = place->run;

	if (engine == run->engine)
		return;
	if (engine && engine->fans_out)
		engine = NULL;
	if (engine)
		run_adopt(run, engine, sight);
	else if (!run->announced)
		run_name_after_command(run, sight->name);
	announce(tree, run);
	if (!engine || engine->one_task)
		tree_begin_task(tree, place, sight);
}

/* A further process runs the engine: inside the one task of a `tracer run`, behind a wrapper, or
 * because the engine started itself again. What it starts is the run's. */
static void join_run(struct tree *tree, struct place *place, const struct engine *engine,
		     const struct sight *sight)
{
	place_drop_task(place);
	place->role = ROLE_ENGINE;
	if (place->run->engine != engine) {
		run_adopt(place->run, engine, sight);
		announce(tree, place->run);
	}
	place->run->image_seq = sight->image->image_seq;
}

/* The run's root becomes another program. */
static void move_engine(struct tree *tree, struct place *place, const struct engine *engine,
			const struct sight *sight)
{
	struct run *run = place->run;

	if (!run->engine->is_task && !place->task)
		become_command(tree, place, engine, sight);
	else if (run->engine->driver && engine && !engine->driver) {
		tree_leave_task(tree, place, sight->image->started_at);
		run_adopt(run, engine, sight);
		announce(tree, run);
		if (engine->one_task)
			tree_begin_task(tree, place, sight);
	} else if (run->engine->driver && !place->task && group_is_work(NULL, sight)) {
		announce(tree, run);
		tree_begin_task(tree, place, sight);
	}
	run->image_seq = sight->image->image_seq;
}

/* Whether a process of a run is to be taken for the engine itself: behind a wrapper, or in a
 * `tracer run`. Another engine that an engine starts is one of its tasks, or in one. */
static bool joins_run(const struct place *place, const struct engine *engine)
{
	const struct engine *outer = place->run->engine;
	const struct task *task = place_task(place);

	return engine && engine->is_task && !engine->driver &&
	       (engine == outer || outer == &engine_tracer_run) &&
	       (!task || task_is_whole_run(task));
}

/* What a process that the engine made is, its next image tells. */
static bool leads_on(const struct place *place, const struct sight *sight)
{
	const struct engine *engine = place->run->engine;

	return place->role == ROLE_FORK && engine->is_shim && engine->is_shim(sight);
}

/* The engine by which a driver's work begins. */
static const struct engine *driver_engine(const struct sight *sight)
{
	const struct engine *engine = engine_of(sight->command);
	const struct rule *rule = sight->command->rule;

	switch (sight->image->driver) {
	case TREE_SCRIPT:
		return &engine_script;
	case TREE_SESSION:
		return &engine_session;
	case TREE_COMMAND:
		if (engine && engine->stands_alone)
			return engine;
		return rule && (rule_is_interpreter(rule) || rule->kind == RULE_LAUNCHER)
			       ? &engine_command
			       : &engine_tool;
	default:
		return NULL;
	}
}

/* A run of a driver's: the one task of a tool; a script's own work, where no shell runs it. */
static void begin_driver(struct tree *tree, struct place *place, const struct engine *engine,
			 const struct sight *sight)
{
	if (!tree_begin_run(tree, place, engine, sight) || !tree_is_own_work(engine, sight))
		return;
	announce(tree, place->run);
	tree_begin_task(tree, place, sight);
}

/* xargs, parallel, make in a make: what they start is the run's, as if the script had. */
static bool fans_out(const struct place *place, const struct engine *engine)
{
	const struct task *task = place_task(place);

	return engine && engine->driver && place->run->engine->driver &&
	       (!task || !task->announced || task_is_whole_run(task));
}

/* The engine that made a process whose first image this is; NULL: none. */
static const struct engine *maker(const struct place *place)
{
	switch (place->role) {
	case ROLE_FORK:
		return place->run->engine;
	case ROLE_FAN_FORK:
		return &engine_xargs;
	case ROLE_PARALLEL_FORK:
		return &engine_parallel;
	default:
		return NULL;
	}
}

static void move_in_driver(struct tree *tree, struct place *place, const struct engine *engine,
			   const struct sight *sight)
{
	const struct task *task = place_task(place);
	const struct engine *made_by = !task || task_is_whole_run(task) ? maker(place) : NULL;

	if (fans_out(place, engine)) {
		tree_leave_task(tree, place, sight->image->started_at);
		place->root = false;
		place->role = engine == &engine_parallel ? ROLE_PARALLEL : ROLE_FAN;
		return;
	}
	if (made_by && (!made_by->is_task || made_by->is_task(place->run, sight))) {
		place_drop_task(place);
		join_group(tree, place, sight);
		if (place->task && made_by->fans_out)
			place_task(place)->helpers_work = true;
	}
	if (place->role == ROLE_ENGINE || place->role == ROLE_MEMBER)
		return;
	place->role =
		place->role == ROLE_SYSTEM || own_run_is_systems(sight) ? ROLE_SYSTEM : ROLE_NONE;
}

/* Helpers of a task may fail: the task need not. */
static bool is_part(const struct place *place, const struct sight *sight)
{
	const struct rule *rule = sight->command->rule;

	return place->role == ROLE_PART && !(rule && rule->kind == RULE_HELPER);
}

static void move_in_run(struct tree *tree, struct place *place, const struct engine *engine,
			const struct sight *sight)
{
	bool forked = place->role == ROLE_FORK && !place->task;

	if (joins_run(place, engine))
		join_run(tree, place, engine, sight);
	else if (!leads_on(place, sight) && !is_part(place, sight))
		place->role = ROLE_NONE;
	if (forked && place->role == ROLE_NONE && place->run->engine->is_task &&
	    place->run->engine->is_task(place->run, sight))
		queue_begin(tree, place, sight);
}

/* The run of a script, make or command in which another begins is that one's parent. A script that
 * only starts an engine is a run, too. */
static struct run *leave_outer(struct tree *tree, struct place *place, const struct sight *sight)
{
	struct run *outer = place->run->engine == &engine_session ? NULL : place->run;

	if (outer)
		entity_ref(&outer->entity);
	if (outer && outer->engine == &engine_script && !outer->announced)
		announce(tree, outer);
	tree_leave_task(tree, place, sight->image->started_at);
	place_clear(place);
	return outer;
}

static void enter_inner(const struct place *place, struct run *outer)
{
	if (!outer)
		return;
	if (place->run && place->role == ROLE_ENGINE && place->root)
		run_set_parent(place->run, outer);
	entity_unref(&outer->entity);
}

/* An image of a process that is of no run. */
static void move_outside(struct tree *tree, struct place *place, const struct engine *engine,
			 const struct sight *sight)
{
	const struct engine *driver = driver_engine(sight), *elsewhere = engine_of_job(sight);

	if (elsewhere)
		begin_part(tree, place, elsewhere, sight);
	else if (sight->image->driver == TREE_JOB && sight->image->job)
		job_begin(tree, place, sight);
	else if (engine && !engine->fans_out)
		begin_engine(tree, place, engine, sight);
	else if (driver)
		begin_driver(tree, place, driver, sight);
}

void tree_move(struct tree *tree, struct place *place, const struct sight *sight)
{
	const struct engine *engine = engine_of(sight->command), *own;
	struct run *outer = NULL;

	if (engine && !engine->begins(sight))
		engine = NULL;
	own = place->run ? own_run_engine(place, engine, sight) : NULL;
	if (own)
		outer = leave_outer(tree, place, sight);
	if (!place->run && (!own || !own->driver) && job_take(tree, place, engine, sight))
		;
	else if (own && own->driver)
		begin_driver(tree, place, own, sight);
	else if (!place->run)
		move_outside(tree, place, engine, sight);
	else if (place->role == ROLE_ENGINE)
		move_engine(tree, place, engine, sight);
	else if (place->run->engine->driver)
		move_in_driver(tree, place, engine, sight);
	else
		move_in_run(tree, place, engine, sight);
	enter_inner(place, outer);
}
