/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/model/task.h"

/*
 * Tasks that no engine marks off: what a driver's process started, and what is tied to that by
 * pipes. A pipeline's programs come to exec in any order, so that a task may turn out to be a part
 * of another: until one was told they become one. A task of which nothing but helpers and shells
 * was seen is none yet, and is never told of if that is all.
 */
struct tree;

/* The task of the run that a process which begins with this image is in: that of a pipe of its, or
 * a new one. NULL: no memory, or no room. */
struct task *pipe_tasks_join(struct tree *tree, struct run *run, const struct exec_view *exec);
/* Whether an image is work of a task (NULL: of a run), and not only what leads to it. */
bool pipe_tasks_is_work(const struct task *task, const struct exec_view *exec);
/* The task has been told, or ends: no pipe leads to it any more. */
void pipe_tasks_forget(struct task *task);
