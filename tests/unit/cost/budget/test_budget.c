/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cost/budget/budget.h"

#define S     INT64_C(1000000000)
#define DAY   (86400 * S)
#define NOV_1 (INT64_C(1793491200) * S) /* 2026-11-01T00:00:00Z, a Sunday */
#define DEC_1 (NOV_1 + 30 * DAY)
#define USD   INT64_C(1000000000)
#define DAYS  58

/* A history of `count` days before now, each of the same amount. */
static struct budget_forecast forecast_even(int64_t now, size_t count, int64_t nusd, int64_t today,
					    int64_t amount)
{
	int64_t days[DAYS];
	struct budget_spending spending = { now, days, count, count, today };
	struct budget_forecast forecast;

	for (size_t i = 0; i < count; i++)
		days[i] = nusd;
	budget_forecast(&spending, amount, &forecast);
	return forecast;
}

static void what_was_spent_is_of_this_month_alone(void **state)
{
	/* Noon of the 11th: 28 whole days are known, ten of them in this month. */
	struct budget_forecast f =
		forecast_even(NOV_1 + 10 * DAY + DAY / 2, 28, USD, USD / 2, 99 * USD);

	assert_int_equal(f.month_since_at, NOV_1);
	assert_int_equal(f.month_until_at, DEC_1);
	assert_int_equal(f.spent_nusd, 10 * USD + USD / 2);
	assert_int_equal(f.known_days, 28);
}

static void days_that_are_alike_give_one_forecast(void **state)
{
	struct budget_forecast f =
		forecast_even(NOV_1 + 10 * DAY + DAY / 2, 28, USD, USD / 2, 99 * USD);

	assert_true(f.known);
	assert_int_equal(f.forecast_nusd, 30 * USD);
	assert_int_equal(f.low_nusd, 30 * USD);
	assert_int_equal(f.high_nusd, 30 * USD);
	assert_int_equal(f.state, BUDGET_OK);
	assert_int_equal(f.exceeded_at, 0);
}

static void when_it_will_be_exceeded_is_within_the_day(void **state)
{
	/* A dollar a day: more than 25.5 is spent after half of the 26th. */
	struct budget_forecast f =
		forecast_even(NOV_1 + 10 * DAY + DAY / 2, 28, USD, USD / 2, 25 * USD + USD / 2);

	assert_int_equal(f.state, BUDGET_AT_RISK);
	assert_int_equal(f.exceeded_at, NOV_1 + 25 * DAY + DAY / 2);
}

static void when_it_was_exceeded_is_within_the_day(void **state)
{
	struct budget_forecast f =
		forecast_even(NOV_1 + 10 * DAY + DAY / 2, 28, USD, USD / 2, 4 * USD + USD / 4);

	assert_int_equal(f.state, BUDGET_EXCEEDED);
	assert_int_equal(f.exceeded_at, NOV_1 + 4 * DAY + DAY / 4);
	f = forecast_even(NOV_1 + 10 * DAY + DAY / 2, 28, USD, USD / 2, 10 * USD + USD / 4);
	assert_int_equal(f.state, BUDGET_EXCEEDED);
	assert_int_equal(f.exceeded_at, NOV_1 + 10 * DAY + DAY / 4);
}

static void all_of_the_amount_is_not_more_than_the_amount(void **state)
{
	struct budget_forecast f = forecast_even(NOV_1 + 10 * DAY, 28, USD, 0, 30 * USD);

	assert_int_equal(f.state, BUDGET_OK);
	f = forecast_even(NOV_1 + 10 * DAY, 28, USD, 0, 30 * USD - 1);
	assert_int_equal(f.state, BUDGET_AT_RISK);
}

static void with_less_than_three_days_nothing_is_forecast(void **state)
{
	struct budget_forecast f = forecast_even(NOV_1 + 2 * DAY + DAY / 2, 2, USD, USD, 2 * USD);

	assert_false(f.known);
	assert_int_equal(f.spent_nusd, 3 * USD);
	assert_int_equal(f.state, BUDGET_EXCEEDED); /* that much is known */
	f = forecast_even(NOV_1 + 2 * DAY + DAY / 2, 2, USD, USD, 4 * USD);
	assert_int_equal(f.state, BUDGET_OK);
	assert_int_equal(f.exceeded_at, 0);
	f = forecast_even(NOV_1, 0, 0, 0, 0);
	assert_false(f.known);
	assert_int_equal(f.spent_nusd, 0);
}

