/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "collect/attribution/file_helper.h"

#define TASK_FILE_BYTES 16384 /* of its head that are read */

/*
 * The head of a file that a workflow engine put beside a task, where it says what the task is
 * called: NAME in the working directory of pid, or, where that is gone, in the folder cwd. A
 * regular file, no link; its bytes up to the first NUL. 0, or -errno (-ENOENT, -EACCES, -EINVAL:
 * something else than a file).
 */
int task_file_read(uint32_t pid, const char *cwd, const char *name, char text[TASK_FILE_BYTES + 1]);
/* The same, asked of the helper: also -ETIMEDOUT and what else file_helper.h says. */
int task_file_ask(struct file_helper *helper, uint32_t pid, const char *cwd, const char *name,
		  char text[TASK_FILE_BYTES + 1]);
