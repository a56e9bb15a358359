/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdint.h>

#include "tune/diff/path_change.h"
#include "tune/diff/rank_sum.h"
#include "tune/diff/share_out.h"

static void rounded_shares_add_up(void **state)
{
	const double shares[] = { 1.0 / 3, 1.0 / 3, 7.0 / 3, NAN };
	int64_t ret[4];

	(void)state;
	share_out(shares, 4, 3, ret);
	assert_int_equal(ret[0] + ret[1] + ret[2] + ret[3], 3);
	assert_int_equal(ret[2], 3);
	share_out(shares, 1, -5, ret);
	assert_int_equal(ret[0], -5);
}

/* By hand: the rank sum less its mean, over its standard deviation. */
static void rank_sum_is_that_of_the_textbook(void **state)
{
	const double low[] = { 1, 2, 3, 4, 5 }, high[] = { 6, 7, 8, 9, 10 };
	const double ties[] = { 1, 2, 2, 3 }, more[] = { 2, 3, 3, 4 };

	(void)state;
	/* W = 25, mean 12.5, variance 25 / 12 * 11 */
	assert_true(fabs(rank_sum(low, 5, high, 5) - 12.5 / sqrt(25.0 * 11 / 12)) < 1e-9);
	assert_true(fabs(rank_sum(high, 5, low, 5) + 12.5 / sqrt(25.0 * 11 / 12)) < 1e-9);
	/* Ranks of more: 3, 6, 6, 8 = 23; mean 18; ties: 3 of 2 and 3 of 3. */
	assert_true(fabs(rank_sum(ties, 4, more, 4) - 5 / sqrt(16.0 / 12 * (9 - 48.0 / 56))) <
		    1e-9);
	assert_true(rank_sum(low, 5, low, 0) == 0);
	assert_true(rank_sum(low, 1, low, 1) == 0);
}

static struct step_path path_of(size_t tasks, int64_t serial, int64_t disk)
{
	struct step_path path = {
		.tasks = tasks, .running_ns = serial + disk, .input_bytes = -1, .task_wall_ns = -1
	};

	path.classes[DIFF_SERIAL - DIFF_CLASS_FIRST] = serial;
	path.classes[DIFF_DISK - DIFF_CLASS_FIRST] = disk;
	return path;
}

/* 2 tasks of 50 became 4 of 60, of which 20 instead of 10 were disk. */
static void number_of_tasks_counts_with_the_mean_of_both(void **state)
{
	const struct step_path from = path_of(2, 80, 20), to = path_of(4, 160, 80);
	int64_t ret[DIFF_FACTORS];

	(void)state;
	path_change_find(&from, &to, -1, ret);
	assert_int_equal(ret[DIFF_TASKS], 2 * 55);
	assert_int_equal(ret[DIFF_SERIAL], 0);
	assert_int_equal(ret[DIFF_DISK], 3 * 10);
}

/* More input needs more of each class, as the step has them. */
static void input_takes_its_part_of_each_class(void **state)
{
	struct step_path from = path_of(1, 60, 40), to = path_of(1, 120, 80);
	int64_t ret[DIFF_FACTORS];

	(void)state;
	from.input_bytes = 10;
	to.input_bytes = 15;
	from.task_wall_ns = 100;
	to.task_wall_ns = 200;
	path_change_find(&from, &to, 10, ret);
	assert_int_equal(ret[DIFF_INPUT], 50);
	assert_int_equal(ret[DIFF_SERIAL], 60 - 30);
	assert_int_equal(ret[DIFF_DISK], 40 - 20);
	/* A slope that says more than the task took counts for what it took. */
	path_change_find(&from, &to, 1000, ret);
	assert_int_equal(ret[DIFF_INPUT], 200);
	/* Half of the life of the tasks was waited for: half of what the input costs. */
	from.task_wall_ns = 200;
	to.task_wall_ns = 400;
	path_change_find(&from, &to, 10, ret);
	assert_int_equal(ret[DIFF_INPUT], 25);
}

static void a_step_on_the_path_of_one_run_alone_counts_as_its_tasks(void **state)
{
	const struct step_path none = { 0 }, to = path_of(1, 30, 10);
	int64_t ret[DIFF_FACTORS];

	(void)state;
	path_change_find(&none, &to, 5, ret);
	assert_int_equal(ret[DIFF_TASKS], 40);
	assert_int_equal(ret[DIFF_SERIAL], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounded_shares_add_up),
		cmocka_unit_test(rank_sum_is_that_of_the_textbook),
		cmocka_unit_test(number_of_tasks_counts_with_the_mean_of_both),
		cmocka_unit_test(input_takes_its_part_of_each_class),
		cmocka_unit_test(a_step_on_the_path_of_one_run_alone_counts_as_its_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
