/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/history/step_by_tools.h"

#include <stdbool.h>
#include <string.h>

/* Of so many running tasks that have no history: each is sought in all of it. */
#define SOUGHT_MAX 256

const char *step_by_tools(const struct step_task *past, size_t count, const char *tools)
{
	const char *step = NULL;

	for (size_t i = 0; *tools && i < count; i++) {
		if (strcmp(past[i].tools, tools) != 0 || (step && strcmp(past[i].step, step) == 0))
			continue;
		if (step)
			return NULL;
		step = past[i].step;
	}
	return step;
}

static bool has_step(const struct step_task *past, size_t count, const char *step)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(past[i].step, step) == 0)
			return true;
	return false;
}

void step_names_complete(struct step_task *tasks, size_t count, const struct step_task *past,
			 size_t past_count)
{
	size_t sought = 0;

	for (size_t i = 0; i < count && sought < SOUGHT_MAX; i++) {
		const char *step;

		if (tasks[i].end != STEP_TASK_RUNS)
			continue;
		sought++;
		if (has_step(past, past_count, tasks[i].step))
			continue;
		step = step_by_tools(past, past_count, tasks[i].tools);
		if (step)
			tasks[i].step = step;
	}
}
