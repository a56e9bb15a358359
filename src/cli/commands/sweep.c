/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/report/finding.h"
#include "cli/terminal/print.h"

/* `tracer sweep`: idle and wasted capacity of all hosts. */

struct sweep_settings {
	struct common common;
	uint64_t days;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct sweep_settings),
	{ "days", CONFIG_U64, offsetof(struct sweep_settings, days), "14", 1, 3650,
	  "how far to look back" },
};

static const struct column host_columns[] = {
	{ "hostname", "HOST", FORMAT_TEXT, 32 }, { "instance_type", "TYPE", FORMAT_TEXT, 0 },
	{ "up_s", "UP", FORMAT_SECONDS, 0 },     { "tracked_s", "IN USE", FORMAT_SECONDS, 0 },
	{ "idle_s", "IDLE", FORMAT_SECONDS, 0 }, { "idle_usd", "IDLE COST", FORMAT_USD, 0 },
};

static int run_sweep(void *settings_, int argc, char **argv)
{
	const struct sweep_settings *settings = settings_;
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

extern const struct command cli_sweep;
const struct command cli_sweep = {
	.name = "sweep",
	.arguments = "",
	.summary = "show idle and wasted capacity, with what it costs",
	OPTIONS(options),
	.settings_size = sizeof(struct sweep_settings),
	.run = run_sweep,
};
