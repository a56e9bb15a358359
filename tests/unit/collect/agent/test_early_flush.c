/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/agent/early_flush.h"

#define INTERVAL_NS ((uint64_t)NS_PER_S)
#define BEGAN       (100 * INTERVAL_NS)

static void the_first_exec_after_a_while_is_sent_early(void **state)
{
	struct early_flush early = { 0 };

	assert_false(early_flush_is_due(&early, 0, BEGAN, INTERVAL_NS));
	assert_true(early_flush_is_due(&early, 1, BEGAN, INTERVAL_NS));
	early_flush_sent(&early, 1, BEGAN);
	assert_false(early_flush_is_due(&early, 1, 2 * BEGAN, INTERVAL_NS));
	assert_true(early_flush_is_due(&early, 2, BEGAN + INTERVAL_NS, INTERVAL_NS));
}

static void execs_that_follow_each_other_wait_for_the_interval(void **state)
{
	struct early_flush early = { 0 };
	uint64_t now_ns = BEGAN;

	early_flush_sent(&early, 1, now_ns);
	for (uint64_t images = 2; images < 100; images++) {
		assert_false(
			early_flush_is_due(&early, images, now_ns + INTERVAL_NS - 1, INTERVAL_NS));
		now_ns += INTERVAL_NS;
		early_flush_sent(&early, images, now_ns);
	}
}

static void a_flush_without_an_exec_does_not_put_off_the_next(void **state)
{
	struct early_flush early = { 0 };

	early_flush_sent(&early, 1, BEGAN);
	early_flush_sent(&early, 1, BEGAN + INTERVAL_NS);
	assert_true(early_flush_is_due(&early, 2, BEGAN + INTERVAL_NS, INTERVAL_NS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_exec_after_a_while_is_sent_early),
		cmocka_unit_test(execs_that_follow_each_other_wait_for_the_interval),
		cmocka_unit_test(a_flush_without_an_exec_does_not_put_off_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
