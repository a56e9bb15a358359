/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/terminal/print.h"

/* `tracer budgets`: what is spent of each budget of this month, and what will be. */

struct budgets_settings {
	struct common common;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct budgets_settings),
};

static const struct column columns[] = {
	{ "name", "BUDGET", FORMAT_TEXT, 24 },
	{ "key", "OF", FORMAT_TEXT, 24 },
	{ "value", "", FORMAT_TEXT, 24 },
	{ "state", "STATE", FORMAT_TEXT, 0 },
	{ "usd_month", "A MONTH", FORMAT_USD, 0 },
	{ "spent_usd", "SPENT", FORMAT_USD, 0 },
	{ "forecast_usd", "FORECAST", FORMAT_USD, 0 },
	{ "forecast_low_usd", "FROM", FORMAT_USD, 0 },
	{ "forecast_high_usd", "TO", FORMAT_USD, 0 },
	{ "exceeded_at", "EXCEEDED", FORMAT_FIGURE, 0 },
};

/* When a budget is exceeded is known to the day (UTC). */
static void keep_days(json_t *budgets)
{
	json_t *budget;
	size_t i;

	json_array_foreach(budgets, i, budget)
	{
		const char *at = json_string_value(json_object_get(budget, "exceeded_at"));

		if (at)
			json_object_set_new(budget, "exceeded_at",
					    json_stringn(at, strcspn(at, "T")));
	}
}

static int run_budgets(void *settings_, int argc, char **argv)
{
	const struct budgets_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct error err = { 0 };
	int status;

	if (argc > 0)
		return command_usage("budgets", "too many arguments");
	status = client_get(&settings->common, "/budgets", &document, &err);
	if (status < 0)
		return client_failed("budgets", status, &err);
	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	if (json_array_size(json_object_get(document, "budgets")) == 0) {
		fputs("No budgets: write them into the lake's settings of costs, /etc/tracer/cost.yaml.\n",
		      stderr);
		return EXIT_NOTHING;
	}
	keep_days(json_object_get(document, "budgets"));
	print_table(stdout, json_object_get(document, "budgets"), columns,
		    sizeof(columns) / sizeof(*columns));
	return EXIT_DONE;
}

extern const struct command cli_budgets;
const struct command cli_budgets = {
	.name = "budgets",
	.arguments = "",
	.summary = "show what is spent of each budget of this month, and what will be",
	OPTIONS(options),
	.settings_size = sizeof(struct budgets_settings),
	.run = run_budgets,
};
