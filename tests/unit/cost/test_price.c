/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "cost/price.h"
#include "signal/bounds.h"

#define HOUR (3600 * NS_PER_S)

static void a_price_times_a_time_is_exact_to_the_nano_dollar(void **state)
{
	assert_int_equal(cost_nusd(0.40, 600 * NS_PER_S), 66666667);
	assert_int_equal(cost_nusd(0.096, HOUR), 96000000);
	assert_int_equal(cost_nusd(1e4, 10 * 366 * 24 * HOUR), 878400000000000000);
	assert_int_equal(cost_nusd(0, HOUR), 0);
	assert_int_equal(cost_nusd(-1, HOUR), 0);
}

static void a_part_is_rounded_to_the_nearest(void **state)
{
	assert_int_equal(cost_part(10, 1, 3), 3);
	assert_int_equal(cost_part(10, 2, 3), 7);
	assert_int_equal(cost_part(10, 0, 3), 0);
	assert_int_equal(cost_part(10, 3, 3), 10);
}

static struct cost_price price_of(double configured_usd_hour)
{
	return cost_price(&(struct cost_machine){ .configured_usd_hour = configured_usd_hour },
			  NULL);
}

static void a_price_is_known_within_its_bounds_alone(void **state)
{
	assert_true(price_of(0.40).usd_hour == 0.40);
	assert_string_equal(price_of(0.40).source, "configured");
	assert_false(cost_is_known(price_of(0).usd_hour));
	assert_false(cost_is_known(price_of(2 * BOUND_PRICE_USD_HOUR).usd_hour));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_price_times_a_time_is_exact_to_the_nano_dollar),
		cmocka_unit_test(a_part_is_rounded_to_the_nearest),
		cmocka_unit_test(a_price_is_known_within_its_bounds_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
