/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/pipe_tasks.h"

#include "correlate/model/run.h"
#include "correlate/tree/tree_private.h"

#include "base/map.h"

/* The live task that a pipe belongs to; NULL: none. */
static struct task *task_of_pipe(const struct run *run, uint32_t pipe)
{
	return pipe && run->pipes ? map_get(run->pipes, &pipe) : NULL;
}

static void keep_pipe(struct task *task, uint32_t pipe, bool open)
{
	if (!pipe || !task->run->pipes || task->pipe_count == TASK_PIPE_LIMIT ||
	    map_put(task->run->pipes, &pipe, task) != 0)
		return;
	task->pipes_open |= (uint32_t)open << task->pipe_count;
	task->pipes[task->pipe_count++] = pipe;
}

static void add_pipe(struct task *task, uint32_t pipe)
{
	if (task_of_pipe(task->run, pipe) != task) {
		keep_pipe(task, pipe, true);
		return;
	}
	for (size_t i = 0; i < task->pipe_count; i++)
		if (task->pipes[i] == pipe)
			task->pipes_open &= ~(1U << i);
}

void pipe_tasks_forget(struct task *task)
{
	for (size_t i = 0; i < task->pipe_count; i++)
		if (task_of_pipe(task->run, task->pipes[i]) == task)
			map_remove(task->run->pipes, &task->pipes[i]);
	task->pipe_count = 0;
	task->pipes_open = 0;
}

/* Merges two tasks that a process's pipes connect. NULL: both were reported. */
static struct task *merge(struct tree *tree, struct task *a, struct task *b)
{
	bool first = a->id_given || (!b->id_given && task_is_reported(a));
	struct task *kept = first ? a : b, *gone = first ? b : a;

	if (a->id_given && b->id_given)
		return NULL;
	for (size_t i = 0; i < gone->pipe_count; i++) {
		uint32_t pipe = gone->pipes[i];

		map_remove(gone->run->pipes, &pipe);
		keep_pipe(kept, pipe, gone->pipes_open & (1U << i));
	}
	gone->pipe_count = 0;
	gone->pipes_open = 0;
	task_take(kept, gone);
	entity_end(&tree->entities, &gone->entity);
	return kept;
}

/* The task that its pipes lead to; NULL: none. */
static struct task *find(struct tree *tree, const struct run *run, const uint32_t pipes[2])
{
	struct task *before = task_of_pipe(run, pipes[0]), *behind = task_of_pipe(run, pipes[1]);
	struct task *both;

	if (!before || !behind || before == behind)
		return before ? before : behind;
	both = merge(tree, before, behind);
	return both ? both : before;
}

struct task *pipe_tasks_join(struct tree *tree, struct run *run, const struct exec_view *exec)
{
	const struct tree_image *image = exec->image;
	struct task *task = find(tree, run, image->pipes);

	if (task)
		task_also(task, exec);
	else if (tree->entities.live_tasks < tree->task_cap)
		task = task_new(&tree->entities, tree->host_id, run, exec);
	if (!task) {
		tree->refused++;
		return NULL;
	}
	for (int i = 0; i < 2; i++)
		add_pipe(task, image->pipes[i]);
	return task;
}

bool pipe_tasks_is_work(const struct task *task, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const struct rule *rule = command->rule;

	if (!rule) /* a shell's script leads to work */
		return command->depth == 0 ||
		       command->through[command->depth - 1].rule->kind != RULE_SHELL;
	if (rule->kind == RULE_HELPER)
		return task && task->helpers_work;
	return rule->kind == RULE_TOOL || rule->kind == RULE_INTERPRETER;
}
