/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "fixture_steps.h"
#include "tune/history/input_fit.h"

#define POINTS 1000

static struct input_point points[POINTS];

/* Inputs of 1 to 16 GB in runs of ten; a run is slower as a whole, and has larger inputs. */
static void fill(double slope, double noise)
{
	static const double of_task[] = { 0.3, -0.8, 0.5, -0.1, 1, -0.4, 0.7, -1, 0, -0.2, 0.1 };

	for (size_t i = 0; i < POINTS; i++) {
		double of_run = (double)(i / 10 % 3);
		double input = 1e9 * pow(2, (double)(i % 9) / 2) * exp(of_run / 2);
		points[i].run = i / 10;
		points[i].input_log = log(input);
		points[i].figure_log = slope * log(input) + 2 * of_run + noise * of_task[i % 11];
	}
}

static void the_slope_is_found_although_runs_differ(void **state)
{
	struct input_fit fit;

	fill(0.8, 0.1);
	assert_int_equal(input_fit_find(points, POINTS, &fit), 0);
	assert_true(fit.known);
	assert_near(fit.slope, 0.8, 0.05);
	assert_true(input_fit_covers(&fit, log(3e9)));
	assert_false(input_fit_covers(&fit, log(100e9)));
	assert_false(input_fit_covers(&fit, log(0.1e9)));
}

static void inputs_that_explain_nothing_give_no_slope(void **state)
{
	struct input_fit fit;

	fill(0, 0.3);
	assert_int_equal(input_fit_find(points, POINTS, &fit), 0);
	assert_false(fit.known);
	assert_near(input_fit_rest(&fit, &points[3]), points[3].figure_log, 0);
	assert_true(input_fit_covers(&fit, log(100e9)));
}

static void like_inputs_give_no_slope(void **state)
{
	struct input_fit fit;

	fill(1, 0.1);
	for (size_t i = 0; i < POINTS; i++)
		points[i].input_log = log(1e9) + 0.001 * (double)(i % 7);
	assert_int_equal(input_fit_find(points, POINTS, &fit), 0);
	assert_false(fit.known);
}

static void few_tasks_give_no_slope(void **state)
{
	struct input_fit fit;

	fill(1, 0);
	assert_int_equal(input_fit_find(points, 4, &fit), 0);
	assert_false(fit.known);
	assert_int_equal(input_fit_find(points, 0, &fit), 0);
	assert_false(fit.known);
}

static void runs_of_one_task_are_compared_with_each_other(void **state)
{
	struct input_fit fit;

	fill(1, 0.1);
	for (size_t i = 0; i < 30; i++) {
		points[i].figure_log -= 2 * (double)(i / 10 % 3);
		points[i].run = i;
	}
	assert_int_equal(input_fit_find(points, 30, &fit), 0);
	assert_true(fit.known);
	assert_near(fit.slope, 1, 0.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_slope_is_found_although_runs_differ),
		cmocka_unit_test(inputs_that_explain_nothing_give_no_slope),
		cmocka_unit_test(like_inputs_give_no_slope),
		cmocka_unit_test(few_tasks_give_no_slope),
		cmocka_unit_test(runs_of_one_task_are_compared_with_each_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
