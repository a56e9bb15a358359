/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "server/http/session.h"

#define NOW 1000000000000ULL

static void a_code_logs_in_once(void **state)
{
	struct sessions *sessions = sessions_new();
	char code[SESSION_SECRET_SIZE], secret[SESSION_SECRET_SIZE], again[SESSION_SECRET_SIZE];

	sessions_code(sessions, NOW, code);
	assert_int_equal(strlen(code), SESSION_SECRET_SIZE - 1);
	assert_int_equal(sessions_login(sessions, NOW + 1, code, secret), 0);
	assert_true(sessions_valid(sessions, NOW + 2, secret));
	assert_int_equal(sessions_login(sessions, NOW + 3, code, again), -ENOENT);
	assert_false(sessions_valid(sessions, NOW + 4, code));
	sessions_free(sessions);
}

static void a_code_dies_after_five_minutes_and_a_session_after_a_week(void **state)
{
	struct sessions *sessions = sessions_new();
	char code[SESSION_SECRET_SIZE], secret[SESSION_SECRET_SIZE];

	sessions_code(sessions, NOW, code);
	assert_int_equal(
		sessions_login(sessions, NOW + SESSION_CODE_LIFE_S * NS_PER_S, code, secret),
		-ENOENT);
	assert_int_equal(
		sessions_login(sessions, NOW + SESSION_CODE_LIFE_S * NS_PER_S - 1, code, secret),
		0);
	assert_true(sessions_valid(sessions, NOW + SESSION_LIFE_S * NS_PER_S, secret));
	assert_false(sessions_valid(
		sessions, NOW + (SESSION_LIFE_S + SESSION_CODE_LIFE_S) * NS_PER_S, secret));
	sessions_free(sessions);
}

static void nothing_is_known_at_first(void **state)
{
	struct sessions *sessions = sessions_new();
	char secret[SESSION_SECRET_SIZE];

	assert_int_equal(sessions_login(sessions, NOW, "", secret), -ENOENT);
	assert_false(sessions_valid(sessions, NOW, ""));
	sessions_free(sessions);
}

static void beyond_the_cap_the_oldest_code_is_void(void **state)
{
	struct sessions *sessions = sessions_new();
	char first[SESSION_SECRET_SIZE], second[SESSION_SECRET_SIZE], code[SESSION_SECRET_SIZE];
	char secret[SESSION_SECRET_SIZE];

	sessions_code(sessions, NOW, first);
	sessions_code(sessions, NOW + 1, second);
	for (int i = 2; i < SESSION_CODES_MAX + 1; i++)
		sessions_code(sessions, NOW + (uint64_t)i, code);
	assert_int_equal(sessions_login(sessions, NOW + 100, first, secret), -ENOENT);
	assert_int_equal(sessions_login(sessions, NOW + 100, second, secret), 0);
	sessions_free(sessions);
}

static void beyond_the_cap_the_oldest_session_ends(void **state)
{
	struct sessions *sessions = sessions_new();
	char code[SESSION_SECRET_SIZE], first[SESSION_SECRET_SIZE], secret[SESSION_SECRET_SIZE];

	sessions_code(sessions, NOW, code);
	assert_int_equal(sessions_login(sessions, NOW, code, first), 0);
	for (int i = 1; i < SESSION_MAX + 1; i++) {
		sessions_code(sessions, NOW + (uint64_t)i, code);
		assert_int_equal(sessions_login(sessions, NOW + (uint64_t)i, code, secret), 0);
	}
	assert_false(sessions_valid(sessions, NOW + 1000, first));
	assert_true(sessions_valid(sessions, NOW + 1000, secret));
	sessions_free(sessions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_code_logs_in_once),
		cmocka_unit_test(a_code_dies_after_five_minutes_and_a_session_after_a_week),
		cmocka_unit_test(nothing_is_known_at_first),
		cmocka_unit_test(beyond_the_cap_the_oldest_code_is_void),
		cmocka_unit_test(beyond_the_cap_the_oldest_session_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
