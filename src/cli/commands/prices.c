/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/lake/client.h"
#include "cli/lake/row.h"
#include "cli/local/price_list.h"
#include "cli/terminal/print.h"

/* `tracer prices`: what hosts cost an hour and why; reads price files; corrects a price. */

#define LIST_LIMIT (16u << 20) /* that the lake takes */

struct prices_settings {
	struct common common;
	char *from, *since;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct prices_settings),
	{ "from", CONFIG_TEXT, offsetof(struct prices_settings, from), "", 0, 0,
	  "update: a price file of AWS or Google, or CSV; -: standard input" },
	{ "since", CONFIG_TEXT, offsetof(struct prices_settings, since), "", 0, 0,
	  "set: from this day or time (UTC) on, or always; default: now" },
};

static const struct column columns[] = {
	{ "host", "HOST", FORMAT_TEXT, 32 },        { "instance_type", "TYPE", FORMAT_TEXT, 20 },
	{ "region", "REGION", FORMAT_TEXT, 20 },    { "purchase", "PURCHASE", FORMAT_TEXT, 0 },
	{ "usd_hour", "AN HOUR", FORMAT_USD, 0 },   { "since_at", "SINCE", FORMAT_TIME, 0 },
	{ "source", "SOURCE", FORMAT_SENTENCE, 0 },
};

static const struct column list_columns[] = {
	{ "provider", "PROVIDER", FORMAT_TEXT, 0 }, { "list", "PRICE FILE", FORMAT_TEXT, 48 },
	{ "prices", "PRICES", FORMAT_COUNT, 0 },    { "regions", "REGIONS", FORMAT_COUNT, 0 },
	{ "imported_at", "READ", FORMAT_TIME, 0 },
};

static void print_catalogue(const json_t *document)
{
	const json_t *list;
	size_t i;

	json_array_foreach(json_object_get(document, "catalogue"), i, list) printf(
		"catalogue of %s: list of %s, spot of %s (%s)\n", row_text(list, "provider"),
		row_text(list, "date"), row_text(list, "spot_date"), row_text(list, "source"));
}

static int show(const struct prices_settings *settings)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	const json_t *lists;
	struct error err = { 0 };
	int status = client_get(&settings->common, "/prices", &document, &err);

	if (status < 0)
		return client_failed("prices", status, &err);
	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	print_table(stdout, json_object_get(document, "hosts"), columns,
		    sizeof(columns) / sizeof(*columns));
	putchar('\n');
	lists = json_object_get(document, "lists");
	if (json_array_size(lists)) {
		print_table(stdout, lists, list_columns,
			    sizeof(list_columns) / sizeof(*list_columns));
		putchar('\n');
	}
	print_catalogue(document);
	return EXIT_DONE;
}

