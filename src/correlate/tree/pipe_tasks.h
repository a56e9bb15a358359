/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/model/task.h"

/*
 * Tasks of runs without a workflow engine: a child of the run's root is a task, together with all
 * processes that pipes connect to it. The programs of a pipeline exec in any order, so a task may
 * turn out to be a part of another: the two merge, as long as one of them was not reported. A task
 * in which only helpers and shells ran is not reported.
 */
struct tree;

/* The task of a process that begins with this image: the task of one of its pipes, or a new one.
 * NULL: no memory, or too many tasks. */
struct task *pipe_tasks_join(struct tree *tree, struct run *run, const struct exec_view *exec);
/* Whether an image does work in a task (NULL: in a run), rather than only start it. */
bool pipe_tasks_is_work(const struct task *task, const struct exec_view *exec);
/* Forgets the pipes of a task that ends. */
void pipe_tasks_forget(struct task *task);
