/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/tree_private.h"

#include "correlate/tree/pipe_tasks.h"
#include "correlate/model/limits.h"
#include "correlate/tree/own_run.h"
#include "correlate/tree/queue.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"
#include "correlate/tree/daemon_run.h"

#include <string.h>

/* Decides what an exec makes of a process: the root of a run, the engine of its run, a task, or a
 * part of one. */

/* The limits of a task's cgroup count as its request, unless the engine runs in the same cgroup:
 * then they are the run's. A run of one task requests its cgroup's limits. */
void tree_request_limits(struct tree *tree, struct task *task)
{
	struct request request;

	if (*task->record.requested_by && strcmp(task->record.requested_by, "cgroup") != 0)
		return;
	if (task->run->engine->is_task && task->run->cgroup_id == task->record.cgroup_id)
		return;
	request = limits_get(tree->limits, task->record.cgroup_id);
	if (task_request(task, request, "cgroup") && task_is_reported(task))
		entity_changed(&tree->entities, &task->entity);
}

void tree_take_root(struct tree *tree, struct attribution *attribution, struct task *task,
		    uint64_t start_ns)
{
	attribution_set_task(attribution, task);
	attribution->root = true;
	attribution->rank = task_root(task, start_ns, ++tree->ranks);
}

void tree_begin_task(struct tree *tree, struct attribution *attribution,
		     const struct exec_view *exec)
{
	struct task *task = NULL;

	if (tree->entities.live_tasks < tree->task_cap)
		task = task_new(&tree->entities, tree->host_id, attribution->run, exec);
	if (task)
		tree_start_task(tree, attribution, task, exec);
	else
		tree->refused++;
}

void tree_start_task(struct tree *tree, struct attribution *attribution, struct task *task,
		     const struct exec_view *exec)
{
	tree_take_root(tree, attribution, task, exec->image->start_ns);
	task_set_state(task, TASK_RUNNING);
	task_announce(task, tree->rules);
	task_request(task, attribution->run->request, "tracer run");
	tree_request_limits(tree, task);
	entity_changed(&tree->entities, &task->entity);
}

/* A child of the run's root: it is reported as a task once work is seen in it. */
static void join_pipe_task(struct tree *tree, struct attribution *attribution,
			   const struct exec_view *exec)
{
	struct task *task = pipe_tasks_join(tree, attribution->run, exec);

	if (task)
		tree_take_root(tree, attribution, task, exec->image->start_ns);
}

/* Whether a run is reported before its first task begins. */
static bool is_reported_at_once(const struct engine *engine, const struct exec_view *exec)
{
	return engine->reported == REPORT_FROM_BEGIN ||
	       (engine->reported == REPORT_FROM_ROOT && exec->image->root_kind != RUN_ROOT_NONE);
}

bool tree_begin_run(struct tree *tree, struct attribution *attribution, const struct engine *engine,
		    const struct exec_view *exec)
{
	struct run *run = NULL;

	if (tree->entities.live_runs < tree->run_cap)
		run = run_new(&tree->entities, tree->host_id, engine, exec);
	if (!run) {
		tree->refused++;
		return false;
	}
	attribution_set_run(attribution, run);
	attribution->role = ROLE_ENGINE;
	attribution->root = true;
	if (is_reported_at_once(engine, exec))
		run_report(&tree->entities, run);
	return true;
}

static void begin_engine(struct tree *tree, struct attribution *attribution,
			 const struct engine *engine, const struct exec_view *exec)
{
	if (!daemon_run_begin(tree, attribution, engine, exec))
		(void)tree_begin_run(tree, attribution, engine, exec);
	/* A job of an engine on another host is one task. */
	if (!attribution->run || !(engine->one_task || attribution->run->part))
		return;
	if (!run_is_reported(attribution->run))
		run_report(&tree->entities, attribution->run);
	tree_begin_task(tree, attribution, exec);
}

/* A job of an engine on another host; further processes of the job belong to its task. */
static void begin_part(struct tree *tree, struct attribution *attribution,
		       const struct engine *engine, const struct exec_view *exec)
{
	begin_engine(tree, attribution, engine, exec);
	if (attribution->task && exec->image->job)
		job_note(attribution_task(attribution), exec->image->job);
}

/* `tracer run` has exec'd its command: an engine, which takes the run over, or the run's one task.
 */
