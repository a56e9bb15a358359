/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/runtime/grpc.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/http/http_dial.h"

struct grpc_client {
	struct event_base *base;
	struct http_url url;
	struct event *timer;
	struct http_dial *dial;
	struct bufferevent *connection;
	struct grpc_call *call; /* NULL: none under way */
	grpc_done *done;
	void *context;
};

static void drop(struct grpc_client *client)
{
	http_dial_free(TAKE_PTR(client->dial));
	if (client->connection)
		bufferevent_free(TAKE_PTR(client->connection));
	event_del(client->timer);
}

/* The client may be gone when this returns. */
static void finish(struct grpc_client *client, const struct grpc_answer *answer)
{
	struct grpc_call *call = TAKE_PTR(client->call);

	drop(client);
	client->done(answer, client->context);
	grpc_call_free(call);
}

static void fail(struct grpc_client *client, int error, const char *why)
{
	struct grpc_answer answer = { .error = error };

	(void)error_set(&answer.words, error, "%s %s", client->url.socket, why);
	finish(client, &answer);
}

static int write_out(struct grpc_client *client)
{
	struct buffer out;
	int result;

	buffer_init(&out, 0);
	result = grpc_call_output(client->call, &out);
	if (result == 0 && bufferevent_write(client->connection, out.data, out.len) < 0)
		result = -ENOMEM;
	buffer_clear(&out);
	return result;
}

static void succeed(struct grpc_client *client)
{
	struct grpc_answer answer = { .error = 0 };

	answer.status = grpc_call_status(client->call, &answer.message, &answer.len);
	finish(client, &answer);
}

static void on_read(struct bufferevent *connection, void *context)
{
	struct grpc_client *client = context;
	struct evbuffer *input = bufferevent_get_input(connection);
	int result = 0;

	while (result == 0 && evbuffer_get_length(input) > 0) {
		size_t len = evbuffer_get_contiguous_space(input);

		result = grpc_call_feed(client->call, evbuffer_pullup(input, (ev_ssize_t)len), len);
		evbuffer_drain(input, len);
	}
	if (result == 0)
		result = write_out(client);
	if (result < 0)
		fail(client, result, "says what is no answer");
	else if (result == 1)
		succeed(client);
}

static void on_event(struct bufferevent *connection, short what, void *context)
{
	if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))
		fail(context, -ECONNRESET, "closed the connection before an answer");
}

static void on_timeout(int fd, short what, void *context)
{
	fail(context, -ETIMEDOUT, "does not answer");
}

static void on_dialed(int fd, const struct error *words, void *context)
{
	struct grpc_client *client = context;
	struct grpc_answer answer = { .error = fd };

	http_dial_free(TAKE_PTR(client->dial));
	if (fd < 0) {
		answer.words = *words;
		finish(client, &answer);
		return;
	}
	client->connection = bufferevent_socket_new(client->base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (!client->connection) {
		close(fd);
		fail(client, -ENOMEM, "cannot be asked: no memory");
		return;
	}
	bufferevent_setcb(client->connection, on_read, NULL, on_event, client);
	bufferevent_enable(client->connection, EV_READ | EV_WRITE);
	if (write_out(client) < 0)
		fail(client, -ENOMEM, "cannot be asked: no memory");
}

int grpc_client_call(struct grpc_client *client, const struct grpc_request *request,
		     grpc_done *done, void *context)
{
	const struct timeval limit = { .tv_sec = request->timeout_s };
	int result;

	if (client->call)
		return -EBUSY;
	result = grpc_call_new(&client->call, request);
	if (result < 0)
		return result;
	result = http_dial_start(&client->dial, client->base, &client->url, on_dialed, client);
	if (result < 0) {
		grpc_call_free(TAKE_PTR(client->call));
		return result;
	}
	client->done = done;
	client->context = context;
	event_add(client->timer, &limit);
	return 0;
}

int grpc_client_new(struct grpc_client **ret, struct event_base *base, const char *socket,
		    struct error *err)
{
	struct grpc_client *client;
	struct http_url parsed;
	char url[512];
	int result;

	if (snprintf(url, sizeof(url), "http+unix://%s", socket) >= (int)sizeof(url))
		return error_set(err, -EINVAL, "the path of the socket is too long");
	result = http_url_parse(url, &parsed, err);
	if (result < 0)
		return result;
	client = calloc(1, sizeof(*client));
	if (!client)
		return error_set(err, -ENOMEM, "no memory");
	client->base = base;
	client->url = parsed;
	client->timer = evtimer_new(base, on_timeout, client);
	if (!client->timer) {
		free(client);
		return error_set(err, -ENOMEM, "no memory");
	}
	*ret = client;
	return 0;
}

void grpc_client_free(struct grpc_client *client)
{
	if (!client)
		return;
	drop(client);
	grpc_call_free(client->call);
	event_free(client->timer);
	free(client);
}
