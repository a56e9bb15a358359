/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/report/diff/diff_screen.h"
#include "cli/terminal/print.h"

/* `tracer diff`: what changed from one run to another. */

struct diff_settings {
	struct common common;
};

static const struct config_option options[] = { COMMON_OPTIONS(struct diff_settings) };

/* from NULL: the last run of the pipeline before it. */
static void write_path(struct buffer *path, const char *from, const char *to)
{
	buffer_init(path, 4096);
	buffer_append_text(path, "/runs/");
	client_escape(path, to);
	buffer_append_text(path, "/diff");
	if (!from)
		return;
	buffer_append_text(path, "?with=");
	client_escape(path, from);
}

static int run_diff(void *settings_, int argc, char **argv)
{
	const struct diff_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	const char *from = argc == 2 ? argv[0] : NULL;
	const char *to = argc == 0 ? "latest" : argv[argc - 1];
	int status;

	if (argc > 2)
		return command_usage("diff", "too many arguments");
	if (!*to || (from && !*from))
		return command_usage("diff", "a RUN is empty");
	if (from && strcmp(from, to) == 0)
		return command_usage("diff", "it takes two different runs");
	write_path(&path, from, to);
	status = client_get(&settings->common, path.data, &document, &err);
	if (status < 0)
		return client_failed("diff", status, &err);
	if (settings->common.json)
		print_json(document);
	else
		diff_screen_print(stdout, document);
	return EXIT_DONE;
}

extern const struct command cli_diff;
const struct command cli_diff = {
	.name = "diff",
	.arguments = "[[FROM] TO]",
	.summary = "show what changed from one run to another, and what made it slower",
	OPTIONS(options),
	.settings_size = sizeof(struct diff_settings),
	.run = run_diff,
};
