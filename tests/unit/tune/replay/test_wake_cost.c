/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "base/clock.h"
#include "tune/replay/wake_cost.h"

static const struct wake_cost saved = { .had_several = true }, paid = { .has_several = true };

static void assert_factor(const struct wake_cost *cost, double wakes, double cpu_s, double expected)
{
	const struct replay_task task = { .pipe_wakes = wakes, .cpu_ns = cpu_s * NS_PER_S };

	assert_true(fabs(wake_cost_factor(cost, &task) - expected) < 1e-6);
}

static void programs_of_a_pipe_wake_each_other_cheaper_on_one_cpu(void **state)
{
	(void)state;
	assert_factor(&saved, 10000, 1, 0.94);
	assert_factor(&paid, 10000, 1, 1.06);
}

static void as_many_cpus_as_before_cost_the_same(void **state)
{
	const struct wake_cost one = { 0 }, several = { true, true };

	(void)state;
	assert_factor(&one, 10000, 1, 1);
	assert_factor(&several, 10000, 1, 1);
}

static void without_a_pipe_it_costs_the_same(void **state)
{
	(void)state;
	assert_factor(&saved, 0, 1, 1);
	assert_factor(&paid, 0, 1, 1);
	assert_factor(&paid, 10000, 0, 1);
}

static void a_task_that_does_little_else_keeps_most_of_its_time(void **state)
{
	(void)state;
	assert_factor(&saved, 1e9, 1, 0.8);
	assert_factor(&paid, 1e9, 1, 1.2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_of_a_pipe_wake_each_other_cheaper_on_one_cpu),
		cmocka_unit_test(as_many_cpus_as_before_cost_the_same),
		cmocka_unit_test(without_a_pipe_it_costs_the_same),
		cmocka_unit_test(a_task_that_does_little_else_keeps_most_of_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
