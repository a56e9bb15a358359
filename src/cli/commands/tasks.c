/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/lake_list.h"

/* `tracer tasks`: a run's tasks. */

static const struct config_option options[] = {
	COMMON_OPTIONS(struct lake_list_settings),
	LAKE_LIST_LIMIT_OPTION,
};

static const struct column columns[] = {
	{ "step", "STEP", FORMAT_TEXT, 36 },
	{ "name", "TASK", FORMAT_TEXT, 28 },
	{ "sample", "SAMPLE", FORMAT_TEXT, 20 },
	{ "status", "STATUS", FORMAT_STATUS, 0 },
	{ "exit_code", "EXIT", FORMAT_END, 0 },
	{ "started_at", "STARTED", FORMAT_TIME, 0 },
	{ "wall_s", "TIME", FORMAT_SECONDS, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "runnable_ns", "WAITED FOR CPU", FORMAT_NS, 0 },
	{ "", "WAITS MOSTLY ON", FORMAT_WAIT, 0 },
	{ "memory_peak_bytes", "MEMORY", FORMAT_BYTES, 0 },
	{ "memory_requested_bytes", "ASKED", FORMAT_BYTES, 0 },
	{ "cost_usd", "COST", FORMAT_USD, 0 },
};

static const struct lake_list list = {
	.name = "tasks",
	.of_run = true,
	.paged = true,
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(*columns),
};

static int run_tasks(void *settings, int argc, char **argv)
{
	return lake_list_run(&list, settings, argc, argv);
}

extern const struct command cli_tasks;
const struct command cli_tasks = {
	.name = "tasks",
	.arguments = "[RUN]",
	.summary = "list a run's tasks with what they requested and used",
	OPTIONS(options),
	.settings_size = sizeof(struct lake_list_settings),
	.run = run_tasks,
};
