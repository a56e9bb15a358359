/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "server/access/token_limit.h"

#define NOW (1000 * (uint64_t)NS_PER_S)

static const struct token_limits LIMITS = { .batches_per_s = 10,
					    .bytes_per_s = 1000,
					    .requests_at_once = 2 };

static unsigned take(struct token_meter *meter, uint64_t now_ns, size_t bytes)
{
	unsigned wait_s = 0;

	return token_meter_take(meter, &LIMITS, now_ns, bytes, &wait_s) ? 0 : wait_s;
}

static void a_burst_is_taken_and_then_what_comes_back_in_time(void **state)
{
	struct token_meter meter = { 0 };

	for (int i = 0; i < 10 * TOKEN_BURST_S; i++)
		assert_int_equal(take(&meter, NOW, 1), 0);
	assert_int_equal(take(&meter, NOW, 1), 1);
	assert_int_equal(take(&meter, NOW + NS_PER_S, 1), 0);
	for (int i = 0; i < 9; i++)
		assert_int_equal(take(&meter, NOW + NS_PER_S, 1), 0);
	assert_int_equal(take(&meter, NOW + NS_PER_S, 1), 1);
}

static void bytes_are_limited_too_and_the_wait_is_what_they_need(void **state)
{
	struct token_meter meter = { 0 };

	assert_int_equal(take(&meter, NOW, 1000 * TOKEN_BURST_S), 0);
	assert_int_equal(take(&meter, NOW, 2500), 3);
	assert_int_equal(take(&meter, NOW + 3 * NS_PER_S, 2500), 0);
}

static void a_batch_larger_than_the_burst_waits_for_a_full_bucket_and_not_for_ever(void **state)
{
	struct token_meter meter = { 0 };

	assert_int_equal(take(&meter, NOW, 1), 0);
	assert_true(take(&meter, NOW, 1000000) > 0);
	assert_int_equal(take(&meter, NOW + TOKEN_BURST_S * NS_PER_S, 1000000), 0);
}

static void nothing_is_counted_for_a_batch_that_is_refused(void **state)
{
	struct token_meter meter = { 0 };

	assert_int_equal(take(&meter, NOW, 1000 * TOKEN_BURST_S), 0);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(take(&meter, NOW, 1000), 2);
	assert_int_equal(take(&meter, NOW + NS_PER_S, 1000), 0);
}

static void without_limits_the_defaults_hold(void **state)
{
	const struct token_limits none = { 0 };
	struct token_meter meter = { 0 };
	unsigned wait_s, taken = 0;

	while (token_meter_take(&meter, &none, NOW, 1, &wait_s))
		taken++;
	assert_int_equal(taken, TOKEN_BATCHES_PER_S * TOKEN_BURST_S);
}

static void requests_at_once_are_counted_until_they_end(void **state)
{
	struct token_meter meter = { 0 };

	assert_true(token_meter_enter(&meter, &LIMITS));
	assert_true(token_meter_enter(&meter, &LIMITS));
	assert_false(token_meter_enter(&meter, &LIMITS));
	token_meter_leave(&meter);
	assert_true(token_meter_enter(&meter, &LIMITS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_burst_is_taken_and_then_what_comes_back_in_time),
		cmocka_unit_test(bytes_are_limited_too_and_the_wait_is_what_they_need),
		cmocka_unit_test(
			a_batch_larger_than_the_burst_waits_for_a_full_bucket_and_not_for_ever),
		cmocka_unit_test(nothing_is_counted_for_a_batch_that_is_refused),
		cmocka_unit_test(without_limits_the_defaults_hold),
		cmocka_unit_test(requests_at_once_are_counted_until_they_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
