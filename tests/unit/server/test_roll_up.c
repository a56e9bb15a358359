/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/roll_up.h"

/* In how many of so many seconds after `from` it is due, where so many records come in each. */
static unsigned count(struct roll_up *roll_up, uint64_t from, unsigned seconds, uint64_t a_second)
{
	unsigned due = 0;

	for (uint64_t i = 1; i <= seconds; i++) {
		uint64_t records = i * a_second;

		if (!roll_up_is_due(roll_up, from + i, a_second ? i : 0, records))
			continue;
		*roll_up = (struct roll_up){ true, false, a_second ? i : 0, records, 0 };
		due++;
	}
	return due;
}

static void what_an_earlier_start_left_is_due_in_the_first_minute(void **state)
{
	struct roll_up roll_up = { 0 };

	assert_int_equal(count(&roll_up, 0, 59, 0), 0);
	assert_int_equal(count(&roll_up, 59, 1, 0), 1);
	assert_int_equal(count(&roll_up, 60, 1000, 0), 0);
}

static void some_records_are_due_once_a_minute(void **state)
{
	struct roll_up roll_up = { .ever = true };

	assert_int_equal(count(&roll_up, 0, 600, ROLL_UP_FEW / 60 + 1), 10);
}

static void many_records_do_not_wait_for_the_minute(void **state)
{
	struct roll_up roll_up = { .ever = true };

	assert_int_equal(count(&roll_up, 0, 50, ROLL_UP_MANY / 5), 10);
	roll_up = (struct roll_up){ .ever = true };
	assert_int_equal(count(&roll_up, 0, 1, ROLL_UP_MANY - 1), 0);
}

static void few_records_wait_for_an_hour(void **state)
{
	struct roll_up roll_up = { .ever = true };
	unsigned due = 0;

	for (uint64_t second = 1; second <= (uint64_t)ROLL_UP_FEW_WAIT * ROLL_UP_MINUTE_S; second++)
		due += roll_up_is_due(&roll_up, second, 1, 1);
	assert_int_equal(due, 1);
}

static void what_was_not_done_goes_on_in_the_next_second(void **state)
{
	struct roll_up roll_up = { .ever = true, .more = true };

	assert_true(roll_up_is_due(&roll_up, 1, 0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_an_earlier_start_left_is_due_in_the_first_minute),
		cmocka_unit_test(some_records_are_due_once_a_minute),
		cmocka_unit_test(many_records_do_not_wait_for_the_minute),
		cmocka_unit_test(few_records_wait_for_an_hour),
		cmocka_unit_test(what_was_not_done_goes_on_in_the_next_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
