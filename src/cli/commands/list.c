/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/local/client.h"
#include "cli/terminal/print.h"
#include "cli/report/run_tree.h"

/* The commands that print one table of the lake: `runs`, and of a run its tasks, tools, processes,
 * events. */

struct list_settings {
	struct common common;
	uint64_t limit;
	bool all;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct list_settings),
	{ "limit", CONFIG_U64, offsetof(struct list_settings, limit), "0", 0, 1e9,
	  "rows at most (0: all)" },
};

static const struct config_option tools_options[] = {
	COMMON_OPTIONS(struct list_settings),
	{ "all", CONFIG_BOOL, offsetof(struct list_settings, all), "false", 0, 0,
	  "list shells, launchers and helpers one by one" },
};

struct list {
	const char *name; /* of the command, the path's end and the JSON's array */
	bool of_run;
	bool pages; /* the path takes a limit */
	const struct column *columns;
	size_t column_count;
	json_t *(*order)(json_t *rows); /* for the table; NULL: as they came */
};

static const struct column runs_columns[] = {
	{ "name", "RUN", FORMAT_TEXT, 32 },
	{ "status", "STATUS", FORMAT_TEXT, 0 },
	{ "pipeline", "PIPELINE", FORMAT_TEXT, 24 },
	{ "engine", "ENGINE", FORMAT_TEXT, 16 },
	{ "user", "USER", FORMAT_TEXT, 16 },
	{ "started_at", "STARTED", FORMAT_TIME, 0 },
	{ "wall_s", "TIME", FORMAT_SECONDS, 0 },
	{ "tasks", "TASKS", FORMAT_COUNT, 0 },
	{ "tasks_failed", "FAILED", FORMAT_COUNT, 0 },
	{ "tasks_lost", "LOST", FORMAT_COUNT, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
	{ "cost_usd", "COST", FORMAT_USD, 0 },
	{ "id", "ID", FORMAT_TEXT, 0 },
};

static const struct column tasks_columns[] = {
	{ "step", "STEP", FORMAT_TEXT, 36 },
	{ "name", "TASK", FORMAT_TEXT, 28 },
	{ "sample", "SAMPLE", FORMAT_TEXT, 20 },
	{ "status", "STATUS", FORMAT_TEXT, 0 },
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

static const struct column tools_columns[] = {
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

static const struct column processes_columns[] = {
	{ "pid", "PID", FORMAT_TEXT, 0 },          { "ppid", "PARENT", FORMAT_TEXT, 0 },
	{ "tool", "TOOL", FORMAT_TEXT, 24 },       { "status", "STATUS", FORMAT_TEXT, 0 },
	{ "exit_code", "EXIT", FORMAT_END, 0 },    { "started_at", "STARTED", FORMAT_TIME, 0 },
	{ "wall_s", "TIME", FORMAT_SECONDS, 0 },   { "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "", "WAITS MOSTLY ON", FORMAT_WAIT, 0 }, { "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
	{ "argv", "COMMAND", FORMAT_COMMAND, 60 },
};

static const struct column events_columns[] = {
	{ "happened_at", "WHEN", FORMAT_TIME, 0 },
	{ "kind", "EVENT", FORMAT_TEXT, 0 },
	{ "pid", "PID", FORMAT_TEXT, 0 },
	{ "summary", "WHAT", FORMAT_SENTENCE, 0 },
};

#define COLUMNS(list) (list), sizeof(list) / sizeof(*(list))

static const struct list lists[] = {
	{ "runs", false, true, COLUMNS(runs_columns), run_tree_order },
	{ "tasks", true, true, COLUMNS(tasks_columns), NULL },
	{ "tools", true, false, COLUMNS(tools_columns), NULL },
	{ "processes", true, true, COLUMNS(processes_columns), NULL },
	{ "events", true, true, COLUMNS(events_columns), NULL },
};

/* Rows to ask for at once; limit 0: all. */
static int page_of(uint64_t limit)
{
	return limit > 0 && limit < CLIENT_PAGE ? (int)limit : CLIENT_PAGE;
}

static void print_list(const struct list *list, json_t *rows)
{
	json_t *ordered CLEANUP(json_decrefp) = list->order ? list->order(rows) : json_incref(rows);

	print_table(stdout, ordered, list->columns, list->column_count);
}

static int show(const struct list *list, const struct list_settings *settings, const char *run)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	json_t *rows;
	int status;

	buffer_init(&path, 4096);
	if (run) {
		buffer_append_text(&path, "/runs/");
		client_escape(&path, run);
	}
	buffer_printf(&path, "/%s", list->name);
	if (list->pages)
		buffer_printf(&path, "?limit=%d", page_of(settings->limit));
	if (settings->all)
		buffer_append_text(&path, "?all=true");
	status = client_get_all(&settings->common, path.data, list->name, settings->limit,
				&document, &err);
	if (status < 0)
		return client_failed(list->name, status, &err);
	rows = json_object_get(document, list->name);
	if (settings->common.json)
		print_json(document);
	else if (json_array_size(rows) > 0)
		print_list(list, rows);
	else
		fprintf(stderr, "tracer %s: nothing recorded yet\n", list->name);
	return json_array_size(rows) > 0 ? EXIT_DONE : EXIT_NOTHING;
}

static int run_list(const char *name, const struct list_settings *settings, int argc, char **argv)
{
	const struct list *list = lists;
	const char *run;

	while (strcmp(list->name, name) != 0)
		list++;
	if (!list->of_run)
		return argc > 0 ? command_usage(name, "too many arguments")
				: show(list, settings, NULL);
	run = command_run(name, argc, argv);
	return run ? show(list, settings, run) : EXIT_USAGE;
}

#define LIST_COMMAND(noun, arguments_text, options, summary_text)    \
	static int run_##noun(void *settings, int argc, char **argv) \
	{                                                            \
		return run_list(#noun, settings, argc, argv);        \
	}                                                            \
	extern const struct command noun##_command;                  \
	const struct command noun##_command = {                      \
		.name = #noun,                                       \
		.arguments = (arguments_text),                       \
		.summary = (summary_text),                           \
		OPTIONS(options),                                    \
		.settings_size = sizeof(struct list_settings),       \
		.run = run_##noun,                                   \
	}

LIST_COMMAND(runs, "", options, "list the runs, the newest first");
LIST_COMMAND(tasks, "[RUN]", options, "list a run's tasks with what they asked for and used");
LIST_COMMAND(tools, "[RUN]", tools_options,
	     "list a run's tools with what they used (helpers in one row)");
LIST_COMMAND(processes, "[RUN]", options, "list a run's processes, every program image of them");
LIST_COMMAND(events, "[RUN]", options, "list a run's events and what is missing");
