#include "base/http_dial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"

#define ADDRESS_LIMIT 8

struct address {
	struct sockaddr_storage socket;
	socklen_t len;
};

/* A look-up outlives a dial that is freed amid it: libevent calls back also for one cancelled. */
struct lookup {
	struct http_dial *dial; /* NULL: nobody waits any more */
	struct evdns_getaddrinfo_request *request;
	bool answered;
};

struct http_dial {
	struct event_base *base;
	struct http_url url;
	http_dialed *dialed;
	void *context;
	struct event *step; /* a socket became writable, or (without one) the next thing to do */
	struct evdns_base *resolver;
	struct lookup *lookup;
	struct address addresses[ADDRESS_LIMIT];
	size_t count, next;
	int fd;
	int error; /* of the last try */
};

static void add_address(struct http_dial *dial, const void *socket, size_t len)
{
	if (dial->count == ADDRESS_LIMIT || len > sizeof(dial->addresses[0].socket))
		return;
	struct address *address = &dial->addresses[dial->count++];
	memcpy(&address->socket, socket, len);
	address->len = (socklen_t)len;
}

static bool add_literal(struct http_dial *dial, const char *host)
{
	struct sockaddr_in ip4 = { .sin_family = AF_INET, .sin_port = htons(dial->url.port) };
	struct sockaddr_in6 ip6 = { .sin6_family = AF_INET6, .sin6_port = htons(dial->url.port) };
	if (inet_pton(AF_INET, host, &ip4.sin_addr) == 1) {
		add_address(dial, &ip4, sizeof(ip4));
		return true;
	}
	if (inet_pton(AF_INET6, host, &ip6.sin6_addr) == 1) {
		add_address(dial, &ip6, sizeof(ip6));
		return true;
	}
	return false;
}

/* true: there is nothing to look up. */
static bool add_known(struct http_dial *dial)
{
	if (dial->url.local) {
		struct sockaddr_un unix_socket = { .sun_family = AF_UNIX };
		memcpy(unix_socket.sun_path, dial->url.socket, sizeof(unix_socket.sun_path));
		add_address(dial, &unix_socket, sizeof(unix_socket));
		return true;
	}
	if (strcasecmp(dial->url.host, "localhost") == 0) {
		add_literal(dial, "127.0.0.1");
		add_literal(dial, "::1");
		return true;
	}
	return add_literal(dial, dial->url.host);
}

static void tell_failure(struct http_dial *dial, int error, const char *why)
{
	struct error words;
	if (dial->url.local)
		error_set(&words, error, "cannot connect to %s: %s", dial->url.socket, why);
	else
		error_set(&words, error, "cannot connect to %s port %u: %s", dial->url.host,
			  dial->url.port, why);
	dial->dialed(error, &words, dial->context);
}

static void tell_success(struct http_dial *dial)
{
	int on = 1;
	if (!dial->url.local)
		setsockopt(dial->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	dial->dialed(TAKE_FD(dial->fd), NULL, dial->context);
}

/* Begins the next address. true: it is under way or there. */
static bool connect_next(struct http_dial *dial)
{
	const struct address *address = &dial->addresses[dial->next++];
	closep(&dial->fd);
	dial->fd = socket(address->socket.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (dial->fd < 0) {
		dial->error = -errno;
		return false;
	}
	/* EAGAIN: a unix socket whose backlog is full; waiting would not tell when it has room. */
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
	while (dial->next < dial->count) {
		if (!connect_next(dial))
			continue;
		event_free(dial->step);
		dial->step = event_new(dial->base, dial->fd, EV_WRITE, on_step, dial);
		if (!dial->step || event_add(dial->step, NULL) != 0)
			tell_failure(dial, -ENOMEM, "no memory");
		return;
	}
	tell_failure(dial, dial->error, strerror(-dial->error));
}

static void on_lookup(int result, struct evutil_addrinfo *answer, void *context)
{
	struct lookup *lookup = context;
	struct http_dial *dial = lookup->dial;
	lookup->answered = true;
	lookup->request = NULL;
	if (dial) {
		for (struct evutil_addrinfo *item = answer; item; item = item->ai_next)
			add_address(dial, item->ai_addr, item->ai_addrlen);
		dial->error = dial->count > 0 ? 0 : -EHOSTUNREACH;
		event_active(dial->step, EV_TIMEOUT, 0);
	} else {
		free(lookup);
	}
	if (answer)
		evutil_freeaddrinfo(answer);
}

/* 0: under way; it ends in on_step with addresses or an error. */
static int look_up(struct http_dial *dial)
{
	struct evutil_addrinfo hints = { .ai_family = AF_UNSPEC,
					 .ai_socktype = SOCK_STREAM,
					 .ai_protocol = IPPROTO_TCP };
	char port[8];
	dial->resolver = evdns_base_new(dial->base, 0);
	dial->lookup = calloc(1, sizeof(*dial->lookup));
	if (!dial->resolver || !dial->lookup)
		return -ENOMEM;
	/* Without a usable resolv.conf libevent asks 127.0.0.1, as the C library does. */
	evdns_base_resolv_conf_parse(dial->resolver, DNS_OPTIONS_ALL, "/etc/resolv.conf");
	evdns_base_load_hosts(dial->resolver, "/etc/hosts");
	evutil_snprintf(port, sizeof(port), "%u", dial->url.port);
	dial->lookup->dial = dial;
	struct evdns_getaddrinfo_request *request = evdns_getaddrinfo(
		dial->resolver, dial->url.host, port, &hints, on_lookup, dial->lookup);
	if (!dial->lookup->answered)
		dial->lookup->request = request;
	return 0;
}

/* The first call decides how addresses are found; later ones come with addresses, or with a socket
 * that is connected or refused. */
static void on_step(int fd, short what, void *context)
{
	struct http_dial *dial = context;
	if (dial->fd >= 0) {
		int error = 0;
		socklen_t len = sizeof(error);
		if (getsockopt(dial->fd, SOL_SOCKET, SO_ERROR, &error, &len) < 0)
			error = errno;
		if (error == 0) {
			tell_success(dial);
			return;
		}
		dial->error = -error;
	} else if (dial->lookup && dial->error != 0) {
		tell_failure(dial, dial->error, "its name is not known (DNS)");
		return;
	} else if (!dial->lookup && !add_known(dial)) {
		int rc = look_up(dial);
		if (rc != 0)
			tell_failure(dial, rc, "no memory");
		return;
	}
	try_addresses(dial);
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
	dial->error = -EHOSTUNREACH;
	dial->step = evtimer_new(base, on_step, dial);
	if (!dial->step) {
		http_dial_free(dial);
		return -ENOMEM;
	}
	dial->error = 0;
	event_active(dial->step, EV_TIMEOUT, 0);
	*ret = dial;
	return 0;
}

static void drop_lookup(struct lookup *lookup)
{
	if (!lookup->request) {
		free(lookup);
		return;
	}
	lookup->dial = NULL; /* on_lookup frees it */
	evdns_getaddrinfo_cancel(lookup->request);
}

void http_dial_free(struct http_dial *dial)
{
	if (!dial)
		return;
	if (dial->lookup)
		drop_lookup(dial->lookup);
	if (dial->resolver)
		evdns_base_free(dial->resolver, 1);
	if (dial->step)
		event_free(dial->step);
	closep(&dial->fd);
	free(dial);
}
