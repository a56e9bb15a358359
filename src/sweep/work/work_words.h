/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/finder.h"

/* What findings about work have in common: copies of texts, the command that ends a task, and
 * whether a policy exempts it. */

static inline const char *work_text(const char *text) /* "" where there is none */
{
	return text ? text : "";
}

/* NULL where there is none, or no memory. */
char *work_copy(const char *text);
/* "ALIGN (sample_3)"; its id where it has no name. NULL: no memory. */
char *work_task_name(const struct sweep_task *task);
/* Of its scheduler or runtime where one keeps the task, else kill(1). NULL: no memory, or it is not
 * known what to end. */
char *work_end_command(const struct sweep_task *task);
/* Whether the policy exempts the task from the findings of a finder. */
bool work_task_is_exempted(const struct waste_finder *finder, const struct sweep_input *input,
			   const struct sweep_task *task);
