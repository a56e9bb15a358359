/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/http/http.h"
#include "base/http/http_file.h"
#include "fixture_http.h"

struct outcome {
	int rc, status;
	char *body;
	size_t len;
	struct error words;
};

static void outcome_clear(struct outcome *outcome)
{
	free(outcome->body);
}

static struct outcome fetch(const struct http_options *options, const char *path)
{
	struct outcome outcome = { 0 };
	outcome.rc = http_fetch(options, "GET", path, NULL, NULL, 0, &outcome.status, &outcome.body,
				&outcome.len, &outcome.words);
	return outcome;
}

/* Of several pieces; the server says how many bytes came. */
static void a_file_is_sent_as_the_body(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	CLEANUP(outcome_clear) struct outcome outcome = { 0 };
	char path[] = "/tmp/tracer-http-XXXXXX", line[64];
	struct http_file file = { .fd = mkstemp(path), .bytes = 3 << 20 };
	struct http_options options = { .url = server.url,
					.response_limit = 8 << 20,
					.file = &file };

	assert_true(file.fd >= 0);
	assert_int_equal(unlink(path), 0);
	for (unsigned i = 0; i < 3 << 10; i++) {
		memset(line, 0, sizeof(line));
		snprintf(line, sizeof(line), "line %u\n", i);
		for (unsigned part = 0; part < 1024 / sizeof(line); part++)
			assert_int_equal(write(file.fd, line, sizeof(line)), sizeof(line));
	}
	outcome.rc = http_fetch(&options, "POST", "/", "application/octet-stream", NULL, 0,
				&outcome.status, &outcome.body, &outcome.len, &outcome.words);
	assert_int_equal(outcome.rc, 0);
	assert_int_equal(outcome.status, 200);
	assert_non_null(strstr(outcome.body, "Content-Length: 3145728\n"));
	assert_true(outcome.len > 3 << 20);
	assert_string_equal(outcome.body + outcome.len - sizeof(line), "line 3071\n");
	close(file.fd);
}

static void a_file_that_became_shorter_ends_the_request(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	CLEANUP(outcome_clear) struct outcome outcome = { 0 };
	char path[] = "/tmp/tracer-http-XXXXXX";
	struct http_file file = { .fd = mkstemp(path), .bytes = 10 };
	struct http_options options = { .url = server.url, .response_limit = 4096, .file = &file };

	assert_int_equal(unlink(path), 0);
	assert_int_equal(write(file.fd, "short", 5), 5);
	outcome.rc = http_fetch(&options, "POST", "/", "text/plain", NULL, 0, &outcome.status,
				&outcome.body, &outcome.len, &outcome.words);
	assert_int_equal(outcome.rc, -EIO);
	assert_non_null(strstr(error_text(&outcome.words), "it became shorter"));
	close(file.fd);
}

static void a_request_carries_method_token_type_encoding_and_body(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	CLEANUP(outcome_clear) struct outcome outcome = { 0 };
	char url[256];
	snprintf(url, sizeof(url), "%s/base/", server.url);
	struct http_options options = {
		.url = url, .token = "s3cret", .encoding = "zstd", .response_limit = 4096
	};
	outcome.rc = http_fetch(&options, "POST", "/api?x=1", "text/plain", "body\0bytes", 10,
				&outcome.status, &outcome.body, &outcome.len, &outcome.words);
	assert_int_equal(outcome.rc, 0);
	assert_int_equal(outcome.status, 200);
	assert_non_null(strstr(outcome.body, "2 /base/api?x=1\n"));
	assert_non_null(strstr(outcome.body, "Authorization: Bearer s3cret\n"));
	assert_non_null(strstr(outcome.body, "Content-Type: text/plain\n"));
	assert_non_null(strstr(outcome.body, "Content-Encoding: zstd\n"));
	assert_non_null(strstr(outcome.body, "Content-Length: 10\n"));
	assert_memory_equal(outcome.body + outcome.len - 10, "body\0bytes", 10);
}

static void any_status_is_a_response(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	struct http_options options = { .url = server.url, .response_limit = 4096 };
	CLEANUP(outcome_clear) struct outcome outcome = fetch(&options, "/busy");
	assert_int_equal(outcome.rc, 0);
	assert_int_equal(outcome.status, 503);
}

static void a_body_over_the_limit_is_refused(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	struct http_options options = { .url = server.url, .response_limit = 1000000 };
	CLEANUP(outcome_clear) struct outcome whole = fetch(&options, "/big");
	assert_int_equal(whole.rc, 0);
	assert_int_equal(whole.len, 1000000);
	options.response_limit--;
	CLEANUP(outcome_clear) struct outcome over = fetch(&options, "/big");
	assert_int_equal(over.rc, -EFBIG);
}

