/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/lake/client.h"
#include "cli/lake/row.h"
#include "cli/report/recommend/recommend_plot.h"
#include "cli/report/recommend/recommend_table.h"
#include "cli/terminal/clock_time.h"
#include "cli/terminal/lines.h"
#include "cli/terminal/print.h"

/* `tracer recommend`: which machines to rent for what was measured. */

struct recommend_settings {
	struct common common;
	char *pipeline, *by, *providers, *types, *families, *arch, *regions, *purchase, *machine;
	uint64_t within_ns, days, headroom, limit;
	double below;
	bool fleet, burstable, bare_metal;
};

#define AT(member) offsetof(struct recommend_settings, member)

static const struct config_option options[] = {
	COMMON_OPTIONS(struct recommend_settings),
	{ "pipeline", CONFIG_TEXT, AT(pipeline), "", 0, 0,
	  "for a usual run of this pipeline instead of RUN" },
	{ "fleet", CONFIG_BOOL, AT(fleet), "false", 0, 0,
	  "for all tasks of the last days instead of RUN" },
	{ "days", CONFIG_U64, AT(days), "7", 1, 3650, "how far back --fleet looks" },
	{ "by", CONFIG_TEXT, AT(by), "", 0, 0,
	  "the cheapest that still ends by then: 8:00, or 2026-11-30T08:00" },
	{ "within", CONFIG_DURATION, AT(within_ns), "0s", 0, 0,
	  "the cheapest that still ends within such a time: 5h" },
	{ "below", CONFIG_DOUBLE, AT(below), "0", 0, 1e9,
	  "the fastest that costs less than so many USD" },
	{ "types", CONFIG_TEXT, AT(types), "", 0, 0,
	  "only these types: c7i.2xlarge or m6*; several with commas, as below" },
	{ "families", CONFIG_TEXT, AT(families), "", 0, 0, "only these families: c7i,m7i" },
	{ "arch", CONFIG_TEXT, AT(arch), "", 0, 0, "x86_64, arm64 or any (default: as measured)" },
	{ "providers", CONFIG_TEXT, AT(providers), "", 0, 0, "aws, gcp (default: as measured)" },
	{ "regions", CONFIG_TEXT, AT(regions), "", 0, 0,
	  "only these regions: us-*,eu-west-1 (default: as measured)" },
	{ "purchase", CONFIG_TEXT, AT(purchase), "", 0, 0, "on_demand or spot (default: both)" },
	{ "machine", CONFIG_TEXT, AT(machine), "", 0, 0,
	  "a machine of your own: cpus=2,memory=8G,usd_hour=0.1; several with ';'" },
	{ "burstable", CONFIG_BOOL, AT(burstable), "false", 0, 0, "burstable types, too" },
	{ "bare-metal", CONFIG_BOOL, AT(bare_metal), "false", 0, 0, "bare metal, too" },
	{ "headroom", CONFIG_U64, AT(headroom), "10", 0, 90,
	  "per cent of the memory that stay free" },
	{ "limit", CONFIG_U64, AT(limit), "30", 1, 1000, "candidates at most" },
};

static void add(struct buffer *path, const char *name, const char *value)
{
	if (!*value)
		return;
	buffer_printf(path, "&%s=", name);
	client_escape(path, value);
}

static void add_number(struct buffer *path, const char *name, double value)
{
	if (value > 0)
		buffer_printf(path, "&%s=%.9g", name, value);
}

static void make_path(const struct recommend_settings *settings, const char *run, int64_t by,
		      struct buffer *path)
{
	char text[CLOCK_TIME_SIZE];

