/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

/* `tracer steps`: what the steps of a pipeline usually take; of one step, by run. */

struct steps_settings {
	struct common common;
	char *step;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct steps_settings),
	{ "step", CONFIG_TEXT, offsetof(struct steps_settings, step), "", 0, 0,
	  "this step alone, run by run" },
};

static const struct column step_columns[] = {
	{ "step", "STEP", FORMAT_TEXT, 40 },
	{ "runs", "RUNS", FORMAT_COUNT, 0 },
	{ "tasks", "TASKS", FORMAT_COUNT, 0 },
	{ "failed", "FAILED", FORMAT_COUNT, 0 },
	{ "out_of_memory", "OUT OF MEMORY", FORMAT_COUNT, 0 },
	{ "wall_ns_median", "TIME (MEDIAN)", FORMAT_NS, 0 },
	{ "wall_ns_p95", "(95 %)", FORMAT_NS, 0 },
	{ "cpu_ns_median", "CPU", FORMAT_NS, 0 },
	{ "memory_peak_bytes_median", "MEMORY", FORMAT_BYTES, 0 },
	{ "memory_peak_bytes_p95", "(95 %)", FORMAT_BYTES, 0 },
	{ "input_bytes_median", "INPUT", FORMAT_BYTES, 0 },
};

/* Of the boxes of one figure. */
static const struct column run_columns[] = {
	{ "started_at", "STARTED", FORMAT_TIME, 0 },
	{ "tasks", "TASKS", FORMAT_COUNT, 0 },
	{ "min", "LEAST", FORMAT_NS, 0 },
	{ "q1", "QUARTER", FORMAT_NS, 0 },
	{ "median", "MEDIAN", FORMAT_NS, 0 },
	{ "q3", "3 QUARTERS", FORMAT_NS, 0 },
	{ "max", "MOST", FORMAT_NS, 0 },
	{ "host_type", "HOST", FORMAT_TEXT, 24 },
	{ "tools", "TOOLS", FORMAT_TEXT, 40 },
	{ "run_id", "RUN", FORMAT_TEXT, 0 },
};

static int fetch(const struct steps_settings *settings, const char *pipeline, json_t **ret,
		 struct error *err)
{
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	const char *before = "?";

	buffer_init(&path, 4096);
	buffer_append_text(&path, "/steps");
	if (pipeline) {
		buffer_append_text(&path, "?pipeline=");
		client_escape(&path, pipeline);
		before = "&";
	}
	if (*settings->step) {
		buffer_printf(&path, "%sstep=", before);
		client_escape(&path, settings->step);
	}
	return client_get(&settings->common, path.data, ret, err);
}

/* The wall time of each run; the row over all runs comes first. */
static void print_runs(const json_t *boxes)
{
	json_t *rows CLEANUP(json_decrefp) = json_array();
	json_t *box;
	size_t i;

	json_array_foreach(boxes, i, box)
	{
		if (strcmp(row_text(box, "figure"), "wall_ns") != 0)
			continue;
		if (!json_is_string(json_object_get(box, "run_id")))
			json_object_set_new(box, "run_id", json_string("all runs"));
		json_array_append(rows, box);
	}
	fputs("\nWall time of its tasks\n", stdout);
	print_table(stdout, rows, run_columns, sizeof(run_columns) / sizeof(*run_columns));
}

static int print(const struct steps_settings *settings, json_t *document)
{
	const json_t *steps = json_object_get(document, "steps");
	struct error err = { 0 };

	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	if (json_array_size(steps) == 0) {
		(void)error_set(
			&err, -1,
			"no settled run of that pipeline has that step: see `tracer runs`. A run "
			"counts once it is over and nothing of it arrives any more");
		(void)command_failed("steps", &err);
		return EXIT_NOTHING;
	}
	printf("Pipeline ");
	print_text(stdout, row_text(document, "pipeline"));
	printf(", %" JSON_INTEGER_FORMAT " runs\n",
	       json_integer_value(json_object_get(document, "runs")));
	print_table(stdout, steps, step_columns, sizeof(step_columns) / sizeof(*step_columns));
	if (*settings->step)
		print_runs(json_object_get(document, "boxes"));
	return EXIT_DONE;
}

static int run_steps(void *settings_, int argc, char **argv)
{
	const struct steps_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct error err = { 0 };
	int status;

	if (argc > 1)
		return command_usage("steps", "too many arguments");
	status = fetch(settings, argc ? argv[0] : NULL, &document, &err);
	return status < 0 ? client_failed("steps", status, &err) : print(settings, document);
}

extern const struct command cli_steps;
const struct command cli_steps = {
	.name = "steps",
	.arguments = "[PIPELINE]",
	.summary =
		"show the history of the steps of a pipeline over its runs (default: that of the latest run)",
	OPTIONS(options),
	.settings_size = sizeof(struct steps_settings),
	.run = run_steps,
};
