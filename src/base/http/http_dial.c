/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http/http_dial.h"

#include <errno.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/http/http_lookup.h"

struct http_dial {
	struct event_base *base;
	struct http_url url;
	http_dialed *dialed;
	void *context;
	struct event *step; /* first: start; then: the socket is connected, or that failed */
	struct http_lookup *lookup;
	struct http_addresses addresses;
	size_t next;
	int fd;
	int error; /* of the last try */
};

/* Adds addresses that need no look-up. false: the name must be looked up. */
static bool add_known(struct http_dial *dial)
{
	if (dial->url.local) {
		struct sockaddr_un unix_socket = { .sun_family = AF_UNIX };
		memcpy(unix_socket.sun_path, dial->url.socket, sizeof(unix_socket.sun_path));
		http_addresses_add(&dial->addresses, &unix_socket, sizeof(unix_socket));
		return true;
	}
	if (strcasecmp(dial->url.host, "localhost") == 0) {
		http_addresses_add_literal(&dial->addresses, "127.0.0.1", dial->url.port);
		http_addresses_add_literal(&dial->addresses, "::1", dial->url.port);
		return true;
	}
	return http_addresses_add_literal(&dial->addresses, dial->url.host, dial->url.port) == 0;
}

static void report_failure(struct http_dial *dial, int error, const char *why)
{
	struct error words;
	if (dial->url.local)
		error_set(&words, error, "cannot connect to %s: %s", dial->url.socket, why);
	else
		error_set(&words, error, "cannot connect to %s port %u: %s", dial->url.host,
			  dial->url.port, why);
	dial->dialed(error, &words, dial->context);
}

static void report_success(struct http_dial *dial)
{
	int on = 1;
	if (!dial->url.local)
		setsockopt(dial->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	dial->dialed(TAKE_FD(dial->fd), NULL, dial->context);
}

/* Starts to connect to the next address. true: it is in progress, or done. */
static bool connect_next(struct http_dial *dial)
{
	const struct http_address *address = &dial->addresses.list[dial->next++];
	closep(&dial->fd);
	dial->fd = socket(address->socket.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (dial->fd < 0) {
		dial->error = -errno;
		return false;
	}
	/* EAGAIN: a unix socket with a full backlog; waiting would not show when it has room. */
	if (connect(dial->fd, (const struct sockaddr *)&address->socket, address->len) < 0 &&
	    errno != EINPROGRESS) {
		dial->error = -errno;
		return false;
	}
	return true;
}

static void on_step(int fd, short what, void *context);

static void try_addresses(struct http_dial *dial)
{
	while (dial->next < dial->addresses.count) {
		if (!connect_next(dial))
			continue;
		event_free(dial->step);
		dial->step = event_new(dial->base, dial->fd, EV_WRITE, on_step, dial);
		if (!dial->step || event_add(dial->step, NULL) != 0)
			report_failure(dial, -ENOMEM, "no memory");
		return;
	}
	report_failure(dial, dial->error, strerror(-dial->error));
}

static void on_looked_up(const struct http_addresses *found, void *context)
{
	struct http_dial *dial = context;
	dial->addresses = *found;
	if (found->count > 0)
		try_addresses(dial);
	else
		report_failure(dial, -EHOSTUNREACH, "its name is not known");
}

/* A socket is connected, or that failed. */
static void on_step(int fd, short what, void *context)
{
	struct http_dial *dial = context;
	int error = 0;
	socklen_t len = sizeof(error);
	if (getsockopt(dial->fd, SOL_SOCKET, SO_ERROR, &error, &len) < 0)
		error = errno;
	dial->error = -error;
	if (error == 0)
		report_success(dial);
	else
		try_addresses(dial);
}

static void on_start(int fd, short what, void *context)
{
	struct http_dial *dial = context;
	if (add_known(dial))
		try_addresses(dial);
	else if (http_lookup_start(&dial->lookup, dial->base, dial->url.host, dial->url.port,
				   on_looked_up, dial) != 0)
		report_failure(dial, -ENOMEM, "no memory");
}

int http_dial_start(struct http_dial **ret, struct event_base *base, const struct http_url *url,
		    http_dialed *dialed, void *context)
{
	struct http_dial *dial = calloc(1, sizeof(*dial));
	if (!dial)
		return -ENOMEM;
	dial->base = base;
	dial->url = *url;
	dial->dialed = dialed;
	dial->context = context;
	dial->fd = -1;
	dial->step = evtimer_new(base, on_start, dial);
	if (!dial->step) {
		http_dial_free(dial);
		return -ENOMEM;
	}
	event_active(dial->step, EV_TIMEOUT, 0);
	*ret = dial;
	return 0;
}

void http_dial_free(struct http_dial *dial)
{
	if (!dial)
		return;
	http_lookup_free(dial->lookup);
	if (dial->step)
		event_free(dial->step);
	closep(&dial->fd);
	free(dial);
}
