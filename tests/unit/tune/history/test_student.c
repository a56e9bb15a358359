/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fixture_steps.h"
#include "tune/history/student.h"

/* Of printed tables: the probability above, degrees of freedom, t. */
static const struct {
	double above, freedom, t;
} rows[] = {
	{ 0.1, 1, 3.078 },   { 0.025, 1, 12.706 },  { 0.05, 3, 2.353 },
	{ 0.001, 5, 5.893 }, { 0.0005, 10, 4.587 }, { 0.001, 120, 3.160 },
};

static void tails_are_those_of_printed_tables(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_near(student_exceeded(rows[i].above, rows[i].freedom), rows[i].t, 0.001);
		assert_near(student_above(rows[i].t, rows[i].freedom), rows[i].above,
			    rows[i].above * 0.01);
	}
}

static void both_sides_add_up(void **state)
{
	assert_near(student_above(0, 4), 0.5, 1e-12);
	assert_near(student_above(-1.3, 7) + student_above(1.3, 7), 1, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tails_are_those_of_printed_tables),
		cmocka_unit_test(both_sides_add_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
