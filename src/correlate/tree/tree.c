/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/tree_private.h"
#include "correlate/tree/daemon_run.h"

#include "correlate/tree/pipe_tasks.h"
#include "correlate/model/limits.h"
#include "correlate/tree/queue.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"

#include "base/map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tree_new(struct tree **ret, const struct rules *rules, const char *host_id, size_t runs,
	     size_t tasks)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return -ENOMEM;
	tree->rules = rules;
	tree->run_cap = runs;
	tree->task_cap = tasks;
	tree->limits = limits_new();
	if (!tree->limits) {
		free(tree);
		return -ENOMEM;
	}
	snprintf(tree->host_id, sizeof(tree->host_id), "%s", host_id);
	entities_init(&tree->entities);
	*ret = tree;
	return 0;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	entities_clear(&tree->entities);
	limits_free(tree->limits);
	free(tree);
}

void tree_set_rules(struct tree *tree, const struct rules *rules)
{
	tree->rules = rules;
}

const struct rules *tree_rules(const struct tree *tree)
{
	return tree->rules;
}

uint64_t tree_refused(const struct tree *tree)
{
	return tree->refused;
}

/* The role of a child process. */
static uint8_t role_of_child(uint8_t role)
{
	static const uint8_t roles[] = { [ROLE_NONE] = ROLE_NONE,
					 [ROLE_ENGINE] = ROLE_FORK,
					 [ROLE_FORK] = ROLE_FORK,
					 [ROLE_FAN] = ROLE_FAN_FORK,
					 [ROLE_FAN_FORK] = ROLE_FAN_FORK,
					 [ROLE_MEMBER] = ROLE_NONE,
					 [ROLE_PART] = ROLE_NONE,
					 [ROLE_SUBMIT] = ROLE_NONE,
					 [ROLE_SYSTEM] = ROLE_SYSTEM,
					 [ROLE_PARALLEL] = ROLE_PARALLEL_FORK,
					 [ROLE_PARALLEL_FORK] = ROLE_PARALLEL_FORK };

	return roles[role];
}

void tree_fork(struct tree *tree, const struct attribution *parent, struct attribution *child)
{
	struct task *task = attribution_task(parent);

	*child = (struct attribution){ .role = role_of_child(parent->role) };
	if (parent->run)
		attribution_set_run(child, parent->run);
	if (task)
		attribution_set_task(child, task);
	if (task && parent->root && task->run->engine->parts_fail)
		child->role = ROLE_PART;
}

/* Work was seen in a task. */
static void announce_task(struct tree *tree, struct task *task, const char *tool)
{
	struct run *run = task->run;

	task_set_state(task, TASK_SETTLING);
	task_announce(task, tree->rules);
	tree->unsettled = true;
	if (!run_is_reported(run) || !*run->record.pipeline)
		run_report(&tree->entities, run);
	if (!*run->record.pipeline)
		run_name_after_command(run, tool);
	tree_request_limits(tree, task);
}

static void inside_task(struct tree *tree, struct task *task, const struct exec_view *exec)
{
	const struct engine *engine = engine_of(exec->command);
	bool changed = task_image(task, tree->rules, exec);

	if (!task_is_reported(task) && pipe_tasks_is_work(task, exec)) {
		announce_task(tree, task, exec->name);
		changed = true;
	}
	if (engine && engine->request && engine_begins(engine, exec))
		changed |= task_request(task, engine->request(exec), engine->name);
	if (changed && task_is_reported(task))
		entity_changed(&tree->entities, &task->entity);
}

void tree_parse(const struct tree *tree, const struct tree_image *image, struct command *ret)
{
	const struct rule_context context = { .cwd = image->cwd,
					      .image = image->image,
					      .parent = image->parent,
					      .user = image->user };

	command_unwrap(tree->rules, image->exe, image->argv, image->argc, &context, ret);
}

const char *tree_exec(struct tree *tree, struct attribution *attribution,
		      const struct attribution *parent, const struct tree_image *image, char *tool,
		      size_t size)
{
	struct command parsed;
	struct exec_view exec = { .image = image,
				  .command = image->command ? image->command : &parsed };

	if (!image->command)
		tree_parse(tree, image, &parsed);
	command_name(exec.command, exec.name, sizeof(exec.name));
	job_name_script(&exec);
	name_copy(exec.name, strlen(exec.name), tool, size);
	if (!attribution->run && parent && parent->run)
		tree_fork(tree, parent, attribution);
	tree_move(tree, attribution, &exec);
	if (attribution->task)
		inside_task(tree, attribution_task(attribution), &exec);
	else
		queue_submit(tree, attribution, &exec);
	return command_kind(exec.command);
}

