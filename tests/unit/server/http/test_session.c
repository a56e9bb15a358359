/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "server/http/session.h"

#define NOW 1764000000000000000LL

static struct sessions *open_sessions(const char *path)
{
	struct sessions *sessions;

	assert_int_equal(sessions_open(&sessions, path, NULL), 0);
	return sessions;
}

static void a_code_logs_in_once(void **state)
{
	struct sessions *sessions = open_sessions(NULL);
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
	struct sessions *sessions = open_sessions(NULL);
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
	struct sessions *sessions = open_sessions(NULL);
	char secret[SESSION_SECRET_SIZE];

	assert_int_equal(sessions_login(sessions, NOW, "", secret), -ENOENT);
	assert_false(sessions_valid(sessions, NOW, ""));
	sessions_free(sessions);
}

static void beyond_the_cap_the_oldest_code_is_void(void **state)
{
	struct sessions *sessions = open_sessions(NULL);
	char first[SESSION_SECRET_SIZE], second[SESSION_SECRET_SIZE], code[SESSION_SECRET_SIZE];
	char secret[SESSION_SECRET_SIZE];

	sessions_code(sessions, NOW, first);
	sessions_code(sessions, NOW + 1, second);
	for (int i = 2; i < SESSION_CODES_MAX + 1; i++)
		sessions_code(sessions, NOW + i, code);
	assert_int_equal(sessions_login(sessions, NOW + 100, first, secret), -ENOENT);
	assert_int_equal(sessions_login(sessions, NOW + 100, second, secret), 0);
	sessions_free(sessions);
}

static void beyond_the_cap_the_oldest_session_ends(void **state)
{
	struct sessions *sessions = open_sessions(NULL);
	char code[SESSION_SECRET_SIZE], first[SESSION_SECRET_SIZE], secret[SESSION_SECRET_SIZE];

	sessions_code(sessions, NOW, code);
	assert_int_equal(sessions_login(sessions, NOW, code, first), 0);
	for (int i = 1; i < SESSION_MAX + 1; i++) {
		sessions_code(sessions, NOW + i, code);
		assert_int_equal(sessions_login(sessions, NOW + i, code, secret), 0);
	}
	assert_false(sessions_valid(sessions, NOW + 1000, first));
	assert_true(sessions_valid(sessions, NOW + 1000, secret));
	sessions_free(sessions);
}

static void log_in(struct sessions *sessions, char secret[SESSION_SECRET_SIZE])
{
	char code[SESSION_SECRET_SIZE];

	sessions_code(sessions, NOW, code);
	assert_int_equal(sessions_login(sessions, NOW, code, secret), 0);
}

static void the_file_holds_no_secret_and_what_is_broken_in_it_is_left_out(void **state)
{
	char path[] = "/tmp/tracer-sessions-XXXXXX", secret[SESSION_SECRET_SIZE], *text, *broken;
	struct sessions *sessions;
	struct stat status;
	size_t len;

	close(mkstemp(path));
	sessions = open_sessions(path);
	log_in(sessions, secret);
	sessions_free(sessions);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, &len), 0);
	assert_null(strstr(text, secret));
	assert_int_equal(len, 64 + 1 + 10 + 1);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_true(asprintf(&broken, "x\n%.63sg 1\n%.64s -5\n%.64s 99999999999999999999\n\n%s%s",
			     text, text, text, text, "0123") > 0);
	assert_int_equal(file_write(path, broken, strlen(broken), 0600, NULL), 0);
	sessions = open_sessions(path);
	assert_true(sessions_valid(sessions, NOW + 1, secret));
	sessions_logout(sessions, NOW, secret);
	assert_false(sessions_valid(sessions, NOW + 1, secret));
	sessions_free(sessions);
	sessions = open_sessions(path);
	assert_false(sessions_valid(sessions, NOW + 1, secret));
	sessions_free(sessions);
	free(text);
	free(broken);
	unlink(path);
}

static void a_clock_that_is_set_back_ends_a_session(void **state)
{
	struct sessions *sessions = open_sessions(NULL);
	char secret[SESSION_SECRET_SIZE];

	log_in(sessions, secret);
	assert_true(sessions_valid(sessions, NOW - 3600 * NS_PER_S, secret));
	assert_false(sessions_valid(sessions, NOW - 365 * 24 * 3600 * NS_PER_S, secret));
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
		cmocka_unit_test(the_file_holds_no_secret_and_what_is_broken_in_it_is_left_out),
		cmocka_unit_test(a_clock_that_is_set_back_ends_a_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
