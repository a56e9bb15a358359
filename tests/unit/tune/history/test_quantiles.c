/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fixture_steps.h"
#include "tune/history/quantiles.h"

static void quantiles_lie_between_values(void **state)
{
	double values[] = { 4, 1, 3, 2 };

	quantiles_sort(values, 4);
	assert_near(quantile_of(values, 4, 0), 1, 0);
	assert_near(quantile_of(values, 4, 0.25), 1.75, 1e-12);
	assert_near(quantile_of(values, 4, 0.5), 2.5, 1e-12);
	assert_near(quantile_of(values, 4, 1), 4, 0);
}

static void a_box_has_what_a_box_plot_shows(void **state)
{
	double values[] = { 9, 1, 5, 3, 7 };
	struct box box = box_of(values, 5);

	assert_int_equal(box.count, 5);
	assert_near(box.min, 1, 0);
	assert_near(box.q1, 3, 0);
	assert_near(box.median, 5, 0);
	assert_near(box.q3, 7, 0);
	assert_near(box.p95, 8.6, 1e-12);
	assert_near(box.max, 9, 0);
}

static void spread_is_not_moved_by_a_value_far_out(void **state)
{
	double near[] = { 8, 9, 10, 11, 12 }, far[] = { 8, 9, 10, 11, 1e9 };

	assert_near(spread_around(near, 5, 10), 1.4826, 1e-9);
	assert_near(spread_around(far, 5, 10), 1.4826, 1e-9);
}

static void one_value_and_none(void **state)
{
	double one[] = { 3 };

	assert_near(median_of(one, 1), 3, 0);
	assert_near(box_of(one, 1).p95, 3, 0);
	assert_int_equal(box_of(NULL, 0).count, 0);
	assert_near(median_of(NULL, 0), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_lie_between_values),
		cmocka_unit_test(a_box_has_what_a_box_plot_shows),
		cmocka_unit_test(spread_is_not_moved_by_a_value_far_out),
		cmocka_unit_test(one_value_and_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
