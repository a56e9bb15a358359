/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tune/size/size_margin.h"

#define POINTS_MAX 200

static size_t count;
static struct size_point points[POINTS_MAX];

static struct size_fit fit_of(void)
{
	struct size_fit fit;
	assert_int_equal(size_fit_make(points, count, &fit), 0);
	return fit;
}

static void begin(void)
{
	count = 0;
}

static void add(double input, double need)
{
	assert_true(count < POINTS_MAX);
	points[count++] = (struct size_point){ .input = input, .need = need, .hours = 1 };
}

/* -1, 0, 1 by turns. */
static double turn(size_t i)
{
	return (double)(i * 7 % 3) - 1;
}

static void errors_that_are_equal_for_all_inputs_are_no_part_of_them(void **state)
{
	(void)state;
	begin();
	for (size_t i = 1; i <= 20; i++)
		add((double)i, 100 + 50 * (double)i + 10 * turn(i));
	CLEANUP(size_fit_clear) struct size_fit same = fit_of();
	assert_true(same.linear && !same.relative);
	begin();
	for (size_t i = 1; i <= 20; i++)
		add((double)i, 50 * (double)i * (1 + 0.1 * turn(i)));
	CLEANUP(size_fit_clear) struct size_fit part = fit_of();
	assert_true(part.linear && part.relative);
}

static void a_line_needs_more_than_chance(void **state)
{
	(void)state;
	begin();
	for (size_t i = 0; i < 20; i++)
		add((double)i + 1, 100 + 10 * turn(i));
	CLEANUP(size_fit_clear) struct size_fit fit = fit_of();
	assert_false(fit.linear);
	begin(); /* smaller with a larger input */
	for (size_t i = 0; i < 20; i++)
		add((double)i + 1, 1000 - 40 * (double)i);
	CLEANUP(size_fit_clear) struct size_fit falling = fit_of();
	assert_false(falling.linear);
	assert_true(falling.growth <= 0);
}

static void one_wild_task_does_not_bend_the_line(void **state)
{
	(void)state;
	begin();
	for (size_t i = 1; i <= 30; i++)
		add((double)i, i == 29 ? 9000 : 100 * (double)i);
	CLEANUP(size_fit_clear) struct size_fit fit = fit_of();
	assert_true(fit.linear);
	assert_true(fabs(fit.slope - 100) < 1);
}

static void the_risk_falls_with_the_margin_and_the_tasks(void **state)
{
	(void)state;
	begin();
	for (size_t i = 0; i < 4; i++)
		add(-1, 100 + 5 * turn(i));
	CLEANUP(size_fit_clear) struct size_fit few = fit_of();
	struct size_spread spread = size_spread_make(&few, SIZE_PRIOR_DEFAULT);
	double before = 1;
	for (double margin = -0.5; margin < 1; margin += 0.05) {
		double risk = size_spread_above(&spread, margin);
		assert_true(risk <= before && risk > 0);
		before = risk;
	}
	begin();
	for (size_t i = 0; i < 150; i++)
		add(-1, 100 + 5 * turn(i));
	CLEANUP(size_fit_clear) struct size_fit many = fit_of();
	struct size_spread known = size_spread_make(&many, SIZE_PRIOR_DEFAULT);
	assert_true(size_margin_for(&many, &known, 1, 0.01) <
		    size_margin_for(&few, &spread, 1, 0.01));
	assert_true(size_spread_suffices(&known, 150, 0.01, 0.05));
	assert_false(size_spread_suffices(&spread, 4, 0.01, 0.05));
}

static void other_steps_weigh_as_much_as_they_agree(void **state)
{
	(void)state;
	double alike[3] = { 0.010, 0.011, 0.009 }, apart[3] = { 0.001, 0.03, 0.9 };
	struct size_fit fits[3] = { 0 };
	const struct size_fit *const all[3] = { &fits[0], &fits[1], &fits[2] };
	for (size_t i = 0; i < 3; i++)
		fits[i] = (struct size_fit){ .count = 8, .squares = 7 * alike[i] * alike[i] };
	struct size_prior agreed = size_prior_of(all, 3);
	for (size_t i = 0; i < 3; i++)
		fits[i].squares = 7 * apart[i] * apart[i];
	struct size_prior differs = size_prior_of(all, 3);
	assert_true(agreed.weight > 5 && fabs(agreed.spread - 0.01) < 0.002);
	assert_true(differs.weight < 1);
	assert_true(size_prior_of(all, 2).weight == 1);
}

static void a_shared_risk_falls_on_what_is_expensive(void **state)
{
	(void)state;
	struct size_curve curves[2];
	begin();
	for (size_t i = 0; i < 8; i++)
		add(-1, 100 + 10 * turn(i));
	CLEANUP(size_fit_clear) struct size_fit fit = fit_of();
	struct size_spread spread = size_spread_make(&fit, SIZE_PRIOR_DEFAULT);
	for (size_t i = 0; i < 2; i++) {
		size_curve_make(&curves[i], &fit, &spread, 1.02, SIZE_FACTOR_MAX);
		curves[i].tasks = 8;
		curves[i].gb_h = i == 0 ? 1000 : 0.01;
	}
	const struct size_price price = { .risk = 0.01, .step_risk = 0.05, .retry_gb_h = 1 };
	double risk = size_margins_choose(curves, 2, &price);
	assert_true(risk > 0 && risk <= 0.01);
	assert_true(curves[0].risk[curves[0].chosen] > 0.005);
	assert_true(curves[1].risk[curves[1].chosen] < 0.001);
}

static void what_no_margin_reaches_raises_no_price(void **state)
{
	(void)state;
	struct size_curve curves[2];
	begin();
	for (size_t i = 0; i < 8; i++)
		add(-1, 100 + 30 * turn(i));
	CLEANUP(size_fit_clear) struct size_fit fit = fit_of();
	struct size_spread spread = size_spread_make(&fit, SIZE_PRIOR_DEFAULT);
	size_curve_make(&curves[0], &fit, &spread, 1.02, 1.1); /* up to a request */
	size_curve_make(&curves[1], &fit, &spread, 1.02, SIZE_FACTOR_MAX);
	for (size_t i = 0; i < 2; i++) {
		curves[i].tasks = 8;
		curves[i].gb_h = 100;
	}
	const struct size_price price = { .risk = 0.02, .step_risk = 0.05, .retry_gb_h = 1 };
	double risk = size_margins_choose(curves, 2, &price);
	assert_true(risk > 0.02);
	assert_int_equal(curves[0].chosen, curves[0].count - 1);
	assert_true(curves[1].chosen < curves[1].count - 1);
	assert_true(curves[1].risk[curves[1].chosen] > 0.001);
	assert_true(size_margins_choose(NULL, 0, &price) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_that_are_equal_for_all_inputs_are_no_part_of_them),
		cmocka_unit_test(a_line_needs_more_than_chance),
		cmocka_unit_test(one_wild_task_does_not_bend_the_line),
		cmocka_unit_test(the_risk_falls_with_the_margin_and_the_tasks),
		cmocka_unit_test(other_steps_weigh_as_much_as_they_agree),
		cmocka_unit_test(a_shared_risk_falls_on_what_is_expensive),
		cmocka_unit_test(what_no_margin_reaches_raises_no_price),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
