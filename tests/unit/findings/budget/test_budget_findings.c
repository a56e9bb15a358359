/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <jansson.h>
#include <string.h>

#include "base/cleanup.h"
#include "findings/finders.h"

#define S     INT64_C(1000000000)
#define DAY   (86400 * S)
#define NOV_1 (INT64_C(1793491200) * S) /* 2026-11-01T00:00:00Z */
#define USD   INT64_C(1000000000)

static void find(enum budget_state state, bool known, int64_t low, struct findings *ret)
{
	struct finding_budget budget = {
		.name = "genomics",
		.key = "label:project",
		.value = "x",
		.nusd_month = 500 * USD,
		.forecast = { .month_since_at = NOV_1,
			      .month_until_at = NOV_1 + 30 * DAY,
			      .spent_nusd = 310 * USD,
			      .known_days = 12,
			      .known = known,
			      .forecast_nusd = known ? 612 * USD : 0,
			      .low_nusd = low,
			      .high_nusd = known ? 700 * USD : 0,
			      .exceeded_at = NOV_1 + 20 * DAY + 5 * S,
			      .state = state },
	};
	struct finding_input input = { .budgets = &budget, .budget_count = 1 };

	assert_int_equal(findings_find(&input, ret), 0);
}

static void a_budget_that_is_kept_has_no_finding(void **state)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };

	find(BUDGET_OK, true, 310 * USD, &findings);
	assert_int_equal(findings.count, 0);
}

static void one_that_will_be_exceeded_is_at_risk(void **state)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };

	find(BUDGET_AT_RISK, true, 450 * USD, &findings);
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.items[0].kind, "budget_at_risk");
	assert_string_equal(findings.items[0].subject, "budget genomics");
	assert_int_equal(findings.items[0].severity, FINDING_WARNING);
	assert_int_equal(findings.items[0].confidence, CONFIDENCE_MEDIUM);
	assert_string_equal(
		findings.items[0].summary,
		"$310.00 of $500.00 is spent in 2026-11. If the days to come are like the last 12, "
		"it will be $612.00 at the end of the month ($450.00 to $700.00), and more than "
		"the budget on 2026-11-21.");
}

static void where_the_whole_interval_is_above_it_is_sure(void **state)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };

	find(BUDGET_AT_RISK, true, 500 * USD + 1, &findings);
	assert_int_equal(findings.items[0].confidence, CONFIDENCE_HIGH);
}

static void one_that_is_exceeded_says_since_when(void **state)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };

	find(BUDGET_EXCEEDED, true, 600 * USD, &findings);
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.items[0].kind, "budget_exceeded");
	assert_non_null(strstr(findings.items[0].summary, "since 2026-11-21."));
	assert_non_null(strstr(findings.items[0].summary, "it will be $612.00"));
}

static void what_is_not_known_is_null_in_the_evidence(void **state)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };
	json_t *evidence;

	find(BUDGET_EXCEEDED, false, 0, &findings);
	assert_null(strstr(findings.items[0].summary, "it will be"));
	evidence = json_loads(findings.items[0].evidence, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(evidence, "budget")), "genomics");
	assert_string_equal(json_string_value(json_object_get(evidence, "key")), "label:project");
	assert_string_equal(json_string_value(json_object_get(evidence, "month")), "2026-11");
	assert_true(json_number_value(json_object_get(evidence, "usd_month")) == 500);
	assert_true(json_number_value(json_object_get(evidence, "spent_usd")) == 310);
	assert_true(json_is_null(json_object_get(evidence, "forecast_usd")));
	assert_true(json_is_null(json_object_get(evidence, "forecast_low_usd")));
	assert_string_equal(json_string_value(json_object_get(evidence, "exceeded_at")),
			    "2026-11-21T00:00:05.000000Z");
	json_decref(evidence);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_budget_that_is_kept_has_no_finding),
		cmocka_unit_test(one_that_will_be_exceeded_is_at_risk),
		cmocka_unit_test(where_the_whole_interval_is_above_it_is_sure),
		cmocka_unit_test(one_that_is_exceeded_says_since_when),
		cmocka_unit_test(what_is_not_known_is_null_in_the_evidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
