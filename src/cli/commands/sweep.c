/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/report/finding.h"
#include "cli/report/waste/waste.h"
#include "cli/report/waste/waste_hosts.h"
#include "cli/terminal/print.h"

/* `tracer sweep`: what is idle, stuck, forgotten or done again, and what it costs. */

struct sweep_settings {
	struct common common;
	uint64_t days;
	char *kind, *user;
	bool ended, all;
};

#define SHOWN 20 /* without --all */

static const struct config_option options[] = {
	COMMON_OPTIONS(struct sweep_settings),
	{ "days", CONFIG_U64, offsetof(struct sweep_settings, days), "14", 1, 3650,
	  "how far back: what ended, sums, hosts" },
	{ "kind", CONFIG_TEXT, offsetof(struct sweep_settings, kind), "", 0, 0,
	  "only this kind (docs/sweep.md)" },
	{ "user", CONFIG_TEXT, offsetof(struct sweep_settings, user), "", 0, 0,
	  "only what concerns this user" },
	{ "ended", CONFIG_BOOL, offsetof(struct sweep_settings, ended), "false", 0, 0,
	  "show what ended, too, and what was saved since" },
	{ "all", CONFIG_BOOL, offsetof(struct sweep_settings, all), "false", 0, 0,
	  "show all, not only the most expensive ones" },
};

static void append_filter(struct buffer *path, const char *name, const char *value)
{
	if (!*value)
		return;
	buffer_printf(path, "&%s=", name);
	client_escape(path, value);
}

static int run_sweep(void *settings_, int argc, char **argv)
{
	const struct sweep_settings *settings = settings_;
	const struct waste_view view = { .chosen = *settings->kind || *settings->user,
					 .ended = settings->ended,
					 .most = settings->all ? SIZE_MAX : SHOWN };
	/* What is shown has the sums of what ended, too. */
	bool ended = settings->ended || !settings->common.json;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	int status;

	if (argc > 0)
		return command_usage("sweep", "too many arguments");
	buffer_init(&path, 4096);
	buffer_printf(&path, "/waste?limit=10000&days=%llu&state=%s",
		      (unsigned long long)settings->days, ended ? "all" : "open");
	append_filter(&path, "kind", settings->kind);
	append_filter(&path, "user", settings->user);
	status = client_get(&settings->common, path.data, &document, &err);
	if (status < 0)
		return client_failed("sweep", status, &err);
	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	waste_print(stdout, document, &view);
	if (json_array_size(json_object_get(document, "findings")) > 0) {
		putchar('\n');
		finding_print(stdout, json_object_get(document, "findings"), true);
	}
	waste_hosts_print(stdout, document, view.most);
	return EXIT_DONE;
}

extern const struct command cli_sweep;
const struct command cli_sweep = {
	.name = "sweep",
	.arguments = "",
	.summary = "show what is idle, stuck, forgotten or done again, and what it costs",
	OPTIONS(options),
	.settings_size = sizeof(struct sweep_settings),
	.run = run_sweep,
};
