/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/expected_events.h"
#include "cli/lake/lake_list.h"

/* `tracer events`: a run's events and what was not recorded. Expected failures are counted. */

static const struct config_option options[] = {
	COMMON_OPTIONS(struct lake_list_settings),
	LAKE_LIST_LIMIT_OPTION,
	{ "all", CONFIG_BOOL, offsetof(struct lake_list_settings, all), "false", 0, 0,
	  "show expected failures, too" },
};

static const struct column columns[] = {
	{ "happened_at", "WHEN", FORMAT_TIME, 0 },
	{ "kind", "EVENT", FORMAT_TEXT, 0 },
	{ "pid", "PID", FORMAT_TEXT, 0 },
	{ "summary", "WHAT", FORMAT_SENTENCE, 0 },
};

static const struct lake_list list = {
	.name = "events",
	.of_run = true,
	.paged = true,
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(*columns),
	.fold = events_unexpected,
	.fold_note = events_expected_note,
};

static int run_events(void *settings, int argc, char **argv)
{
	return lake_list_run(&list, settings, argc, argv);
}

extern const struct command cli_events;
const struct command cli_events = {
	.name = "events",
	.arguments = "[RUN]",
	.summary = "list a run's events, and which records are missing",
	OPTIONS(options),
	.settings_size = sizeof(struct lake_list_settings),
	.run = run_events,
};