static void become_command(struct tree *tree, struct attribution *attribution,
			   const struct engine *engine, const struct exec_view *exec)
{
	struct run *run = attribution->run;

	if (engine == run->engine)
		return;
	if (engine && engine->fans_out)
		engine = NULL;
	if (engine)
		run_adopt(run, engine, exec);
	else if (!run_is_reported(run))
		run_name_after_command(run, exec->name);
	run_report(&tree->entities, run);
	if (!engine || engine->one_task)
		tree_begin_task(tree, attribution, exec);
}

/* A further process runs the engine: inside the one task of a `tracer run`, behind a wrapper, or
 * because the engine started itself again. What it starts is the run's. */
static void join_run(struct tree *tree, struct attribution *attribution,
		     const struct engine *engine, const struct exec_view *exec)
{
	attribution_drop_task(attribution);
	attribution->role = ROLE_ENGINE;
	if (attribution->run->engine != engine) {
		run_adopt(attribution->run, engine, exec);
		run_report(&tree->entities, attribution->run);
	}
	attribution->run->image_seq = exec->image->image_seq;
}

/* The run's root becomes another program. */
static void move_engine(struct tree *tree, struct attribution *attribution,
			const struct engine *engine, const struct exec_view *exec)
{
	struct run *run = attribution->run;

	if (!run->engine->is_task && !attribution->task)
		become_command(tree, attribution, engine, exec);
	else if (run->engine->tasks_by_pipes && engine && !engine->tasks_by_pipes) {
		tree_leave_task(tree, attribution, exec->image->started_at);
		run_adopt(run, engine, exec);
		run_report(&tree->entities, run);
		if (engine->one_task)
			tree_begin_task(tree, attribution, exec);
	} else if (run->engine->tasks_by_pipes && !attribution->task &&
		   pipe_tasks_is_work(NULL, exec)) {
		run_report(&tree->entities, run);
		tree_begin_task(tree, attribution, exec);
	}
	run->image_seq = exec->image->image_seq;
}

/* Whether a process of a run is to be taken for the engine itself: behind a wrapper, or in a
 * `tracer run`. Another engine that an engine starts is a task, or a part of one. */
static bool joins_run(const struct attribution *attribution, const struct engine *engine)
{
	const struct engine *outer = attribution->run->engine;
	const struct task *task = attribution_task(attribution);

	return engine && engine->is_task && !engine->tasks_by_pipes &&
	       (engine == outer || outer->adopts_engine) && (!task || task_is_run_root(task));
}

/* Whether the next image of the engine's child decides what the child is. */
static bool awaits_next_image(const struct attribution *attribution, const struct exec_view *exec)
{
	const struct engine *engine = attribution->run->engine;

	return attribution->role == ROLE_FORK && engine->is_shim && engine->is_shim(exec);
}

/* Begins a run that no workflow engine started; its first image may do work by itself: a tool, or a
 * script that no shell runs. */
static void begin_root(struct tree *tree, struct attribution *attribution,
		       const struct engine *engine, const struct exec_view *exec)
{
	if (!tree_begin_run(tree, attribution, engine, exec) || !own_run_is_work(engine, exec))
		return;
	run_report(&tree->entities, attribution->run);
	tree_begin_task(tree, attribution, exec);
}

/* xargs, parallel, make in make: their children are tasks of the run, as children of the script
 * are. */
static bool fans_out(const struct attribution *attribution, const struct engine *engine)
{
	const struct task *task = attribution_task(attribution);

	return engine && engine->tasks_by_pipes && attribution->run->engine->tasks_by_pipes &&
	       (!task || !task_is_reported(task) || task_is_run_root(task));
}

/* The engine that made the process, if this is its first image; NULL: none. */
static const struct engine *maker(const struct attribution *attribution)
{
	switch (attribution->role) {
	case ROLE_FORK:
		return attribution->run->engine;
	case ROLE_FAN_FORK:
		return engine_of_fan(ROLE_FAN);
	case ROLE_PARALLEL_FORK:
		return engine_of_fan(ROLE_PARALLEL);
	default:
		return NULL;
	}
}

