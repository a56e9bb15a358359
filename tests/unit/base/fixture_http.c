/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_http.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wait.h"

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
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	char request[4096];
	size_t got = 0;
	/* All of it, so that closing does not reset. */
	while (got < sizeof(request) && !memmem(request, got, "\r\n\r\n", 4)) {
		ssize_t more = poll(&poll_fd, 1, WAIT_MS) == 1
				       ? read(fd, request + got, sizeof(request) - got)
				       : -1;
		if (more <= 0)
			break;
		got += (size_t)more;
	}
	if (write(fd, bytes, strlen(bytes)) < 0)
		_exit(1);
	close(fd);
}

int server_listen(struct sockaddr *address, socklen_t len)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, address, len), 0);
	assert_int_equal(listen(fd, 16), 0);
	return fd;
}

int server_listen_tcp(unsigned *ret_port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = server_listen((struct sockaddr *)&address, sizeof(address));
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	*ret_port = ntohs(address.sin_port);
	return fd;
}

void server_serve(int fd, const char *bytes)
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

struct server server_start(const char *bytes)
{
	struct server server;
	unsigned port = 0;
	int fd = server_listen_tcp(&port);
	snprintf(server.url, sizeof(server.url), "http://127.0.0.1:%u", port);
	server.pid = fork();
	if (server.pid == 0)
		server_serve(fd, bytes);
	close(fd);
	return server;
}

void server_stop(struct server *server)
{
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
}
