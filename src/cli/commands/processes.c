/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/lake_list.h"

/* `tracer processes`: a run's processes. */

static const struct config_option options[] = {
	COMMON_OPTIONS(struct lake_list_settings),
	LAKE_LIST_LIMIT_OPTION,
};

static const struct column columns[] = {
	{ "pid", "PID", FORMAT_TEXT, 0 },          { "ppid", "PARENT", FORMAT_TEXT, 0 },
	{ "tool", "TOOL", FORMAT_TEXT, 24 },       { "status", "STATUS", FORMAT_TEXT, 0 },
	{ "exit_code", "EXIT", FORMAT_END, 0 },    { "started_at", "STARTED", FORMAT_TIME, 0 },
	{ "wall_s", "TIME", FORMAT_SECONDS, 0 },   { "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "", "WAITS MOSTLY ON", FORMAT_WAIT, 0 }, { "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
	{ "argv", "COMMAND", FORMAT_COMMAND, 60 },
};

static const struct lake_list list = {
	.name = "processes",
	.of_run = true,
	.paged = true,
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(*columns),
};

static int run_processes(void *settings, int argc, char **argv)
{
	return lake_list_run(&list, settings, argc, argv);
}

extern const struct command cli_processes;
const struct command cli_processes = {
	.name = "processes",
	.arguments = "[RUN]",
	.summary = "list a run's processes, one row for each program image",
	OPTIONS(options),
	.settings_size = sizeof(struct lake_list_settings),
	.run = run_processes,
};
