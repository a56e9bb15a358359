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
	struct slow_clients *slow_clients = slow_clients_new(PATIENCE);
	struct slow_client *place;
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	place = slow_clients_add(slow_clients, ends[0], NOW);
	assert_int_equal(slow_clients_end(slow_clients, NOW + PATIENCE - 1), 0);
	assert_false(is_shut(ends[1]));
	assert_int_equal(slow_clients_end(slow_clients, NOW + PATIENCE), 1);
	assert_true(is_shut(ends[1]));
	assert_int_equal(slow_clients_end(slow_clients, NOW + 2 * PATIENCE), 0);
	slow_clients_remove(slow_clients, place);
	slow_clients_free(slow_clients);
	close(ends[0]);
	close(ends[1]);
}

static void a_request_that_has_arrived_may_take_its_time(void **state)
{
	struct slow_clients *slow_clients = slow_clients_new(PATIENCE);
	struct slow_client *place;
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	place = slow_clients_add(slow_clients, ends[0], NOW);
	slow_clients_arrived(slow_clients, place);
	assert_int_equal(slow_clients_end(slow_clients, NOW + 100 * PATIENCE), 0);
	slow_clients_await(slow_clients, place, NOW + 100 * PATIENCE);
	assert_int_equal(slow_clients_end(slow_clients, NOW + 101 * PATIENCE - 1), 0);
	assert_int_equal(slow_clients_end(slow_clients, NOW + 101 * PATIENCE), 1);
	slow_clients_remove(slow_clients, place);
	slow_clients_free(slow_clients);
	close(ends[0]);
	close(ends[1]);
}

static void connections_may_end_in_any_order(void **state)
{
	struct slow_clients *slow_clients = slow_clients_new(PATIENCE);
	struct slow_client *places[3];

	for (int i = 0; i < 3; i++)
		places[i] = slow_clients_add(slow_clients, -1, NOW);
	assert_int_equal(slow_clients_count(slow_clients), 3);
	slow_clients_remove(slow_clients, places[1]);
	slow_clients_remove(slow_clients, places[2]);
	slow_clients_remove(slow_clients, NULL);
	assert_int_equal(slow_clients_count(slow_clients), 1);
	slow_clients_free(slow_clients);
}

static void the_one_that_waits_longest_makes_room(void **state)
{
	struct slow_clients *slow_clients = slow_clients_new(PATIENCE);
	struct slow_client *places[3];
	int ends[3][2];

	for (uint64_t i = 0; i < 3; i++) {
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]), 0);
		places[i] = slow_clients_add(slow_clients, ends[i][0], NOW - i);
	}
	slow_clients_arrived(slow_clients, places[2]); /* it waits for an answer */
	assert_true(slow_clients_end_oldest(slow_clients));
	assert_true(is_shut(ends[1][1]));
	assert_false(is_shut(ends[0][1]) || is_shut(ends[2][1]));
	assert_true(slow_clients_end_oldest(slow_clients));
	assert_true(is_shut(ends[0][1]));
	assert_false(slow_clients_end_oldest(slow_clients));
	for (size_t i = 0; i < 3; i++) {
		slow_clients_remove(slow_clients, places[i]);
		close(ends[i][0]);
		close(ends[i][1]);
	}
	slow_clients_free(slow_clients);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_that_takes_too_long_to_arrive_ends_its_connection),
		cmocka_unit_test(a_request_that_has_arrived_may_take_its_time),
		cmocka_unit_test(connections_may_end_in_any_order),
		cmocka_unit_test(the_one_that_waits_longest_makes_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