	buffer_printf(path, "/recommend?limit=%llu&headroom=%llu&days=%llu",
		      (unsigned long long)settings->limit, (unsigned long long)settings->headroom,
		      (unsigned long long)settings->days);
	add(path, "run", *settings->pipeline || settings->fleet ? "" : run);
	add(path, "pipeline", settings->pipeline);
	add(path, "by", by ? clock_time_text(by, text) : "");
	add(path, "providers", settings->providers);
	add(path, "types", settings->types);
	add(path, "families", settings->families);
	add(path, "arch", settings->arch);
	add(path, "regions", settings->regions);
	add(path, "purchase", settings->purchase);
	add(path, "machine", settings->machine);
	add(path, "burstable", settings->burstable ? "true" : "");
	add(path, "bare_metal", settings->bare_metal ? "true" : "");
	add_number(path, "within", (double)settings->within_ns / (double)NS_PER_S);
	add_number(path, "below", settings->below);
}

static void print_assumptions(const json_t *document)
{
	struct lines lines CLEANUP(lines_clear) = { 0 };
	const json_t *row;
	size_t i;

	puts("\nAssumed:");
	json_array_foreach(json_object_get(document, "assumptions"), i, row)
		lines_wrap(&lines, "  - ", "    ", row_text(row, "text"), print_width(stdout));
	lines_print(stdout, &lines);
}

static bool has_choice(const json_t *document, const char *choice)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(document, "candidates"), i,
			   row) if (strstr(row_text(row, "choices"), choice)) return true;
	return false;
}

/* What was asked for and is not possible. */
static void print_missing(const struct recommend_settings *settings, const json_t *document)
{
	if ((*settings->by || settings->within_ns) && !has_choice(document, "cheapest_in_time"))
		puts("No machine most likely ends in time.");
	if (settings->below > 0 && !has_choice(document, "fastest_below"))
		puts("No machine most likely costs less than that.");
}

/* Returns the exit code. */
static int print_answer(const struct recommend_settings *settings, const json_t *document)
{
	const char *refused = json_string_value(json_object_get(document, "refused"));

	if (refused) {
		fputs("Not known. ", stdout);
		print_text(stdout, refused);
		putchar('\n');
		return EXIT_NOTHING;
	}
	if (!json_array_size(json_object_get(document, "candidates"))) {
		puts("No machine that may be used has room for it.");
		print_assumptions(document);
		return EXIT_NOTHING;
	}
	if (recommend_table_print(stdout, document))
		return EXIT_FAILED;
	putchar('\n');
	recommend_plot_print(stdout, document);
	print_missing(settings, document);
	recommend_notes_print(stdout, document);
	print_assumptions(document);
	return EXIT_DONE;
}

static const char *fault_of(const struct recommend_settings *settings, int argc, int64_t *ret_by)
{
	*ret_by = 0;
	if (*settings->by && clock_time_parse(settings->by, clock_real_ns(), ret_by))
		return "--by takes a time such as 8:00 or 2026-11-30T08:00";
	if ((argc > 0) + (*settings->pipeline != '\0') + settings->fleet > 1)
		return "takes a RUN, --pipeline or --fleet: one of them";
	return NULL;
}

static int run_recommend(void *settings_, int argc, char **argv)
{
	const struct recommend_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	int64_t by;
	const char *fault = fault_of(settings, argc, &by);
	const char *run = fault ? NULL : command_argument_run("recommend", argc, argv);
	int status;

	if (fault)
		return command_usage("recommend", fault);
	if (!run)
		return EXIT_USAGE;
	buffer_init(&path, 8192);
	make_path(settings, run, by, &path);
	status = client_get(&settings->common, path.data, &document, &err);
	if (status < 0)
		return client_failed("recommend", status, &err);
	if (!settings->common.json)
		return print_answer(settings, document);
	print_json(document);
	return json_array_size(json_object_get(document, "candidates")) ? EXIT_DONE : EXIT_NOTHING;
}

extern const struct command cli_recommend;
const struct command cli_recommend = {
	.name = "recommend",
	.arguments = "[RUN]",
	.summary = "say which machines to rent: cost and wall time, by replay",
	OPTIONS(options),
	.settings_size = sizeof(struct recommend_settings),
	.run = run_recommend,
};
