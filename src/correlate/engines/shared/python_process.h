/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * Processes of engines with tasks that are functions in Python (Luigi, Prefect, Dagster). No
 * process shows what such a function does by itself; the commands that it starts are the tasks.
 */
struct command;
struct exec_view;
struct run;

/* Whether the first two words of a command line that are no options are these. */
bool python_subcommand_is(const struct command *command, const char *first, const char *second);
/* A worker process of the engine (multiprocessing): what it starts, the engine starts. */
bool python_is_shim(const struct exec_view *exec);
/* Whether Python or its libraries started an image for themselves. */
bool python_is_internal(const struct exec_view *exec);
/* Whether a child is a task: it is not internal. */
bool python_is_task(const struct run *run, const struct exec_view *exec);
