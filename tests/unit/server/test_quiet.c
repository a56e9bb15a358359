/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/quiet.h"

#define BUSY_NS (QUIET_USE_NS + 1)

/* So many seconds, in each of which the process uses so much; how often memory is given back. */
static unsigned look(struct quiet *quiet, unsigned seconds, uint64_t use_ns)
{
	unsigned times = 0;

	for (unsigned i = 0; i < seconds; i++) {
		uint64_t used_ns = quiet->used_ns + use_ns;

		if (!quiet_look(quiet, used_ns))
			continue;
		quiet->released_ns = used_ns;
		times++;
	}
	return times;
}

static void memory_is_given_back_once_after_work(void **state)
{
	struct quiet quiet = { 0 };

	assert_int_equal(look(&quiet, 60, QUIET_WORK_NS), 0);
	assert_int_equal(look(&quiet, QUIET_S - 1, 0), 0);
	assert_int_equal(look(&quiet, 1, 0), 1);
	assert_int_equal(look(&quiet, 1000, 0), 0);
}

static void a_busy_second_begins_the_wait_again(void **state)
{
	struct quiet quiet = { 0 };

	assert_int_equal(look(&quiet, 60, QUIET_WORK_NS), 0);
	assert_int_equal(look(&quiet, QUIET_S - 1, 0), 0);
	assert_int_equal(look(&quiet, 1, BUSY_NS), 0);
	assert_int_equal(look(&quiet, QUIET_S - 1, 0), 0);
	assert_int_equal(look(&quiet, 1, 0), 1);
}

static void little_work_adds_up(void **state)
{
	unsigned seconds = (unsigned)(QUIET_WORK_NS / QUIET_USE_NS);
	struct quiet quiet = { 0 };

	assert_int_equal(look(&quiet, seconds - 1, QUIET_USE_NS), 0);
	assert_int_equal(look(&quiet, 1, QUIET_USE_NS), 1);
	assert_int_equal(look(&quiet, seconds - 1, QUIET_USE_NS), 0);
	assert_int_equal(look(&quiet, 1, QUIET_USE_NS), 1);
}

static void what_costs_much_is_done_seldom(void **state)
{
	struct quiet quiet = { .cost_ns = QUIET_WORK_NS };

	assert_int_equal(look(&quiet, QUIET_COST - 1, QUIET_WORK_NS), 0);
	assert_int_equal(look(&quiet, 1000, 0), 0);
	assert_int_equal(look(&quiet, 1, QUIET_WORK_NS), 0);
	assert_int_equal(look(&quiet, QUIET_S, 0), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_given_back_once_after_work),
		cmocka_unit_test(a_busy_second_begins_the_wait_again),
		cmocka_unit_test(little_work_adds_up),
		cmocka_unit_test(what_costs_much_is_done_seldom),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
