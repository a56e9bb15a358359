/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/report/finding.h"
#include "cli/report/logs/report_logs.h"
#include "cli/report/report_dataflow.h"
#include "cli/report/report_document.h"
#include "cli/report/report_events.h"
#include "cli/report/report_files.h"
#include "cli/report/report_head.h"
#include "cli/report/report_io.h"
#include "cli/report/report_network.h"
#include "cli/report/report_parts.h"
#include "cli/report/report_syscalls.h"
#include "cli/report/report_tasks.h"
#include "cli/report/report_times.h"
#include "cli/report/screen/screen.h"
#include "cli/report/screen/verdict.h"
#include "cli/terminal/lines.h"
#include "cli/terminal/print.h"

/* `tracer report`: one run on one screen, in tables, or all that is known of it as JSON. */

struct report_settings {
	struct common common;
	bool full;
	bool logs;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct report_settings),
	{ "full", CONFIG_BOOL, offsetof(struct report_settings, full), "false", 0, 0,
	  "show all tables: where time went, steps, tasks, tools, files, disks, events" },
	{ "logs", CONFIG_BOOL, offsetof(struct report_settings, logs), "false", 0, 0,
	  "show the last lines of failed tasks' own logs, too, if they are on this host" },
};

static const struct column step_columns[] = {
	{ "name", "STEP", FORMAT_TEXT, 44 },
	{ "tasks", "TASKS", FORMAT_COUNT, 0 },
	{ "failed", "FAILED", FORMAT_COUNT, 0 },
	{ "lost", "LOST", FORMAT_COUNT, 0 },
	{ "median", "TIME (MEDIAN)", FORMAT_SECONDS, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "runnable_ns", "WAITED FOR CPU", FORMAT_NS, 0 },
	{ "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
	{ "disk_read_bytes", "STORAGE READ", FORMAT_BYTES, 0 },
	{ "disk_write_bytes", "WRITTEN", FORMAT_BYTES, 0 },
	{ "cost_usd", "COST", FORMAT_USD, 0 },
};

static const struct column tool_columns[] = {
	{ "name", "TOOL", FORMAT_TEXT, 40 },
	{ "versions", "VERSION", FORMAT_LIST, 24 },
	{ "executions", "EXECUTIONS", FORMAT_COUNT, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
};

#define SECTION(document, name, columns)                                      \
	do {                                                                  \
		putchar('\n');                                                \
		print_table(stdout, json_object_get(document, name), columns, \
			    sizeof(columns) / sizeof(*(columns)));            \
	} while (0)

/* print_table() shows flat objects: copies the median time of each step one level up. */
static void lift_medians(json_t *steps)
{
	size_t i;
	json_t *step;

	json_array_foreach(steps, i, step) json_object_set(
		step, "median", json_object_get(json_object_get(step, "wall_s"), "median"));
}

static void print_verdict(const json_t *document)
{
	struct lines lines CLEANUP(lines_clear) = { 0 };

	verdict_lines(&lines, document, print_width(stdout), print_colourful(stdout));
	lines_print(stdout, &lines);
}

/* All tables. */
static void print_full(json_t *document)
{
	lift_medians(json_object_get(document, "steps"));
	print_verdict(document);
	report_head_print(document);
	putchar('\n');
	finding_print(stdout, json_object_get(document, "findings"),
		      json_is_true(json_object_get(document, "asked")));
	putchar('\n');
	report_times(stdout, document);
	putchar('\n');
	report_thread_times(stdout, document);
	SECTION(document, "steps", step_columns);
	report_tasks_print(json_object_get(document, "tasks"));
	report_dataflow(stdout, json_object_get(document, "dataflow"));
	SECTION(document, "tools", tool_columns);
	report_parts_print(document);
	report_files(stdout, json_object_get(document, "files"),
		     !json_object_get(document, "files_incomplete"));
	report_network(stdout, json_object_get(document, "network"));
	report_io(stdout, json_object_get(document, "io"));
	report_syscalls(stdout, json_object_get(document, "syscalls"));
	report_events_print(document);
}

static int run_report(void *settings_, int argc, char **argv)
{
	const struct report_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct error err = { 0 };
	const char *run = command_argument_run("report", argc, argv);
	int status;

	if (!run)
		return EXIT_USAGE;
	status = report_document_fetch(&settings->common, run,
				       settings->common.json ? REPORT_JSON
				       : settings->full      ? REPORT_FULL
							     : REPORT_SCREEN,
				       &document, &err);
	if (status < 0)
		return client_failed("report", status, &err);
	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	verdict_mark_run(document);
	if (settings->full)
		print_full(document);
	else
		screen_print(stdout, document);
	if (settings->logs)
		status = report_logs_print(stdout, &settings->common, document, &err);
	return status < 0 ? client_failed("report", status, &err) : EXIT_DONE;
}

extern const struct command cli_report;
const struct command cli_report = {
	.name = "report",
	.arguments = "[RUN]",
	.summary =
		"show a run on one screen (RUN: an id, a name, a pipeline, a start of one, or latest)",
	OPTIONS(options),
	.settings_size = sizeof(struct report_settings),
	.run = run_report,
};
