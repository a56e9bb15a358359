/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/lake_list.h"
#include "cli/lake/run_tree.h"

/* `tracer runs`: the runs that the lake has. */

static const struct config_option options[] = {
	COMMON_OPTIONS(struct lake_list_settings),
	LAKE_LIST_LIMIT_OPTION,
};

static const struct column columns[] = {
	{ "name", "RUN", FORMAT_TEXT, 32 },
	{ "status", "STATUS", FORMAT_STATUS, 0 },
	{ "wall_s", "TIME", FORMAT_SECONDS, 0 },
	{ "verdict", "VERDICT", FORMAT_PHRASE, 60 },
	{ "pipeline", "PIPELINE", FORMAT_TEXT, 20 },
	{ "started_at", "STARTED", FORMAT_TIME, 0 },
	{ "engine", "ENGINE", FORMAT_TEXT, 16 },
	{ "tasks", "TASKS", FORMAT_COUNT, 0 },
	{ "cost_usd", "COST", FORMAT_USD, 0 },
	{ "expected_end_at", "ENDS ABOUT", FORMAT_TIME, 0 },
	{ "user", "USER", FORMAT_TEXT, 16 },
	{ "id", "ID", FORMAT_TEXT, 0 },
};

static const struct lake_list list = {
	.name = "runs",
	.of_run = false,
	.paged = true,
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(*columns),
	.order = run_tree_order,
};

static int run_runs(void *settings, int argc, char **argv)
{
	return lake_list_run(&list, settings, argc, argv);
}

extern const struct command cli_runs;
const struct command cli_runs = {
	.name = "runs",
	.arguments = "",
	.summary = "list the runs, the newest first",
	OPTIONS(options),
	.settings_size = sizeof(struct lake_list_settings),
	.run = run_runs,
};
