#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/http.h"

/*
 * A server in a process of its own: libevent's for what is HTTP, a bare socket that says fixed
 * bytes for what is not.
 */
struct server {
	pid_t pid;
	char url[200];
};

static void answer(struct evhttp_request *request, void *context)
{
	const char *path = evhttp_request_get_uri(request);
	struct evkeyvalq *in = evhttp_request_get_input_headers(request);
	struct evkeyvalq *out = evhttp_request_get_output_headers(request);
	static ev_uint16_t last_port;
	struct evbuffer *body = evbuffer_new();
	char *peer = NULL;
	ev_uint16_t port = 0;
	int status = 200;
	evhttp_connection_get_peer(evhttp_request_get_connection(request), &peer, &port);
	if (strcmp(path, "/slow") == 0) {
		evbuffer_free(body);
		return;
	}
	if (strcmp(path, "/busy") == 0) {
		status = 503;
		evhttp_add_header(out, "Retry-After", "7");
	} else if (strcmp(path, "/big") == 0) {
		for (int i = 0; i < 1000; i++)
			evbuffer_add_printf(body, "%-1000d", i);
	} else if (strcmp(path, "/same-connection") == 0) {
		evbuffer_add_printf(body, "%d", last_port == port);
		last_port = port;
	} else {
		struct evkeyval *header;
		evbuffer_add_printf(body, "%d %s\n", evhttp_request_get_command(request), path);
		for (header = in->tqh_first; header; header = header->next.tqe_next)
			evbuffer_add_printf(body, "%s: %s\n", header->key, header->value);
		evbuffer_add_buffer(body, evhttp_request_get_input_buffer(request));
	}
	evhttp_send_reply(request, status, "x", body);
	evbuffer_free(body);
}

static void say(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *from, int len,
		void *context)
{
	const char *bytes = context;
	char request[4096];
	evutil_make_socket_nonblocking(fd);
	usleep(20000); /* so that the request is there and closing does not reset */
	while (read(fd, request, sizeof(request)) > 0)
		;
	if (write(fd, bytes, strlen(bytes)) < 0)
		_exit(1);
	close(fd);
}

static int listen_on(struct sockaddr *address, socklen_t len)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, address, len), 0);
	assert_int_equal(listen(fd, 16), 0);
	return fd;
}

static int listen_tcp(unsigned *ret_port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = listen_on((struct sockaddr *)&address, sizeof(address));
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	*ret_port = ntohs(address.sin_port);
	return fd;
}

static void serve(int fd, const char *bytes)
{
	struct event_base *base = event_base_new();
	if (bytes) {
		evconnlistener_new(base, say, (void *)bytes, LEV_OPT_CLOSE_ON_FREE, 0, fd);
	} else {
		struct evhttp *http = evhttp_new(base);
		evhttp_set_timeout(http, 1);
		evhttp_set_gencb(http, answer, NULL);
		evhttp_accept_socket(http, fd);
	}
	event_base_dispatch(base);
	_exit(0);
}

/* bytes NULL: the HTTP server. */
static struct server server_start(const char *bytes)
{
	struct server server;
	unsigned port = 0;
	int fd = listen_tcp(&port);
	snprintf(server.url, sizeof(server.url), "http://127.0.0.1:%u", port);
	server.pid = fork();
	if (server.pid == 0)
		serve(fd, bytes);
	close(fd);
	return server;
}

static void server_stop(struct server *server)
{
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
}

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
	uint64_t before = clock_monotonic_ns();
	CLEANUP(outcome_clear) struct outcome outcome = fetch(&options, "/slow");
	uint64_t took = clock_monotonic_ns() - before;
	assert_int_equal(outcome.rc, -ETIMEDOUT);
	assert_non_null(strstr(outcome.words.text, "100 ms"));
	assert_in_range(took, 90 * NS_PER_MS, 3 * NS_PER_S);
}

static void nobody_listening_is_connection_refused(void **state)
{
	unsigned port = 0;
	char url[64];
	close(listen_tcp(&port));
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
	int fd = listen_on((struct sockaddr *)&address, sizeof(address));
	CLEANUP(server_stop) struct server server = { .pid = fork() };
	if (server.pid == 0)
		serve(fd, NULL);
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
	unsigned pause_ms;
};

static void send_next(int fd, short what, void *context);

static void on_answer(const struct http_response *response, void *context)
{
	struct sequence *sequence = context;
	struct timeval pause = { .tv_sec = sequence->pause_ms / 1000,
				 .tv_usec = sequence->pause_ms % 1000 * 1000 };
	sequence->failed += response->error != 0 || response->status != 200;
	sequence->reused += response->body_len > 0 && response->body[0] == '1';
	if (--sequence->left == 0)
		event_base_loopbreak(sequence->base);
	else if (sequence->pause_ms > 0)
		event_base_once(sequence->base, -1, EV_TIMEOUT, send_next, sequence, &pause);
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

static struct sequence run_sequence(const char *bytes, unsigned count, unsigned pause_ms)
{
	CLEANUP(server_stop) struct server server = server_start(bytes);
	struct http_options options = { .url = server.url, .response_limit = 1000 };
	struct sequence sequence = { .base = event_base_new(),
				     .left = count,
				     .pause_ms = pause_ms };
	assert_int_equal(http_client_new(&sequence.client, sequence.base, &options, NULL), 0);
	send_next(-1, 0, &sequence);
	event_base_dispatch(sequence.base);
	http_client_free(sequence.client);
	event_base_free(sequence.base);
	return sequence;
}

static void a_connection_serves_many_requests(void **state)
{
	struct sequence sequence = run_sequence(NULL, 20, 0);
	assert_int_equal(sequence.failed, 0);
	assert_int_equal(sequence.reused, 19);
}

static void a_connection_that_the_server_closed_is_replaced(void **state)
{
	struct sequence sequence = run_sequence(NULL, 2, 1500); /* the server closes after 1 s */
	assert_int_equal(sequence.failed, 0);
	assert_int_equal(sequence.reused, 0);
}

/* Each answer promises to keep the connection that is closed behind it: the next request is on its
 * way already when that shows. */
static void a_connection_that_closes_under_a_request_is_replaced(void **state)
{
	struct sequence sequence =
		run_sequence("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n0", 5, 0);
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

static void a_path_or_token_cannot_smuggle_a_header(void **state)
{
	struct error words = { 0 };
	struct event_base *base = event_base_new();
	struct http_options options = { .url = "http://localhost", .token = "a\r\nX: secret" };
	struct http_client *client = NULL;
	assert_int_equal(http_client_new(&client, base, &options, &words), -EINVAL);
	assert_null(strstr(words.text, "secret"));
	options.token = NULL;
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
		cmocka_unit_test(a_path_or_token_cannot_smuggle_a_header),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
