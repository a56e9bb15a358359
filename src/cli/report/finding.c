/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/local/client.h"
#include "cli/report/finding.h"
#include "cli/terminal/print.h"

/* `tracer tune`: what a run's findings say. `tracer sweep`: what is idle and wasted on the hosts.
 */

struct finding_settings {
	struct common common;
	uint64_t days;
};

static const struct config_option tune_options[] = { COMMON_OPTIONS(struct finding_settings) };

static const struct config_option sweep_options[] = {
	COMMON_OPTIONS(struct finding_settings),
	{ "days", CONFIG_U64, offsetof(struct finding_settings, days), "14", 1, 3650,
	  "how far to look back" },
};

static const struct column host_columns[] = {
	{ "hostname", "HOST", FORMAT_TEXT, 32 }, { "instance_type", "TYPE", FORMAT_TEXT, 0 },
	{ "up_s", "UP", FORMAT_SECONDS, 0 },     { "tracked_s", "IN USE", FORMAT_SECONDS, 0 },
	{ "idle_s", "IDLE", FORMAT_SECONDS, 0 }, { "idle_usd", "IDLE COST", FORMAT_USD, 0 },
};

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static void print_part(FILE *out, const char *before, const char *text, const char *behind)
{
	fputs(before, out);
	print_text(out, text);
	fputs(behind, out);
}

static void print_savings(FILE *out, const json_t *finding)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	static const struct column usd = { "saves_usd", "", FORMAT_USD, 0 },
				   seconds = { "saves_s", "", FORMAT_SECONDS, 0 };

	buffer_init(&text, 0);
	if (json_number_value(json_object_get(finding, "saves_usd")) >= 0.0000005) {
		buffer_append_text(&text, "saves ");
		print_value(&text, finding, &usd);
	}
	if (json_number_value(json_object_get(finding, "saves_s")) >= 1) {
		buffer_append_text(&text, text.len > 0 ? ", " : "saves ");
		print_value(&text, finding, &seconds);
	}
	if (text.len > 0)
		fprintf(out, "    %s\n", text.data);
}

void finding_print(FILE *out, const json_t *findings, bool asked)
{
	const json_t *finding;
	size_t i;

	if (json_array_size(findings) == 0) {
		fprintf(out,
			asked ? "Findings: none\n"
			      : "Findings: nothing known to compare: no task says what CPUs or "
				"memory it asked for\n");
		return;
	}
	fprintf(out, "Findings\n");
	json_array_foreach(findings, i, finding)
	{
		print_part(out, strcmp(text_of(finding, "severity"), "info") == 0 ? "  - " : "  ! ",
			   text_of(finding, "subject"), ": ");
		print_part(out, "", text_of(finding, "summary"), "\n");
		if (text_of(finding, "advice")[0])
			print_part(out, "    → ", text_of(finding, "advice"), "\n");
		print_savings(out, finding);
	}
}

bool finding_asked(const json_t *tasks)
{
	const json_t *task;
	size_t i;

	json_array_foreach(tasks, i, task)
	{
		if (json_number_value(json_object_get(task, "cpus_requested")) > 0 ||
		    json_number_value(json_object_get(task, "memory_requested_bytes")) > 0)
			return true;
	}
	return false;
}

static int run_tune(void *settings_, int argc, char **argv)
{
	const struct finding_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	const char *run = command_run("tune", argc, argv);
	int status;

	if (!run)
		return EXIT_USAGE;
	buffer_init(&path, 4096);
	buffer_append_text(&path, "/runs/");
	client_escape(&path, run);
	buffer_append_text(&path, "/findings");
	status = client_get(&settings->common, path.data, &document, &err);
	if (status < 0)
		return client_failed("tune", status, &err);
	if (settings->common.json)
		print_json(document);
	else
		finding_print(stdout, json_object_get(document, "findings"),
			      json_is_true(json_object_get(document, "asked")));
	return EXIT_DONE;
}

static int run_sweep(void *settings_, int argc, char **argv)
{
	const struct finding_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	int status;

	if (argc > 0)
		return command_usage("sweep", "too many arguments");
	buffer_init(&path, 4096);
	buffer_printf(&path, "/waste?days=%llu", (unsigned long long)settings->days);
	status = client_get(&settings->common, path.data, &document, &err);
	if (status < 0)
		return client_failed("sweep", status, &err);
	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	finding_print(stdout, json_object_get(document, "findings"), true);
	putchar('\n');
	print_table(stdout, json_object_get(document, "hosts"), host_columns,
		    sizeof(host_columns) / sizeof(*host_columns));
	return EXIT_DONE;
}

extern const struct command tune_command, sweep_command;
const struct command tune_command = {
	.name = "tune",
	.arguments = "[RUN]",
	.summary = "say what would make a run faster, smaller or cheaper, with evidence",
	OPTIONS(tune_options),
	.settings_size = sizeof(struct finding_settings),
	.run = run_tune,
};
const struct command sweep_command = {
	.name = "sweep",
	.arguments = "",
	.summary = "show idle and wasted capacity, with what it costs",
	OPTIONS(sweep_options),
	.settings_size = sizeof(struct finding_settings),
	.run = run_sweep,
};
