/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/report/finding.h"
#include "cli/report/sizes.h"
#include "cli/terminal/print.h"

/* `tracer tune`: the findings of one run and what to request for its steps; with --emit the
 * settings of an engine. */

struct tune_settings {
	struct common common;
	char *emit;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct tune_settings),
	{ "emit", CONFIG_TEXT, offsetof(struct tune_settings, emit), "", 0, 0,
	  "print settings for nextflow, snakemake, snakemake7 or slurm instead" },
};

static int fetch(const struct tune_settings *settings, const char *run, const char *what,
		 json_t **ret, struct error *err)
{
	struct buffer path CLEANUP(buffer_clear) = { 0 };

	buffer_init(&path, 4096);
	buffer_append_text(&path, "/runs/");
	client_escape(&path, run);
	buffer_printf(&path, "/%s", what);
	return client_get(&settings->common, path.data, ret, err);
}

/* Line by line, each safe for a terminal. */
static void print_lines(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		struct buffer line CLEANUP(buffer_clear) = { 0 },
				   safe CLEANUP(buffer_clear) = { 0 };

		buffer_init(&line, 0);
		buffer_init(&safe, 0);
		buffer_append(&line, text, len);
		if (!line.failed && len > 0)
			print_safe(&safe, line.data);
		puts(safe.len ? safe.data : "");
		text += len + (text[len] == '\n');
	}
}

/* Says for which engines the lake has settings. */
static int no_settings(json_t *all)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	const char *engine;
	json_t *value;

	buffer_init(&text, 0);
	buffer_append_text(&text, "--emit takes one of:");
	json_object_foreach(all, engine, value)
	{
		buffer_append_char(&text, ' ');
		print_safe(&text, engine);
	}
	if (json_object_size(all) == 0)
		buffer_append_text(&text, " none, the lake is older than this program");
	return command_usage("tune", text.failed ? "--emit: no such engine" : text.data);
}

static int emit(const struct tune_settings *settings, const json_t *sizes)
{
	json_t *all = json_object_get(sizes, "settings");
	const char *text = json_string_value(json_object_get(all, settings->emit));

	if (!text)
		return no_settings(all);
	print_lines(text);
	return *text ? EXIT_DONE : EXIT_NOTHING;
}

static int show(const struct tune_settings *settings, const char *run, json_t *sizes)
{
	json_t *findings CLEANUP(json_decrefp) = NULL;
	struct error err = { 0 };
	int status = fetch(settings, run, "findings", &findings, &err);

	if (status < 0)
		return client_failed("tune", status, &err);
	if (settings->common.json) {
		json_object_set(findings, "sizes", sizes);
		print_json(findings);
		return EXIT_DONE;
	}
	finding_print(stdout, json_object_get(findings, "findings"),
		      json_is_true(json_object_get(findings, "asked")));
	sizes_print(stdout, sizes);
	return EXIT_DONE;
}

static int run_tune(void *settings_, int argc, char **argv)
{
	const struct tune_settings *settings = settings_;
	json_t *sizes CLEANUP(json_decrefp) = NULL;
	struct error err = { 0 };
	const char *run = command_argument_run("tune", argc, argv);
	int status;

	if (!run)
		return EXIT_USAGE;
	status = fetch(settings, run, "sizes", &sizes, &err);
	if (status < 0)
		return client_failed("tune", status, &err);
	/* "latest" can become another run meanwhile. */
	return *settings->emit
		       ? emit(settings, sizes)
		       : show(settings, json_string_value(json_object_get(sizes, "id")), sizes);
}

extern const struct command cli_tune;
const struct command cli_tune = {
	.name = "tune",
	.arguments = "[RUN]",
	.summary = "show what would make a run faster, smaller or cheaper, with evidence",
	OPTIONS(options),
	.settings_size = sizeof(struct tune_settings),
	.run = run_tune,
};
