/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture_lake.h"
#include "server/server.h"
#include "wait.h"

static struct lake lake;

static int start(void **state)
{
	lake_make(&lake);
	lake_start(&lake, NULL);
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static void is_alive(void)
{
	struct answer answer;

	lake_ask(&lake, "GET", "/healthz", NULL, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 200);
	answer_clear(&answer);
}

/* 0: the server may close without an answer. */
#define H " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
static const struct {
	const char *bytes;
	int status;
} GARBAGE[] = {
	{ "GET\r\n\r\n", 0 },
	{ "GET /healthz\r\n\r\n", 400 },
	{ "GET /healthz HTTP/9.9\r\n\r\n", 505 },
	{ "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400 }, /* no Host */
	{ "GET http://elsewhere/healthz" H, 404 },
	{ "GET healthz" H, 404 },
	{ "GET *" H, 404 },
	{ "GET /../../etc/passwd" H, 404 },
	{ "GET /assets/../../../etc/passwd.txt" H, 404 },
	{ "GET /%2e%2e/%2e%2e/etc/passwd.txt" H, 404 },
	{ "GET /api/v1/nothing" H, 404 },
	{ "GET /api/v1/runs%00" H, 404 },
	{ "GET /healthz?x=1" H, 400 },
	{ "GET /healthz?%" H, 400 },
	{ "GET /login?code=%00" H, 400 },
	{ "GET /login?code=%ff" H, 400 },
	{ "POST /healthz" H, 405 },
	{ "DELETE /api/v1/ingest" H, 405 },
	{ "GET /api/v1/ingest" H, 405 },
	{ "BREW /coffee" H, 405 },
	{ "TRACE /" H, 405 },
	{ "OPTIONS /" H, 405 },
	{ "HEAD /login?code=1" H, 405 },
	{ "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: -1\r\n\r\n",
	  400 },
	{ "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: zebra\r\n\r\n",
	  400 },
	{ "POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
	  "Content-Length: 99999999999999999999999\r\n\r\n",
	  413 },
	{ "POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
	  "Content-Length: 99999999\r\n\r\n",
	  413 },
	{ "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc",
	  413 },
};
#undef H

static void garbage_is_answered_in_words_and_the_server_lives_on(void **state)
{
	for (size_t i = 0; i < sizeof(GARBAGE) / sizeof(GARBAGE[0]); i++) {
		struct answer answer;

		lake_send(&lake, GARBAGE[i].bytes, strlen(GARBAGE[i].bytes), &answer);
		if (GARBAGE[i].status && answer.status != GARBAGE[i].status)
			fail_msg("%s: %d, not %d: %s", GARBAGE[i].bytes, answer.status,
				 GARBAGE[i].status, answer.body.data);
		answer_clear(&answer);
		is_alive();
	}
}

/* What two servers in a row may read differently. Each row is the whole head. */
#define G "GET /healthz HTTP/1.1\r\nHost: x\r\n"
#define BYTES(of)                  \
	{                          \
		of, sizeof(of) - 1 \
	}
static const struct {
	const char *bytes;
	size_t len;
} AMBIGUOUS[] = {
	BYTES(G "Content-Length: 0\r\nContent-Length: 0\r\n\r\n"),
	BYTES(G "Content-Length: 5\r\ncontent-length: 0\r\n\r\n"),
	BYTES(G "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
	BYTES(G "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
	BYTES(G "Transfer-Encoding: gzip\r\n\r\n"),
	BYTES(G "Host: y\r\n\r\n"),
	BYTES("GET /healthz HTTP/1.1\nHost: x\n\n"),
	BYTES("GET /healthz HTTP/1.1\nHost: x\r\n\r\n"),
	BYTES("GET /healthz HTTP/1.1\r\nHost: x\nX: y\r\n\r\n"),
	BYTES(G "X:\nY: z\r\n\r\n"),
	BYTES(G "X: y\n\r\n"),
	BYTES(G "X: y\r\n\n"),
	BYTES(G "X : y\r\n\r\n"),
	BYTES(G "X\t: y\r\n\r\n"),
	BYTES(G ": y\r\n\r\n"),
	BYTES(G "X: y\r\n z\r\n\r\n"),
	BYTES(G "X: y\r\n\tz\r\nY: z\r\n\r\n"),
	BYTES("GET /healthz HTTP/1.1\r\n X: y\r\nHost: x\r\n\r\n"),
	BYTES(G "X: y\0z\r\n\r\n"),
	BYTES(G "X\0: y\r\n\r\n"),
	BYTES(G "X: a\rb\r\n\r\n"),
	BYTES("GET /healthz\0 HTTP/1.1\r\nHost: x\r\n\r\n"),
	BYTES("GET\0 /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
	BYTES("GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
};

/* lake_send reads until the server closes the connection, which no client asks for here. */
static void an_ambiguous_request_is_refused_and_the_connection_closed(void **state)
{
	for (size_t i = 0; i < sizeof(AMBIGUOUS) / sizeof(AMBIGUOUS[0]); i++) {
		struct answer answer;

		lake_send(&lake, AMBIGUOUS[i].bytes, AMBIGUOUS[i].len, &answer);
		if (answer.status != 400)
			fail_msg("%zu: %s: %d", i, AMBIGUOUS[i].bytes, answer.status);
		answer_clear(&answer);
	}
	is_alive();
}

#define END "Connection: close\r\n\r\n"
static void what_only_looks_unusual_is_answered(void **state)
{
	static const char *const rows[] = {
		G "X:\r\nY: \r\nZ:  a\t\r\n" END,
		G "Cookie: a=b; c=d\r\nX-1: caf\xc3\xa9\r\n" END,
		G "Connection: close\r\nX:\r\n\r\n",
		"\r\n" G END,
		G "\r\n" G "X: y\r\n\r\n" G END,
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct answer answer;

		lake_send(&lake, rows[i], strlen(rows[i]), &answer);
		if (answer.status != 200)
			fail_msg("%s: %d", rows[i], answer.status);
		answer_clear(&answer);
	}
}
#undef G
#undef END

static void a_method_that_a_path_does_not_take_is_told_the_right_one(void **state)
{
	struct answer answer;

	lake_ask(&lake, "PUT", "/api/v1/ingest", lake.ingest, NULL, "x", 1, &answer);
	assert_int_equal(answer.status, 405);
	assert_string_equal(answer_header(&answer, "Allow"), "POST");
	assert_string_equal(answer_header(&answer, "Content-Type"),
			    "application/problem+json; charset=utf-8");
	assert_non_null(strstr(answer.body.data, "\"status\":405"));
	answer_clear(&answer);
}

/* A TLS greeting, silence, half a request: the client goes before there is an answer. */
static void clients_that_go_away_do_no_harm(void **state)
{
	static const char *const BYTES[] = { "", "\r\n\r\n\r\n", "\x16\x03\x01\x02", "GET /hea",
					     "POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\n"
					     "Content-Length: 100\r\n\r\nabc" };

	for (size_t i = 0; i < sizeof(BYTES) / sizeof(BYTES[0]); i++) {
		int fd = lake_connect(&lake);

		assert_true(fd >= 0);
		send(fd, BYTES[i], strlen(BYTES[i]), MSG_NOSIGNAL);
		close(fd);
		is_alive();
	}
}

static void a_nul_in_the_request_line_is_no_other_path(void **state)
{
	static const char REQUEST[] = "GET /healthz\0/../x HTTP/1.1\r\nHost: x\r\n"
				      "Connection: close\r\n\r\n";
	struct answer answer;

	lake_send(&lake, REQUEST, sizeof(REQUEST) - 1, &answer);
	assert_int_not_equal(answer.status, 500);
	answer_clear(&answer);
	is_alive();
}

static void ask_with_filler(const char *before, size_t filler, const char *after,
			    struct answer *ret)
{
	struct buffer request;

	buffer_init(&request, 0);
	buffer_append_text(&request, before);
	for (size_t i = 0; i < filler; i++)
		buffer_append_char(&request, 'x');
	buffer_append_text(&request, after);
	lake_send(&lake, request.data, request.len, ret);
	buffer_clear(&request);
}

static void a_header_larger_than_the_cap_is_refused(void **state)
{
	struct answer answer;

	ask_with_filler("GET /healthz HTTP/1.1\r\nHost: x\r\nX: ", 200000, "\r\n\r\n", &answer);
	assert_int_equal(answer.status, 431);
	answer_clear(&answer);
	ask_with_filler("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: ", 8000,
			"\r\n\r\n", &answer);
	assert_int_equal(answer.status, 200);
	answer_clear(&answer);
	is_alive();
}

static void a_uri_at_the_cap_is_read_and_one_beyond_is_not(void **state)
{
	static const char END[] = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
	struct answer answer;

	ask_with_filler("GET /", SERVER_URI_BYTES - 1, END, &answer);
	assert_int_not_equal(answer.status, 414);
	answer_clear(&answer);
	ask_with_filler("GET /", SERVER_URI_BYTES, END, &answer);
	assert_int_equal(answer.status, 414);
	answer_clear(&answer);
	ask_with_filler("GET /", 1 << 20, END, &answer);
	assert_int_equal(answer.status, 414);
	answer_clear(&answer);
	is_alive();
}

static bool is_closed(int fd)
{
	char byte;

	return fd < 0 || recv(fd, &byte, 1, MSG_DONTWAIT) == 0;
}

static void send_slowly(int fd)
{
	send(fd, "x", 1, MSG_NOSIGNAL);
	usleep(200000);
}

/* A byte now and then keeps MHD's own timeout away for ever; slow_clients_end ends it all the same.
 */
static void a_request_that_comes_byte_by_byte_is_cut_off(void **state)
{
	static const char BEGUN[] = "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ";
	int fd = lake_connect(&lake);

	assert_true(fd >= 0);
	send(fd, BEGUN, strlen(BEGUN), MSG_NOSIGNAL);
	WAIT_DOING(is_closed(fd), send_slowly(fd), "the server to close the connection");
	close(fd);
	is_alive();
}

#define MANY 600 /* of one address */

static size_t closed_count(const int *fds, size_t count)
{
	size_t closed = 0;

	for (size_t i = 0; i < count; i++)
		closed += is_closed(fds[i]);
	return closed;
}

static int health(void)
{
	struct answer answer;
	int status;

	lake_ask(&lake, "GET", "/healthz", NULL, NULL, NULL, 0, &answer);
	status = answer.status;
	answer_clear(&answer);
	return status;
}

/* All programs of this host have one address, and none is locked out by the others. */
static void programs_of_this_host_are_not_counted_by_address(void **state)
{
	static int fds[MANY];

	for (size_t i = 0; i < MANY; i++) {
		fds[i] = lake_connect(&lake);
		assert_true(fds[i] >= 0);
	}
	assert_int_equal(health(), 200);
	assert_int_equal(closed_count(fds, MANY), 0);
	for (size_t i = 0; i < MANY; i++)
		close(fds[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(garbage_is_answered_in_words_and_the_server_lives_on),
		cmocka_unit_test(an_ambiguous_request_is_refused_and_the_connection_closed),
		cmocka_unit_test(what_only_looks_unusual_is_answered),
		cmocka_unit_test(a_method_that_a_path_does_not_take_is_told_the_right_one),
		cmocka_unit_test(clients_that_go_away_do_no_harm),
		cmocka_unit_test(a_nul_in_the_request_line_is_no_other_path),
		cmocka_unit_test(a_header_larger_than_the_cap_is_refused),
		cmocka_unit_test(a_uri_at_the_cap_is_read_and_one_beyond_is_not),
		cmocka_unit_test(a_request_that_comes_byte_by_byte_is_cut_off),
		cmocka_unit_test(programs_of_this_host_are_not_counted_by_address),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
