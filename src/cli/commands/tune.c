/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/report/finding.h"
#include "cli/terminal/print.h"

/* `tracer tune`: the findings of one run. */

struct tune_settings {
	struct common common;
};

static const struct config_option options[] = { COMMON_OPTIONS(struct tune_settings) };

static int run_tune(void *settings_, int argc, char **argv)
{
	const struct tune_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	const char *run = command_argument_run("tune", argc, argv);
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

extern const struct command cli_tune;
const struct command cli_tune = {
	.name = "tune",
	.arguments = "[RUN]",
	.summary = "show what would make a run faster, smaller or cheaper, with evidence",
	OPTIONS(options),
	.settings_size = sizeof(struct tune_settings),
	.run = run_tune,
};
