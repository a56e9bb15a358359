/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "server/findings/settle_backlog.h"

static struct settle_backlog *backlog;

static int make(void **state)
{
	backlog = calloc(1, sizeof(*backlog));
	return backlog ? 0 : -1;
}

static int clear(void **state)
{
	free(backlog);
	return 0;
}

static void add(unsigned number)
{
	char id[16];

	snprintf(id, sizeof(id), "run%u", number);
	settle_backlog_add(backlog, id, 5, 10);
}

static void assert_next(unsigned number)
{
	const char *taken[1];
	char id[16];

	snprintf(id, sizeof(id), "run%u", number);
	assert_true(settle_backlog_has_next(backlog));
	assert_int_equal(settle_backlog_take(backlog, 1, 1, taken), 1);
	assert_string_equal(taken[0], id);
}

static size_t take(size_t runs_max, int64_t executions_max)
{
	const char *taken[SETTLE_BACKLOG_MAX];

	return settle_backlog_take(backlog, runs_max, executions_max, taken);
}

static size_t begin_series(int64_t samples_max)
{
	const char *ids[SETTLE_RUNS_MAX];

	return settle_backlog_begin_series(backlog, samples_max, ids);
}

static void runs_come_out_in_order_behind_their_series(void **state)
{
	for (unsigned i = 0; i < 3; i++)
		add(i);
	assert_false(settle_backlog_has_next(backlog));
	assert_int_equal(take(9, 1000), 0);
	assert_int_equal(begin_series(20), 2);
	assert_next(0);
	assert_next(1);
	assert_false(settle_backlog_has_next(backlog));
	assert_int_equal(begin_series(5), 1); /* one at least */
	assert_next(2);
	assert_int_equal(begin_series(20), 0);
	add(3);
	assert_int_equal(begin_series(20), 1);
	assert_next(3);
}

static void a_run_that_is_settled_again_is_in_it_once(void **state)
{
	for (unsigned i = 0; i < 3; i++)
		add(i);
	assert_int_equal(begin_series(20), 2);
	assert_next(0);
	add(1);
	add(2);
	assert_false(settle_backlog_has_next(backlog));
	assert_int_equal(begin_series(1000), 2);
	assert_next(1);
	assert_next(2);
	assert_int_equal(take(9, 1000), 0);
}

static void as_many_are_taken_as_are_small_enough(void **state)
{
	for (unsigned i = 0; i < 9; i++)
		add(i);
	assert_int_equal(begin_series(1000), 9);
	assert_int_equal(take(2, 1000), 2);
	assert_int_equal(take(9, 15), 3);
	assert_int_equal(take(9, 1), 1); /* one at least */
	assert_next(6);
	assert_int_equal(take(9, 1000), 2);
}

static void it_is_full_at_its_bound(void **state)
{
	unsigned number = 0;

	while (settle_backlog_has_room(backlog))
		add(number++);
	assert_in_range(number, SETTLE_BACKLOG_MAX - SETTLE_RUNS_MAX, SETTLE_BACKLOG_MAX);
	while (number < SETTLE_BACKLOG_MAX)
		add(number++);
	add(number); /* is left out */
	assert_int_equal(backlog->count, SETTLE_BACKLOG_MAX);
	assert_int_equal(begin_series(1000000), SETTLE_RUNS_MAX);
	for (unsigned i = 0; i < SETTLE_RUNS_MAX; i++)
		assert_next(i);
	assert_true(settle_backlog_has_room(backlog));
	add(number); /* what was taken makes room */
	assert_int_equal(backlog->count, SETTLE_BACKLOG_MAX - SETTLE_RUNS_MAX + 1);
	assert_int_equal(begin_series(1000000), SETTLE_RUNS_MAX);
	assert_next(SETTLE_RUNS_MAX);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(runs_come_out_in_order_behind_their_series),
		TEST(a_run_that_is_settled_again_is_in_it_once),
		TEST(as_many_are_taken_as_are_small_enough),
		TEST(it_is_full_at_its_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
