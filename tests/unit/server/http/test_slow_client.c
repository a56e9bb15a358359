/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/http/slow_client.h"

#define NOW      5000000000000ULL
#define PATIENCE 20

static int is_shut(int peer)
{
	char byte;

	return recv(peer, &byte, 1, MSG_DONTWAIT) == 0;
}

static void a_request_that_takes_too_long_to_arrive_ends_its_connection(void **state)
{
	struct guard *guard = guard_new(PATIENCE);
	struct guard_place *place;
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	place = guard_begin(guard, ends[0], NOW);
	assert_int_equal(guard_sweep(guard, NOW + PATIENCE - 1), 0);
	assert_false(is_shut(ends[1]));
	assert_int_equal(guard_sweep(guard, NOW + PATIENCE), 1);
	assert_true(is_shut(ends[1]));
	assert_int_equal(guard_sweep(guard, NOW + 2 * PATIENCE), 0);
	guard_end(guard, place);
	guard_free(guard);
	close(ends[0]);
	close(ends[1]);
}

static void a_request_that_has_arrived_may_take_its_time(void **state)
{
	struct guard *guard = guard_new(PATIENCE);
	struct guard_place *place;
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	place = guard_begin(guard, ends[0], NOW);
	guard_arrived(guard, place);
	assert_int_equal(guard_sweep(guard, NOW + 100 * PATIENCE), 0);
	guard_awaits(guard, place, NOW + 100 * PATIENCE);
	assert_int_equal(guard_sweep(guard, NOW + 101 * PATIENCE - 1), 0);
	assert_int_equal(guard_sweep(guard, NOW + 101 * PATIENCE), 1);
	guard_end(guard, place);
	guard_free(guard);
	close(ends[0]);
	close(ends[1]);
}

static void connections_may_end_in_any_order(void **state)
{
	struct guard *guard = guard_new(PATIENCE);
	struct guard_place *places[3];

	for (int i = 0; i < 3; i++)
		places[i] = guard_begin(guard, -1, NOW);
	assert_int_equal(guard_count(guard), 3);
	guard_end(guard, places[1]);
	guard_end(guard, places[2]);
	guard_end(guard, NULL);
	assert_int_equal(guard_count(guard), 1);
	guard_free(guard);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_that_takes_too_long_to_arrive_ends_its_connection),
		cmocka_unit_test(a_request_that_has_arrived_may_take_its_time),
		cmocka_unit_test(connections_may_end_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
