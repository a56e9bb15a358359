/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "server/access/connection_limit.h"

#define MOST    20
#define RESERVE 4
#define ADDRESS 3

static struct connection_limit *make(void)
{
	const struct connection_limit_options options = { MOST, RESERVE, ADDRESS };
	struct connection_limit *limit = connection_limit_new(&options);

	assert_non_null(limit);
	return limit;
}

static struct sockaddr_storage address(const char *text)
{
	struct sockaddr_storage made = { .ss_family = AF_INET };

	if (inet_pton(AF_INET, text, &((struct sockaddr_in *)&made)->sin_addr) == 1)
		return made;
	made.ss_family = AF_INET6;
	assert_int_equal(inet_pton(AF_INET6, text, &((struct sockaddr_in6 *)&made)->sin6_addr), 1);
	return made;
}

static enum connection_verdict enter(struct connection_limit *limit, const char *text)
{
	struct sockaddr_storage made = address(text);

	return connection_limit_enter(limit, (struct sockaddr *)&made);
}

static void leave(struct connection_limit *limit, const char *text)
{
	struct sockaddr_storage made = address(text);

	connection_limit_leave(limit, (struct sockaddr *)&made);
}

static void an_address_of_another_host_has_a_limit(void **state)
{
	static const char *const rows[] = { "192.0.2.1", "2001:db8::1" };

	for (size_t i = 0; i < 2; i++) {
		struct connection_limit *limit = make();

		for (unsigned count = 0; count < ADDRESS; count++)
			assert_int_equal(enter(limit, rows[i]), CONNECTION_WELCOME);
		assert_int_equal(enter(limit, rows[i]), CONNECTION_REFUSED);
		leave(limit, rows[i]); /* the refused one */
		leave(limit, rows[i]);
		assert_int_equal(enter(limit, rows[i]), CONNECTION_WELCOME);
		connection_limit_free(limit);
	}
}

static void addresses_of_one_ip6_net_are_one(void **state)
{
	struct connection_limit *limit = make();

	assert_int_equal(enter(limit, "2001:db8::1"), CONNECTION_WELCOME);
	assert_int_equal(enter(limit, "2001:db8::2"), CONNECTION_WELCOME);
	assert_int_equal(enter(limit, "2001:db8::3"), CONNECTION_WELCOME);
	assert_int_equal(enter(limit, "2001:db8::4"), CONNECTION_REFUSED);
	connection_limit_free(limit);
}

static void this_host_has_none_and_beyond_the_others_share_it_is_crowded(void **state)
{
	static const struct sockaddr_un local = { .sun_family = AF_UNIX };
	struct connection_limit *limit = make();

	for (unsigned count = 0; count < MOST - RESERVE - 2; count++)
		assert_int_equal(enter(limit, count % 2 ? "127.0.0.1" : "::1"), CONNECTION_WELCOME);
	assert_int_equal(enter(limit, "127.9.9.9"), CONNECTION_WELCOME);
	assert_int_equal(connection_limit_enter(limit, (const struct sockaddr *)&local),
			 CONNECTION_WELCOME);
	assert_int_equal(enter(limit, "192.0.2.1"), CONNECTION_CROWDED);
	assert_int_equal(enter(limit, "127.0.0.1"), CONNECTION_RESERVED);
	connection_limit_leave(limit, NULL);
	leave(limit, "127.0.0.1");
	assert_int_equal(enter(limit, "192.0.2.1"), CONNECTION_CROWDED);
	connection_limit_free(limit);
}

static void open_files_are_raised_as_far_as_they_may(void **state)
{
	struct rlimit files, kept;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &kept), 0);
	files = (struct rlimit){ .rlim_cur = 1024, .rlim_max = kept.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	assert_int_equal(connection_limit_files(2000), 2000);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	assert_true(files.rlim_cur >= 2000);
	assert_true(connection_limit_files(100000000) < 100000000);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &kept), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_of_another_host_has_a_limit),
		cmocka_unit_test(addresses_of_one_ip6_net_are_one),
		cmocka_unit_test(this_host_has_none_and_beyond_the_others_share_it_is_crowded),
		cmocka_unit_test(open_files_are_raised_as_far_as_they_may),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