static void print_left_out(const json_t *answer)
{
	static const struct {
		const char *key, *words;
	} kinds[] = {
		{ "unknown_types", "of types that this version's catalogue does not have" },
		{ "unknown_regions", "of regions that this version's catalogue does not have" },
		{ "without_region", "left out: without a region" },
		{ "without_type", "left out: without a type, or of one that is not known" },
		{ "other_currency", "left out: not in US dollars" },
		{ "no_price", "left out: free, or without a price of an hour" },
		{ "other_products", "left out: other products" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		json_int_t count = json_integer_value(json_object_get(answer, kinds[i].key));

		if (count)
			printf("  %lld %s\n", (long long)count, kinds[i].words);
	}
}

/* What the file's own counts say: the lake got the prices alone. */
static void add_counts(json_t *answer, const struct price_summary *summary)
{
	json_object_set_new(answer, "without_region",
			    json_integer((json_int_t)summary->without_region));
	json_object_set_new(answer, "without_type",
			    json_integer((json_int_t)summary->without_type));
	json_object_set_new(answer, "other_currency",
			    json_integer((json_int_t)summary->other_currency));
	json_object_set_new(answer, "no_price", json_integer((json_int_t)summary->no_price));
	json_object_set_new(answer, "other_products",
			    json_integer((json_int_t)summary->other_products));
}

static void name_list(struct buffer *path, const struct prices_settings *settings,
		      const struct price_summary *summary)
{
	struct buffer name CLEANUP(buffer_clear) = { 0 };

	buffer_init(&name, 128);
	if (*summary->date)
		buffer_printf(&name, "price list of %s", summary->date);
	else
		buffer_printf(&name, "prices of %.80s", text_basename(settings->from));
	buffer_append_text(path, "/prices?list=");
	client_escape(path, name.data);
	if (*summary->date) {
		buffer_append_text(path, "&date=");
		client_escape(path, summary->date);
	}
}

static int update(const struct prices_settings *settings)
{
	struct buffer csv CLEANUP(buffer_clear) = { 0 }, path CLEANUP(buffer_clear) = { 0 };
	json_t *answer CLEANUP(json_decrefp) = NULL;
	struct price_summary summary = { .prices = 0 };
	struct error err = { 0 };
	int rc;

	if (!*settings->from)
		return command_usage("prices",
				     "update needs --from FILE, a price file of a provider");
	buffer_init(&csv, LIST_LIMIT);
	rc = price_list_read(settings->from, &csv, &summary, &err);
	if (rc < 0)
		return command_failed("prices", &err);
	buffer_init(&path, 4096);
	name_list(&path, settings, &summary);
	rc = client_post_csv(&settings->common, path.data, csv.data, csv.len, &answer, &err);
	if (rc < 0)
		return client_failed("prices", rc, &err);
	add_counts(answer, &summary);
	if (settings->common.json) {
		print_json(answer);
		return EXIT_DONE;
	}
	printf("%lld prices hold from now on; %lld hosts have another price\n",
	       json_integer_value(json_object_get(answer, "prices")),
	       json_integer_value(json_object_get(answer, "hosts")));
	print_left_out(answer);
	return EXIT_DONE;
}

static int set(const struct prices_settings *settings, int argc, char **argv)
{
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	json_t *answer CLEANUP(json_decrefp) = NULL;
	struct error err = { 0 };
	int rc;

	if (argc != 2)
		return command_usage("prices", "set takes HOST and USD_HOUR");
	buffer_init(&path, 4096);
	buffer_append_text(&path, "/prices/host?host=");
	client_escape(&path, argv[0]);
	buffer_append_text(&path, "&usd_hour=");
	client_escape(&path, argv[1]);
	if (*settings->since) {
		buffer_append_text(&path, "&since=");
		client_escape(&path, settings->since);
	}
	rc = client_post(&settings->common, path.data, &answer, &err);
	if (rc < 0)
		return client_failed("prices", rc, &err);
	if (settings->common.json) {
		print_json(answer);
		return EXIT_DONE;
	}
	print_text(stdout, argv[0]);
	printf(" costs %g USD an hour %s%s\n",
	       json_number_value(json_object_get(answer, "usd_hour")),
	       *settings->since ? "since " : "from now on", settings->since);
	return EXIT_DONE;
}

static int run_prices(void *settings_, int argc, char **argv)
{
	const struct prices_settings *settings = settings_;

	if (argc == 0)
		return show(settings);
	if (argc == 1 && strcmp(argv[0], "update") == 0)
		return update(settings);
	if (strcmp(argv[0], "set") == 0)
		return set(settings, argc - 1, argv + 1);
	return command_usage("prices", "it takes `update --from FILE` or `set HOST USD_HOUR`");
}

extern const struct command cli_prices;
const struct command cli_prices = {
	.name = "prices",
	.arguments = "[update --from FILE | set HOST USD_HOUR]",
	.summary = "show what hosts cost an hour and why; read price files",
	OPTIONS(options),
	.settings_size = sizeof(struct prices_settings),
	.run = run_prices,
};
