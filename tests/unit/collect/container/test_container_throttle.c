/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "collect/container/container_throttle.h"

/* Intervals of one container, one after the other: which of them begin a time of throttling. */
static void test_begins_once(void **state)
{
	static const struct {
		uint64_t periods, throttled;
		bool begins;
	} intervals[] = {
		{ 10, 2, false },  /* a fifth of its periods */
		{ 10, 4, false },  /* too few periods */
		{ 10, 5, true },   /* half of them */
		{ 10, 10, false }, /* it still is */
		{ 40, 5, false },  /* an eighth: as much as keeps it so */
		{ 10, 10, false }, /* so this is no beginning */
		{ 41, 5, false },  /* less than an eighth */
		{ 10, 10, true },  /* a new beginning */
		{ 0, 0, false },   /* it wanted nothing: over */
		{ 10, 10, true },
	};
	bool throttled = false;

	(void)state;
	for (size_t i = 0; i < sizeof(intervals) / sizeof(intervals[0]); i++)
		assert_int_equal(container_throttle_begins(&throttled, intervals[i].periods,
							   intervals[i].throttled),
				 intervals[i].begins);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begins_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