static void days_of_the_month_before_are_known_on_its_first_day(void **state)
{
	struct budget_forecast f = forecast_even(NOV_1, 28, USD, 0, 29 * USD);

	assert_int_equal(f.spent_nusd, 0);
	assert_int_equal(f.forecast_nusd, 30 * USD);
	assert_int_equal(f.state, BUDGET_AT_RISK);
}

/* At weekends nothing runs: after the last working day of the month nothing is to come. */
static void three_weeks_show_the_days_of_the_week(void **state)
{
	int64_t days[DAYS], now = NOV_1 + 28 * DAY; /* Sunday the 29th; the 30th is a Monday */
	struct budget_spending spending = { now, days, 28, 28, 0 };
	struct budget_forecast f;

	for (size_t i = 0; i < 28; i++) /* the 1st, a Sunday, to the 28th, a Saturday */
		days[i] = i % 7 == 0 || i % 7 == 6 ? 0 : 7 * USD;
	budget_forecast(&spending, 1000 * USD, &f);
	assert_int_equal(f.spent_nusd, 140 * USD);
	assert_int_equal(f.forecast_nusd, 147 * USD);
	assert_int_equal(f.low_nusd, 147 * USD);
	spending.day_nusd += 8; /* twenty days: 15 working days of them, by which all are alike */
	spending.day_count = spending.known_days = 20;
	budget_forecast(&spending, 1000 * USD, &f);
	assert_int_equal(f.forecast_nusd - f.spent_nusd, 2 * (15 * 7 * USD / 20));
	assert_true(f.low_nusd < f.forecast_nusd && f.forecast_nusd < f.high_nusd);
}

static void no_more_than_the_newest_days_are_taken(void **state)
{
	int64_t days[DAYS];
	struct budget_spending spending = { NOV_1 + 29 * DAY, days, 29, 29, 0 };
	struct budget_forecast f;

	for (size_t i = 0; i < 29; i++)
		days[i] = i ? USD : 1000 * USD;
	budget_forecast(&spending, 9999 * USD, &f);
	assert_int_equal(f.known_days, BUDGET_DAYS);
	assert_int_equal(f.spent_nusd, 1028 * USD);
	assert_int_equal(f.forecast_nusd, 1029 * USD);
}

/* The lake began in the middle of a day: that one is spent, and is no day like the others. */
static void a_day_that_is_not_all_known_is_spent_and_not_forecast(void **state)
{
	int64_t days[] = { USD / 10, USD, USD, USD };
	struct budget_spending spending = { NOV_1 + 4 * DAY, days, 4, 3, 0 };
	struct budget_forecast f;

	budget_forecast(&spending, 99 * USD, &f);
	assert_int_equal(f.known_days, 3);
	assert_int_equal(f.spent_nusd, 3 * USD + USD / 10);
	assert_int_equal(f.forecast_nusd, 29 * USD + USD / 10);
}

static void all_that_was_spent_may_be_the_amount(void **state)
{
	struct budget_forecast f = forecast_even(DEC_1 - 1, 29, USD, USD, 30 * USD);

	assert_int_equal(f.spent_nusd, 30 * USD);
	assert_int_equal(f.state, BUDGET_OK);
	assert_int_equal(f.exceeded_at, 0);
}

/* One day is left. Its mean is below, or above, what nearly all days cost. */
static void an_interval_contains_its_forecast(void **state)
{
	for (size_t other = 0; other < 2; other++) {
		int64_t days[19];
		struct budget_spending spending = { DEC_1 - DAY, days, 19, 19, 0 };
		struct budget_forecast f;

		for (size_t i = 0; i < 19; i++)
			days[i] = (i == 7) == other ? 19 * USD : 0;
		budget_forecast(&spending, 9999 * USD, &f);
		assert_int_equal(f.forecast_nusd - f.spent_nusd, other ? USD : 18 * USD);
		assert_true(f.low_nusd <= f.forecast_nusd && f.forecast_nusd <= f.high_nusd);
	}
}

/* Three days may all be unlike the others: drawn for the days to come alone they would give an
 * interval of some 17 dollars here. */
static void few_days_make_a_wide_interval(void **state)
{
	int64_t days[3] = { 1 * USD, 2 * USD, 3 * USD };
	struct budget_spending spending = { NOV_1 + 10 * DAY, days, 3, 3, 0 };
	struct budget_forecast f;

	budget_forecast(&spending, 9999 * USD, &f);
	assert_int_equal(f.forecast_nusd, 46 * USD);
	assert_true(f.high_nusd - f.low_nusd > 30 * USD);
}

