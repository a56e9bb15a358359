/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/lake_list.h"

/* `tracer tools`: a run's tools. */

static const struct config_option options[] = {
	COMMON_OPTIONS(struct lake_list_settings),
	{ "all", CONFIG_BOOL, offsetof(struct lake_list_settings, all), "false", 0, 0,
	  "list shells, launchers and helpers one by one" },
};

static const struct column columns[] = {
	{ "name", "TOOL", FORMAT_TEXT, 40 },
	{ "versions", "VERSION", FORMAT_LIST, 24 },
	{ "executions", "EXECUTIONS", FORMAT_COUNT, 0 },
	{ "failed", "FAILED", FORMAT_COUNT, 0 },
	{ "lost", "LOST", FORMAT_COUNT, 0 },
	{ "wall_s", "TIME", FORMAT_SECONDS, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "", "WAITS MOSTLY ON", FORMAT_WAIT, 0 },
	{ "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
	{ "read_chars_bytes", "CALLS READ", FORMAT_BYTES, 0 },
	{ "write_chars_bytes", "CALLS WRITTEN", FORMAT_BYTES, 0 },
};

static const struct lake_list list = {
	.name = "tools",
	.of_run = true,
	.paged = false,
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(*columns),
};

static int run_tools(void *settings, int argc, char **argv)
{
	return lake_list_run(&list, settings, argc, argv);
}

extern const struct command cli_tools;
const struct command cli_tools = {
	.name = "tools",
	.arguments = "[RUN]",
	.summary = "list a run's tools with what they used (helpers in one row)",
	OPTIONS(options),
	.settings_size = sizeof(struct lake_list_settings),
	.run = run_tools,
};
