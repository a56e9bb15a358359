/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/model/task.h"

/*
 * The text of a task, masked: its root's command line (of a shell only the program text), then the
 * program texts of shells inside it, a line each. It identifies attempts at the same work, pipes
 * and samples.
 */

const char *task_text(const struct task *task); /* "": unknown */
/* The program text of a `shell -c`, not masked; NULL: it has none. */
const char *task_text_program(const struct exec_view *exec);
/* Begins the text with the image of the root. */
void task_text_begin(struct task *task, const struct exec_view *exec);
/* Adds the image of another root. */
void task_text_also(struct task *task, const struct exec_view *exec);
/* Adds an image inside the task. */
void task_text_add(struct task *task, const struct exec_view *exec);
/* What attempts at the same work have in common: the root's words, without the prefix that an
 * engine put before a script's name. */
void task_text_tried(const struct task *task, const struct rules *rules,
		     char text[SHELL_TEXT_LIMIT + 1]);
void task_text_drop(struct task *task);