/* Random histories: what holds for each of them. */
static uint64_t random_state;
static uint64_t random_below(uint64_t limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (random_state >> 33) % limit;
}

static struct budget_spending random_spending(int64_t *days)
{
	struct budget_spending spending = {
		.now = NOV_1 + (int64_t)random_below(90) * DAY + (int64_t)random_below(86400) * S,
		.day_nusd = days,
		.day_count = random_below(DAYS + 1),
		.known_days = random_below(DAYS + 1),
		.today_nusd = (int64_t)random_below(20) * USD,
	};

	for (size_t i = 0; i < spending.day_count; i++)
		days[i] = random_below(3) ? (int64_t)(random_below(1u << 30) * 20) : 0;
	return spending;
}

static void forecasts_are_never_below_what_was_spent(void **state)
{
	random_state = 1;
	for (size_t i = 0; i < 200; i++) {
		int64_t days[DAYS], amount = (int64_t)random_below(600) * USD;
		struct budget_spending spending = random_spending(days);
		struct budget_forecast f;

		budget_forecast(&spending, amount, &f);
		assert_int_equal(f.known, spending.day_count >= BUDGET_DAYS_LEAST &&
						  spending.known_days >= BUDGET_DAYS_LEAST);
		if (f.known) {
			assert_true(f.spent_nusd <= f.low_nusd);
			assert_true(f.low_nusd <= f.forecast_nusd);
			assert_true(f.forecast_nusd <= f.high_nusd);
		}
		assert_int_equal(f.state == BUDGET_EXCEEDED, f.spent_nusd > amount);
		assert_int_equal(f.exceeded_at != 0, f.state != BUDGET_OK);
		if (f.exceeded_at)
			assert_true(f.exceeded_at >= f.month_since_at &&
				    f.exceeded_at <= f.month_until_at);
		if (f.state == BUDGET_AT_RISK)
			assert_true(f.exceeded_at >= spending.now);
		if (f.state == BUDGET_EXCEEDED)
			assert_true(f.exceeded_at <= spending.now);
	}
}

static void more_spent_never_lowers_a_forecast(void **state)
{
	random_state = 2;
	for (size_t i = 0; i < 200; i++) {
		int64_t days[DAYS], amount = (int64_t)random_below(600) * USD;
		struct budget_spending spending = random_spending(days);
		struct budget_forecast less, more;

		budget_forecast(&spending, amount, &less);
		if (spending.day_count)
			days[random_below(spending.day_count)] += (int64_t)random_below(9) * USD;
		spending.today_nusd += (int64_t)random_below(2) * USD;
		budget_forecast(&spending, amount, &more);
		assert_true(less.spent_nusd <= more.spent_nusd);
		assert_true(less.forecast_nusd <= more.forecast_nusd);
		assert_true(less.state <= more.state);
	}
}

static void states_have_names(void **state)
{
	assert_string_equal(budget_state_name(BUDGET_OK), "ok");
	assert_string_equal(budget_state_name(BUDGET_AT_RISK), "at_risk");
	assert_string_equal(budget_state_name(BUDGET_EXCEEDED), "exceeded");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_spent_is_of_this_month_alone),
		cmocka_unit_test(days_that_are_alike_give_one_forecast),
		cmocka_unit_test(when_it_will_be_exceeded_is_within_the_day),
		cmocka_unit_test(when_it_was_exceeded_is_within_the_day),
		cmocka_unit_test(all_of_the_amount_is_not_more_than_the_amount),
		cmocka_unit_test(with_less_than_three_days_nothing_is_forecast),
		cmocka_unit_test(days_of_the_month_before_are_known_on_its_first_day),
		cmocka_unit_test(three_weeks_show_the_days_of_the_week),
		cmocka_unit_test(no_more_than_the_newest_days_are_taken),
		cmocka_unit_test(a_day_that_is_not_all_known_is_spent_and_not_forecast),
		cmocka_unit_test(all_that_was_spent_may_be_the_amount),
		cmocka_unit_test(an_interval_contains_its_forecast),
		cmocka_unit_test(few_days_make_a_wide_interval),
		cmocka_unit_test(forecasts_are_never_below_what_was_spent),
		cmocka_unit_test(more_spent_never_lowers_a_forecast),
		cmocka_unit_test(states_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
