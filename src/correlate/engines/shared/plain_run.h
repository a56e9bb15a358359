/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/* Runs that no workflow engine started: what their engines have in common. */
struct exec_view;
struct run;

/* Names the run after the tool of the command line; a shell's one command is named after the first
 * tool in it, later. */
void plain_run_describe(struct run *run, const struct exec_view *exec);
/* Whether a child is a task: each is one, or a part of one by its pipes (pipe_tasks.h). */
bool plain_run_is_task(const struct run *run, const struct exec_view *exec);