void tree_folder(struct tree *tree, const struct attribution *attribution, const char *path,
		 int64_t at)
{
	queue_prepare(tree, attribution, path, at);
}

void tree_end_task(struct tree *tree, struct task *task)
{
	pipe_tasks_forget(task);
	if (task_is_reported(task))
		task_end(&tree->entities, tree->rules, task, &task->end);
	else
		task_drop(&tree->entities, task);
}

/* The run ended: no process can join its waiting tasks by a pipe. */
static void end_waiting(struct tree *tree, const struct run *run)
{
	for (struct entity *entity = tree->entities.all, *next; entity; entity = next) {
		struct task *task = (struct task *)entity;

		next = entity->next;
		if (entity->is_task && task_waits_for_pipe(task) && task_is_reported(task) &&
		    task->run == run)
			tree_end_task(tree, task);
	}
}

/* A root ended; the task ends with the last of them. A process that reads its pipe may exec later:
 * until then the task waits. */
static void end_root(struct tree *tree, const struct attribution *attribution, struct ending *end)
{
	struct task *task = attribution_task(attribution);

	if (!task_unroot(task, attribution->rank, end))
		return;
	if (task_is_reported(task) ? task->pipes_open : task->pipe_count > 0) {
		tree->unsettled = true;
		return;
	}
	tree_end_task(tree, task);
}

void tree_leave_task(struct tree *tree, struct attribution *attribution, int64_t at)
{
	struct ending end = { .ended_at = at };

	if (attribution->root && attribution->task)
		end_root(tree, attribution, &end);
	attribution_drop_task(attribution);
}

static void end(struct tree *tree, struct attribution *attribution, const struct ending *how)
{
	struct ending end = *how;

	if (attribution->role == ROLE_PART)
		task_part_ended(attribution_task(attribution), how);
	if (attribution->role == ROLE_SUBMIT)
		queue_submitted(tree, attribution, how);
	if (attribution->root && attribution->task)
		end_root(tree, attribution, &end);
	if (attribution->root && attribution->run && attribution->run->processes > 0 &&
	    (attribution->role == ROLE_ENGINE || attribution->role == ROLE_MEMBER)) {
		if (attribution->run->by_daemon)
			daemon_run_leave(tree, attribution, &end);
		else
			job_leave(tree, attribution, how);
	} else if (attribution->root && attribution->role == ROLE_ENGINE) {
		end_waiting(tree, attribution->run);
		queue_forget(tree, attribution->run);
		run_end(&tree->entities, attribution->run, &end);
	}
	attribution_clear(attribution);
}

const char *tree_task_file(const struct attribution *attribution)
{
	const struct task *task = attribution->root ? attribution->task : NULL;

	if (attribution->role == ROLE_SUBMIT)
		return attribution->run->engine->task_file;
	return task && !task->named ? task->run->engine->task_file : NULL;
}

void tree_task_text(struct tree *tree, const struct attribution *attribution, const char *text)
{
	struct task *task = attribution->role == ROLE_SUBMIT ? queue_task(tree, attribution)
							     : attribution->task;

	if (!tree_task_file(attribution) || !task)
		return;
	task->run->engine->read_task(task, text);
	if (!task->named)
		return;
	task_named_by_file(task);
	if (task_is_reported(task))
		entity_changed(&tree->entities, &task->entity);
}

void tree_exit(struct tree *tree, struct attribution *attribution, int exit_code, int signal,
	       int64_t ended_at)
{
	end(tree, attribution,
	    &(struct ending){ .exit_code = exit_code, .signal = signal, .ended_at = ended_at });
}

void tree_lose(struct tree *tree, struct attribution *attribution, int64_t ended_at)
{
	end(tree, attribution, &(struct ending){ .lost = true, .ended_at = ended_at });
}

void tree_cgroup_limits(struct tree *tree, uint64_t cgroup_id, double cpu_limit,
			uint64_t memory_limit_bytes)
{
	limits_set(tree->limits, cgroup_id,
		   (struct request){ .cpus = cpu_limit, .memory_bytes = memory_limit_bytes });
	for (struct entity *entity = tree->entities.all; entity; entity = entity->next)
		if (entity->is_task && entity->live &&
		    ((struct task *)entity)->record.cgroup_id == cgroup_id)
			tree_request_limits(tree, (struct task *)entity);
}
