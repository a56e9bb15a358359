/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture_history.h"

#define DAY_S 86400

/* A run of ada's pipeline began a day, two, three and four days ago, and one runs. Which of them
 * are in this month depends on the day of the test. */
static const char POLICY[] = "machines:\n"
			     "  - {hosts: node-1, usd_year: 3504}\n"
			     "cost_centres:\n"
			     "  - {name: lab, user: ada}\n"
			     "budgets:\n"
			     "  - {name: tiny, pipeline: 'var*', usd_month: 0.000001}\n"
			     "  - {name: close, user: ada, usd_month: 0.2}\n"
			     "  - {name: large, cost_centre: lab, usd_month: 1000}\n"
			     "  - {name: other, label: 'project:x', usd_month: 5}\n";

static struct lake lake;

static int start(void **state)
{
	static const struct history_run runs[] = {
		{ "r4", 4 * DAY_S, 1, "1", 0 }, { "r3", 3 * DAY_S, 1, "1", 0 },
		{ "r2", 2 * DAY_S, 1, "1", 0 }, { "r1", 1 * DAY_S, 1, "1", 0 },
		{ "r0", 300, 1, "1", 1 },
	};
	char path[128];
	FILE *file;

	lake_make(&lake);
	snprintf(path, sizeof(path), "%s/cost.yaml", lake.folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(POLICY, file);
	assert_int_equal(fclose(file), 0);
	lake_start(&lake, (const char *[]){ "--cost-file", path, NULL });
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		history_post(&lake, &runs[i], i + 1);
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static const json_t *budget_of(const json_t *document, const char *name)
{
	const json_t *budget;
	size_t i;

	json_array_foreach(json_object_get(document, "budgets"), i, budget)
	{
		if (strcmp(text_of(budget, "name"), name) == 0)
			return budget;
	}
	fail_msg("no budget %s", name);
	return NULL;
}

static void each_budget_has_what_its_runs_cost(void **state)
{
	json_t *document = lake_get(&lake, "/api/v1/budgets", 200);
	const json_t *tiny = budget_of(document, "tiny"), *close = budget_of(document, "close"),
		     *large = budget_of(document, "large"), *other = budget_of(document, "other");

	assert_int_equal(json_array_size(json_object_get(document, "budgets")), 4);
	assert_string_equal(text_of(tiny, "key"), "pipeline");
	assert_string_equal(text_of(tiny, "value"), "var*");
	assert_string_equal(text_of(other, "key"), "label:project");
	assert_int_equal(strlen(text_of(tiny, "month")), 7);
	assert_true(number_of(tiny, "spent_usd") > 0.0001);
	assert_true(number_of(tiny, "spent_usd") == number_of(close, "spent_usd"));
	assert_true(number_of(tiny, "spent_usd") == number_of(large, "spent_usd"));
	assert_true(number_of(other, "spent_usd") == 0);
	assert_true(number_of(other, "forecast_usd") == 0);
	assert_int_equal(json_integer_value(json_object_get(document, "unpriced_hosts")), 0);
	json_decref(document);
}

static void a_forecast_is_made_of_whole_days_after_the_first(void **state)
{
	json_t *document = lake_get(&lake, "/api/v1/budgets", 200);
	const json_t *large = budget_of(document, "large");

	assert_int_equal(json_integer_value(json_object_get(large, "known_days")), 3);
	assert_true(number_of(large, "forecast_low_usd") >= number_of(large, "spent_usd"));
	assert_true(number_of(large, "forecast_usd") >= number_of(large, "forecast_low_usd"));
	assert_true(number_of(large, "forecast_high_usd") >= number_of(large, "forecast_usd"));
	json_decref(document);
}

static void states_are_those_of_the_figures(void **state)
{
	json_t *document = lake_get(&lake, "/api/v1/budgets", 200);
	const json_t *budget;
	size_t i;

	assert_string_equal(text_of(budget_of(document, "tiny"), "state"), "exceeded");
	assert_string_equal(text_of(budget_of(document, "large"), "state"), "ok");
	json_array_foreach(json_object_get(document, "budgets"), i, budget)
	{
		double amount = number_of(budget, "usd_month");
		const char *expected = number_of(budget, "spent_usd") > amount      ? "exceeded"
				       : number_of(budget, "forecast_usd") > amount ? "at_risk"
										    : "ok";

		assert_string_equal(text_of(budget, "state"), expected);
		assert_int_equal(json_is_string(json_object_get(budget, "exceeded_at")),
				 strcmp(expected, "ok") != 0);
	}
	json_decref(document);
}

static size_t findings_of(const json_t *waste, const char *kind)
{
	const json_t *finding;
	size_t i, count = 0;

	json_array_foreach(json_object_get(waste, "findings"), i, finding) count +=
		strcmp(text_of(finding, "kind"), kind) == 0;
	return count;
}

static void sweep_has_a_finding_for_each_that_is_not_kept(void **state)
{
	json_t *document = lake_get(&lake, "/api/v1/budgets", 200),
	       *waste = lake_get(&lake, "/api/v1/waste?days=1", 200);
	const json_t *budget;
	size_t i, exceeded = 0, at_risk = 0;

	json_array_foreach(json_object_get(document, "budgets"), i, budget)
	{
		exceeded += strcmp(text_of(budget, "state"), "exceeded") == 0;
		at_risk += strcmp(text_of(budget, "state"), "at_risk") == 0;
	}
	assert_true(exceeded > 0);
	assert_int_equal(findings_of(waste, "budget_exceeded"), exceeded);
	assert_int_equal(findings_of(waste, "budget_at_risk"), at_risk);
	json_decref(document);
	json_decref(waste);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_budget_has_what_its_runs_cost),
		cmocka_unit_test(a_forecast_is_made_of_whole_days_after_the_first),
		cmocka_unit_test(states_are_those_of_the_figures),
		cmocka_unit_test(sweep_has_a_finding_for_each_that_is_not_kept),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
