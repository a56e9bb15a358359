#pragma once
#include "correlate/task.h"

/*
 * What a task was told to do, masked: the command line of its root (of a shell its program alone),
 * then the programs of shells inside it, a line each. It tells attempts at the same thing, joins by
 * pipes, and samples apart.
 */

const char *task_text(const struct task *task); /* "": nothing is known */
/* An image that its root begins with: its text begins. */
void task_text_begin(struct task *task, const struct sight *sight);
/* One of a further root. */
void task_text_also(struct task *task, const struct sight *sight);
/* One inside it. */
void task_text_add(struct task *task, const struct sight *sight);
void task_text_drop(struct task *task);
