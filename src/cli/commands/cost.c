/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/lake/client.h"
#include "cli/lake/cost_focus.h"
#include "cli/terminal/print.h"

/* `tracer cost`: the cost of all recorded work, by one key. */

struct cost_settings {
	struct common common;
	char *by, *focus;
	uint64_t days;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct cost_settings),
	{ "by", CONFIG_TEXT, offsetof(struct cost_settings, by), "pipeline", 0, 0,
	  "pipeline, run, step, tool, user or instance" },
	{ "days", CONFIG_U64, offsetof(struct cost_settings, days), "30", 1, 3650,
	  "how far to look back" },
	{ "focus", CONFIG_TEXT, offsetof(struct cost_settings, focus), "", 0, 0,
	  "write a FOCUS 1.2 file instead, of tasks by day; - is standard output" },
};

static const struct column columns[] = {
	{ "key", "", FORMAT_TEXT, 48 },
	{ "runs", "RUNS", FORMAT_COUNT, 0 },
	{ "cpu_s", "CPU", FORMAT_SECONDS, 0 },
	{ "cost_usd", "COST", FORMAT_USD, 0 },
};

static bool is_key(const char *by)
{
	static const char *const keys[] = { "pipeline", "run", "step", "tool", "user", "instance" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (strcmp(by, keys[i]) == 0)
			return true;
	return false;
}

static void print_totals(const json_t *document)
{
	static const struct column total = { "whole_usd", "", FORMAT_USD, 0 },
				   idle = { "idle_usd", "", FORMAT_USD, 0 };
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	buffer_init(&text, 0);
	buffer_append_text(&text, "\ntotal ");
	print_value(&text, document, &total);
	buffer_append_text(&text, ", of which idle ");
	print_value(&text, document, &idle);
	puts(text.data);
}

static int write_focus(const struct cost_settings *settings)
{
	struct error err = { 0 };
	int64_t now = clock_real_ns() / NS_PER_S;
	int code = cost_focus_write(&settings->common, now - (int64_t)settings->days * 86400, now,
				    settings->focus, &err);

	return code < 0 ? client_failed("cost", code, &err) : EXIT_DONE;
}

static int run_cost(void *settings_, int argc, char **argv)
{
	const struct cost_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	int status;

	if (argc > 0)
		return command_usage("cost", "too many arguments");
	if (!is_key(settings->by))
		return command_usage("cost",
				     "--by takes pipeline, run, step, tool, user or instance");
	if (*settings->focus)
		return write_focus(settings);
	buffer_init(&path, 4096);
	buffer_append_text(&path, "/cost?by=");
	client_escape(&path, settings->by);
	buffer_printf(&path, "&days=%llu", (unsigned long long)settings->days);
	status = client_get(&settings->common, path.data, &document, &err);
	if (status < 0)
		return client_failed("cost", status, &err);
	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	print_table(stdout, json_object_get(document, "rows"), columns,
		    sizeof(columns) / sizeof(*columns));
	print_totals(document);
	return EXIT_DONE;
}

extern const struct command cli_cost;
const struct command cli_cost = {
	.name = "cost",
	.arguments = "",
	.summary = "show what pipelines, runs, steps, tools, users or instances cost",
	OPTIONS(options),
	.settings_size = sizeof(struct cost_settings),
	.run = run_cost,
};
