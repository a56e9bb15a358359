/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "tune/history/step_task.h"

/*
 * Some engines say of which step a task is only when it ends (Snakemake); until then it is named by
 * its tools. Pure.
 */

/* The one step of which tasks of the history had exactly these tools. NULL: several had, or none,
 * or tools is "". */
const char *step_by_tools(const struct step_task *past, size_t count, const char *tools);

/* Gives running tasks the names of their steps, where the history has no step of the name that they
 * have. */
void step_names_complete(struct step_task *tasks, size_t count, const struct step_task *past,
			 size_t past_count);
