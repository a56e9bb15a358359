/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/model/task.h"

/*
 * What a task was told to do, masked: the command line of its root (of a shell its program alone),
 * then the programs of shells inside it, a line each. It tells attempts at the same thing, joins by
 * pipes, and samples apart.
 */

const char *task_text(const struct task *task); /* "": nothing is known */
/* The program text of a `shell -c`, as it was given; NULL: it is none. */
const char *task_text_program(const struct exec_view *exec);
/* An image that its root begins with: its text begins. */
void task_text_begin(struct task *task, const struct exec_view *exec);
/* One of a further root. */
void task_text_also(struct task *task, const struct exec_view *exec);
/* One inside it. */
void task_text_add(struct task *task, const struct exec_view *exec);
/* What two attempts at the same thing have in common: the root's words, less what an engine put
 * before a script's name for this one. */
void task_text_tried(const struct task *task, const struct rules *rules,
		     char text[SHELL_TEXT_LIMIT + 1]);
void task_text_drop(struct task *task);
