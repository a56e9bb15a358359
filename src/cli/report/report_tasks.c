/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_tasks.h"

#include <stdio.h>

#include "cli/terminal/print.h"

static const struct task_column {
	struct column column;
	bool optional; /* shown only where a task has a value */
} task_columns[] = {
	{ { "step", "TASK OF STEP", FORMAT_TEXT, 44 }, false },
	{ { "sample", "SAMPLE", FORMAT_TEXT, 16 }, false },
	{ { "status", "STATUS", FORMAT_STATUS, 0 }, false },
	{ { "queued_s", "QUEUED", FORMAT_SECONDS, 0 }, true },
	{ { "queued_for", "FOR", FORMAT_TEXT, 0 }, true },
	{ { "wall_s", "TIME", FORMAT_SECONDS, 0 }, false },
	{ { "", "WHERE IT WENT", FORMAT_BAR, 0 }, false },
	{ { "user_ns", "CPU", FORMAT_CPU_NS, 0 }, false },
	{ { "memory_peak_bytes", "MEMORY", FORMAT_BYTES, 0 }, false },
	{ { "memory_requested_bytes", "ASKED", FORMAT_BYTES, 0 }, false },
	{ { "tools", "TOOLS", FORMAT_LIST, 40 }, false },
	{ { "container_image", "IMAGE", FORMAT_TEXT, 40 }, true },
};

#define COLUMNS (sizeof(task_columns) / sizeof(*task_columns))

static bool is_known(const json_t *tasks, const char *key)
{
	const json_t *task, *value;
	size_t i;

	json_array_foreach(tasks, i, task)
	{
		value = json_object_get(task, key);
		if (value && !json_is_null(value))
			return true;
	}
	return false;
}

void report_tasks_print(const json_t *tasks)
{
	struct column columns[COLUMNS];
	size_t count = 0;

	for (size_t i = 0; i < COLUMNS; i++)
		if (!task_columns[i].optional || is_known(tasks, task_columns[i].column.key))
			columns[count++] = task_columns[i].column;
	putchar('\n');
	print_table(stdout, tasks, columns, count);
}
