/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/lake/client.h"
#include "cli/lake/cost_focus.h"
#include "cli/lake/cost_query.h"
#include "cli/report/cost/cost_table.h"
#include "cli/terminal/print.h"
#include "cost/sheet_choice.h"

/* `tracer cost`: what everything cost, by one key. */

struct cost_settings {
	struct common common;
	struct cost_query query;
	bool csv;
	char *focus;
};

#define AT(member) offsetof(struct cost_settings, query.member)
#define ONLY(name, what)                                                     \
	{                                                                    \
#name, CONFIG_TEXT, AT(name), "", 0, 0, "only of this " what \
	}

static const struct config_option options[] = {
	COMMON_OPTIONS(struct cost_settings),
	{ "by", CONFIG_TEXT, AT(by), "pipeline", 0, 0, SHEET_KEYS_WORDS },
	{ "days", CONFIG_U64, AT(days), "30", 1, 3650, "how far to look back" },
	{ "since", CONFIG_TEXT, AT(since), "", 0, 0,
	  "from this day or time (UTC) on, such as 2026-11-01, instead of --days" },
	{ "until", CONFIG_TEXT, AT(until), "", 0, 0, "to before this day or time; default: now" },
	{ "over", CONFIG_TEXT, AT(over), "", 0, 0, "also by hour or day" },
	{ "split", CONFIG_TEXT, AT(split), "", 0, 0,
	  "by which rule, held or aws; default: that of the lake's settings" },
	ONLY(pipeline, "pipeline"),
	ONLY(run, "run: an id or name, as other commands take it"),
	ONLY(step, "step"),
	ONLY(task, "task, by its id"),
	ONLY(sample, "sample"),
	ONLY(user, "user's runs"),
	ONLY(host, "host, by its name or id"),
	{ "label", CONFIG_TEXT, AT(label), "", 0, 0, "only of runs with this label: KEY:VALUE" },
	{ "limit", CONFIG_U64, AT(limit), "0", 0, CLIENT_PAGE,
	  "rows at most; default: 1000, of --csv all" },
	{ "csv", CONFIG_BOOL, offsetof(struct cost_settings, csv), "false", 0, 0,
	  "print the rows as CSV" },
	{ "focus", CONFIG_TEXT, offsetof(struct cost_settings, focus), "", 0, 0,
	  "write a FOCUS 1.2 file instead, of tasks by day; - is standard output" },
};

static int write_focus(const struct cost_settings *settings)
{
	struct error err = { 0 };
	int64_t since_s, until_s;
	int code;

	if (cost_query_selects(&settings->query))
		return command_usage("cost", "--focus is of all runs: besides it, give --days, "
					     "--since or --until alone");
	cost_query_window(&settings->query, clock_real_ns() / NS_PER_S, &since_s, &until_s);
	code = cost_focus_write(&settings->common, since_s, until_s, settings->focus, &err);
	return code < 0 ? client_failed("cost", code, &err) : EXIT_DONE;
}

/* Line by line: on a terminal each is made safe. */
static void print_csv(char *text)
{
	bool terminal = isatty(STDOUT_FILENO) == 1;
	char *next;

	if (!terminal)
		fputs(text, stdout);
	for (char *line = text; terminal && *line; line = next) {
		size_t len = strcspn(line, "\r\n");

		next = line + len + strspn(line + len, "\r\n");
		line[len] = '\0';
		print_text(stdout, line);
		putchar('\n');
	}
}

static int show_csv(const struct cost_settings *settings)
{
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	char *text CLEANUP(freep) = NULL;
	struct error err = { 0 };
	bool is_anything;
	size_t len;
	int code;

	buffer_init(&path, 16384);
	code = cost_query_path(&settings->query, &settings->common, "/cost.csv", &path, &err);
	if (code == 0)
		code = client_get_bytes(&settings->common, path.data, &text, &len, &err);
	if (code < 0 || !text)
		return client_failed("cost", code, &err);
	is_anything = strcspn(text, "\n") + 1 < len;
	print_csv(text);
	return is_anything ? EXIT_DONE : EXIT_NOTHING;
}

/* Whether there is something to show. */
static bool is_anything(const json_t *document)
{
	return json_array_size(json_object_get(document, "rows")) > 0 ||
	       json_number_value(json_object_get(document, "whole_usd")) > 0;
}

static int show(const struct cost_settings *settings)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	int code;

	buffer_init(&path, 16384);
	code = cost_query_path(&settings->query, &settings->common, "/cost", &path, &err);
	if (code == 0)
		code = client_get(&settings->common, path.data, &document, &err);
	if (code < 0)
		return client_failed("cost", code, &err);
	if (settings->common.json)
		print_json(document);
	else if (!is_anything(document))
		fputs("tracer cost: nothing ran in this time that is asked for\n", stderr);
	else if (cost_table_print(stdout, document) < 0)
		return command_usage("cost", "no memory for the table");
	return is_anything(document) ? EXIT_DONE : EXIT_NOTHING;
}

static int run_cost(void *settings_, int argc, char **argv)
{
	const struct cost_settings *settings = settings_;
	struct error err = { 0 };

	(void)argv;
	if (argc > 0)
		return command_usage("cost", "too many arguments");
	if (cost_query_check(&settings->query, &err) < 0)
		return command_usage("cost", error_text(&err));
	if (*settings->focus)
		return write_focus(settings);
	if (settings->csv && settings->common.json)
		return command_usage("cost", "--csv and --json: give one of them");
	if (settings->csv && *settings->query.over)
		return command_usage("cost", "--csv has rows alone: leave --over away");
	return settings->csv ? show_csv(settings) : show(settings);
}

extern const struct command cli_cost;
const struct command cli_cost = {
	.name = "cost",
	.arguments = "",
	.summary = "show what pipelines, runs, samples, steps, tools, users, hosts or labels cost",
	OPTIONS(options),
	.settings_size = sizeof(struct cost_settings),
	.run = run_cost,
};