static void an_answer_that_does_not_come_times_out(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	struct http_options options = { .url = server.url,
					.timeout_ns = 100 * NS_PER_MS,
					.response_limit = 1000 };
	CLEANUP(outcome_clear) struct outcome outcome = fetch(&options, "/slow");
	assert_int_equal(outcome.rc, -ETIMEDOUT);
	assert_non_null(strstr(outcome.words.text, "100 ms"));
}

static void nobody_listening_is_connection_refused(void **state)
{
	unsigned port = 0;
	char url[64];
	close(server_listen_tcp(&port));
	snprintf(url, sizeof(url), "http://localhost:%u", port);
	struct http_options options = { .url = url, .response_limit = 1000 };
	CLEANUP(outcome_clear) struct outcome outcome = fetch(&options, "/");
	assert_int_equal(outcome.rc, -ECONNREFUSED);
	assert_non_null(strstr(outcome.words.text, "localhost"));
	options.url = "http+unix:///nonexistent/socket";
	CLEANUP(outcome_clear) struct outcome missing = fetch(&options, "/");
	assert_int_equal(missing.rc, -ENOENT);
}

static void garbage_is_a_protocol_error(void **state)
{
	static const struct {
		const char *bytes;
		int rc;
	} cases[] = {
		{ "220 mail.example.org ESMTP\r\n", -EPROTO },
		{ "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", -EPROTO },
		{ "", -ECONNRESET },
		{ "HTTP/1.1 200 OK\r\n\r\nall of it", 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(server_stop) struct server server = server_start(cases[i].bytes);
		struct http_options options = { .url = server.url, .response_limit = 1000 };
		CLEANUP(outcome_clear) struct outcome outcome = fetch(&options, "/");
		assert_int_equal(outcome.rc, cases[i].rc);
		assert_true(cases[i].rc == 0 || strlen(outcome.words.text) > 0);
	}
}

static void a_unix_socket_serves_like_any(void **state)
{
	char folder[] = "/tmp/tracer-http-XXXXXX", url[128];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	assert_non_null(mkdtemp(folder));
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
	snprintf(url, sizeof(url), "http+unix://%s", address.sun_path);
	int fd = server_listen((struct sockaddr *)&address, sizeof(address));
	CLEANUP(server_stop) struct server server = { .pid = fork() };
	if (server.pid == 0)
		server_serve(fd, NULL);
	close(fd);
	struct http_options options = { .url = url, .response_limit = 4096 };
	CLEANUP(outcome_clear) struct outcome outcome = fetch(&options, "/status");
	assert_int_equal(outcome.rc, 0);
	assert_non_null(strstr(outcome.body, "1 /status\nHost: localhost\n"));
	unlink(address.sun_path);
	rmdir(folder);
}

/* Requests one after the other on one client. */
struct sequence {
	struct event_base *base;
	struct http_client *client;
	unsigned left, reused, failed;
	bool pauses; /* after an answer, until the server has closed the connection */
	unsigned idle_descriptors;
};

static unsigned descriptors(void)
{
	unsigned count = 0;
	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void send_next(int fd, short what, void *context);

static void send_when_closed(int fd, short what, void *context)
{
	static const struct timeval soon = { .tv_usec = 10000 };
	struct sequence *sequence = context;
	if (descriptors() > sequence->idle_descriptors)
		event_base_once(sequence->base, -1, EV_TIMEOUT, send_when_closed, sequence, &soon);
	else
		send_next(-1, 0, sequence);
}

static void on_answer(const struct http_response *response, void *context)
{
	struct sequence *sequence = context;
	sequence->failed += response->error != 0 || response->status != 200;
	sequence->reused += response->body_len > 0 && response->body[0] == '1';
	if (--sequence->left == 0)
		event_base_loopbreak(sequence->base);
	else if (sequence->pauses)
		send_when_closed(-1, 0, sequence);
	else
		send_next(-1, 0, sequence);
}

static void send_next(int fd, short what, void *context)
{
	struct sequence *sequence = context;
	assert_int_equal(http_client_send(sequence->client, "GET", "/same-connection", NULL, NULL,
					  0, on_answer, sequence),
			 0);
	assert_int_equal(
		http_client_send(sequence->client, "GET", "/", NULL, NULL, 0, on_answer, sequence),
		-EBUSY);
}

static struct sequence run_sequence(const char *bytes, unsigned count, bool pauses)
{
	CLEANUP(server_stop) struct server server = server_start(bytes);
	struct http_options options = { .url = server.url, .response_limit = 1000 };
	struct sequence sequence = { .base = event_base_new(), .left = count, .pauses = pauses };
	assert_int_equal(http_client_new(&sequence.client, sequence.base, &options, NULL), 0);
	sequence.idle_descriptors = descriptors();
	send_next(-1, 0, &sequence);
	event_base_dispatch(sequence.base);
	http_client_free(sequence.client);
	event_base_free(sequence.base);
	return sequence;
}

static void a_connection_serves_many_requests(void **state)
{
	struct sequence sequence = run_sequence(NULL, 20, false);
	assert_int_equal(sequence.failed, 0);
	assert_int_equal(sequence.reused, 19);
}

static void a_connection_that_the_server_closed_is_replaced(void **state)
{
	struct sequence sequence = run_sequence(NULL, 2, true); /* the server closes after 1 s */
	assert_int_equal(sequence.failed, 0);
	assert_int_equal(sequence.reused, 0);
}

/* Each answer promises to keep the connection that is closed behind it: the next request is on its
 * way already when that shows. */
static void a_connection_that_closes_under_a_request_is_replaced(void **state)
{
	struct sequence sequence =
		run_sequence("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n0", 5, false);
	assert_int_equal(sequence.failed, 0);
}

static void never_called(const struct http_response *response, void *context)
{
	fail_msg("done was called for a request that was dropped");
}

static void freeing_a_client_drops_its_request(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	struct http_options options = { .url = server.url, .response_limit = 1000 };
	struct event_base *base = event_base_new();
	struct http_client *client = NULL;
	struct timeval moment = { .tv_usec = 50000 };
	assert_int_equal(http_client_new(&client, base, &options, NULL), 0);
	assert_int_equal(
		http_client_send(client, "GET", "/slow", NULL, NULL, 0, never_called, NULL), 0);
	event_base_loopexit(base, &moment);
	event_base_dispatch(base);
	http_client_free(client);
	event_base_dispatch(base);
	event_base_free(base);
}

static void a_header_goes_with_each_request_and_one_is_wanted_back(void **state)
{
	CLEANUP(server_stop) struct server server = server_start(NULL);
	struct http_options options = { .url = server.url,
					.header = "X-Flavor: two words",
					.answer_header = "X-Flavor: sweet",
					.response_limit = 4096 };
	CLEANUP(outcome_clear) struct outcome without = fetch(&options, "/");
	assert_int_equal(without.rc, -EPROTO);
	assert_non_null(strstr(without.words.text, "X-Flavor: sweet"));
	options.answer_header = NULL;
	CLEANUP(outcome_clear) struct outcome any = fetch(&options, "/");
	assert_int_equal(any.rc, 0);
	assert_non_null(strstr(any.body, "X-Flavor: two words\n"));
}

static void a_path_or_token_cannot_smuggle_a_header(void **state)
{
	struct error words = { 0 };
	struct event_base *base = event_base_new();
	struct http_options options = { .url = "http://localhost", .token = "a\r\nX: secret" };
	struct http_client *client = NULL;
	assert_int_equal(http_client_new(&client, base, &options, &words), -EINVAL);
	assert_null(strstr(words.text, "secret"));
	options.token = NULL;
	options.header = "X-Token: a\r\nX: secret";
	assert_int_equal(http_client_new(&client, base, &options, &words), -EINVAL);
	assert_null(strstr(words.text, "secret"));
	options.header = NULL;
	assert_int_equal(http_client_new(&client, base, &options, &words), 0);
	assert_int_equal(
		http_client_send(client, "GET", "/a\r\nX: y", NULL, NULL, 0, never_called, NULL),
		-EINVAL);
	http_client_free(client);
	event_base_free(base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_sent_as_the_body),
		cmocka_unit_test(a_file_that_became_shorter_ends_the_request),
		cmocka_unit_test(a_request_carries_method_token_type_encoding_and_body),
		cmocka_unit_test(any_status_is_a_response),
		cmocka_unit_test(a_body_over_the_limit_is_refused),
		cmocka_unit_test(an_answer_that_does_not_come_times_out),
		cmocka_unit_test(nobody_listening_is_connection_refused),
		cmocka_unit_test(garbage_is_a_protocol_error),
		cmocka_unit_test(a_unix_socket_serves_like_any),
		cmocka_unit_test(a_connection_serves_many_requests),
		cmocka_unit_test(a_connection_that_the_server_closed_is_replaced),
		cmocka_unit_test(a_connection_that_closes_under_a_request_is_replaced),
		cmocka_unit_test(freeing_a_client_drops_its_request),
		cmocka_unit_test(a_header_goes_with_each_request_and_one_is_wanted_back),
		cmocka_unit_test(a_path_or_token_cannot_smuggle_a_header),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