static void move_in_pipe_tasks(struct tree *tree, struct attribution *attribution,
			       const struct engine *engine, const struct exec_view *exec)
{
	const struct task *task = attribution_task(attribution);
	const struct engine *made_by = !task || task_is_run_root(task) ? maker(attribution) : NULL;

	if (fans_out(attribution, engine)) {
		tree_leave_task(tree, attribution, exec->image->started_at);
		attribution->root = false;
		attribution->role = engine->fan_role;
		return;
	}
	if (made_by && (!made_by->is_task || made_by->is_task(attribution->run, exec))) {
		attribution_drop_task(attribution);
		join_pipe_task(tree, attribution, exec);
		if (attribution->task && made_by->fans_out)
			attribution_task(attribution)->helpers_work = true;
	}
	if (attribution->role == ROLE_ENGINE || attribution->role == ROLE_MEMBER)
		return;
	attribution->role = attribution->role == ROLE_SYSTEM || own_run_is_upkeep(exec)
				    ? ROLE_SYSTEM
				    : ROLE_NONE;
}

/* Helpers of a task may fail: the task need not. */
static bool is_part(const struct attribution *attribution, const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;

	return attribution->role == ROLE_PART && !(rule && rule->kind == RULE_HELPER);
}

static void move_in_run(struct tree *tree, struct attribution *attribution,
			const struct engine *engine, const struct exec_view *exec)
{
	bool forked = attribution->role == ROLE_FORK && !attribution->task;

	if (joins_run(attribution, engine))
		join_run(tree, attribution, engine, exec);
	else if (!awaits_next_image(attribution, exec) && !is_part(attribution, exec))
		attribution->role = ROLE_NONE;
	if (forked && attribution->role == ROLE_NONE && attribution->run->engine->is_task &&
	    attribution->run->engine->is_task(attribution->run, exec))
		queue_begin(tree, attribution, exec);
}

/* The run in which another begins is its parent, unless it is a session. A script that only starts
 * an engine is a run, too. */
static struct run *leave_outer(struct tree *tree, struct attribution *attribution,
			       const struct exec_view *exec)
{
	struct run *outer = attribution->run->engine->is_session ? NULL : attribution->run;

	if (outer)
		entity_ref(&outer->entity);
	if (outer && outer->engine->wraps_engine && !run_is_reported(outer))
		run_report(&tree->entities, outer);
	tree_leave_task(tree, attribution, exec->image->started_at);
	attribution_clear(attribution);
	return outer;
}

static void enter_inner(const struct attribution *attribution, struct run *outer)
{
	if (!outer)
		return;
	if (attribution->run && attribution->role == ROLE_ENGINE && attribution->root)
		run_set_parent(attribution->run, outer);
	entity_unref(&outer->entity);
}

/* An image of a process that is of no run. */
static void move_outside(struct tree *tree, struct attribution *attribution,
			 const struct engine *engine, const struct exec_view *exec)
{
	const struct engine *root = engine_of_root(exec->image->root_kind, exec),
			    *elsewhere = engine_of_job(exec);

	if (elsewhere)
		begin_part(tree, attribution, elsewhere, exec);
	else if (exec->image->root_kind == RUN_ROOT_JOB && exec->image->job)
		job_begin(tree, attribution, exec);
	else if (engine && !engine->fans_out)
		begin_engine(tree, attribution, engine, exec);
	else if (root)
		begin_root(tree, attribution, root, exec);
}

void tree_move(struct tree *tree, struct attribution *attribution, const struct exec_view *exec)
{
	const struct engine *engine = engine_of(exec->command), *own;
	struct run *outer = NULL;

	if (engine && !engine_begins(engine, exec))
		engine = NULL;
	own = attribution->run ? own_run_engine(attribution, engine, exec) : NULL;
	if (own)
		outer = leave_outer(tree, attribution, exec);
	if (!attribution->run && (!own || !own->tasks_by_pipes) &&
	    job_take(tree, attribution, engine, exec))
		;
	else if (own && own->tasks_by_pipes)
		begin_root(tree, attribution, own, exec);
	else if (!attribution->run)
		move_outside(tree, attribution, engine, exec);
	else if (attribution->role == ROLE_ENGINE)
		move_engine(tree, attribution, engine, exec);
	else if (attribution->run->engine->tasks_by_pipes)
		move_in_pipe_tasks(tree, attribution, engine, exec);
	else
		move_in_run(tree, attribution, engine, exec);
	enter_inner(attribution, outer);
}
