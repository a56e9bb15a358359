/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http/http_lookup.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

#define HOSTS_LINES_LIMIT 100000

struct http_lookup {
	struct evdns_base *resolver;
	struct evdns_request *query; /* in progress; its callback is called also when cancelled */
	struct event *now;           /* reports what was known without a query */
	char name[256];
	uint16_t port;
	http_looked_up *done;
	void *context;
	struct http_addresses found;
};

void http_addresses_add(struct http_addresses *addresses, const void *socket, size_t len)
{
	if (addresses->count == HTTP_ADDRESS_LIMIT || len > sizeof(struct sockaddr_storage))
		return;
	struct http_address *address = &addresses->list[addresses->count++];
	memcpy(&address->socket, socket, len);
	address->len = (socklen_t)len;
}

int http_addresses_add_literal(struct http_addresses *addresses, const char *text, uint16_t port)
{
	struct sockaddr_in ip4 = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct sockaddr_in6 ip6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	if (inet_pton(AF_INET, text, &ip4.sin_addr) == 1)
		http_addresses_add(addresses, &ip4, sizeof(ip4));
	else if (inet_pton(AF_INET6, text, &ip6.sin6_addr) == 1)
		http_addresses_add(addresses, &ip6, sizeof(ip6));
	else
		return -EINVAL;
	return 0;
}

/* "ADDRESS NAME NAME… # comment" */
static void read_hosts_line(struct http_lookup *lookup, char *line)
{
	char *rest = NULL;
	line[strcspn(line, "#\n")] = '\0';
	const char *address = strtok_r(line, " \t", &rest);
	for (const char *name = address; name; name = strtok_r(NULL, " \t", &rest))
		if (name != address && strcasecmp(name, lookup->name) == 0) {
			http_addresses_add_literal(&lookup->found, address, lookup->port);
			return;
		}
}

static void read_hosts(struct http_lookup *lookup)
{
	CLEANUP(fclosep) FILE *file = fopen("/etc/hosts", "re");
	char line[1024];
	for (unsigned i = 0; file && i < HOSTS_LINES_LIMIT && fgets(line, sizeof(line), file); i++)
		read_hosts_line(lookup, line);
}

static void report(int fd, short what, void *context)
{
	struct http_lookup *lookup = context;
	lookup->done(&lookup->found, lookup->context);
}

static void add_answers(struct http_lookup *lookup, char type, int count, const void *addresses)
{
	for (int i = 0; i < count; i++) {
		struct sockaddr_in ip4 = { .sin_family = AF_INET, .sin_port = htons(lookup->port) };
		struct sockaddr_in6 ip6 = { .sin6_family = AF_INET6,
					    .sin6_port = htons(lookup->port) };
		if (type == DNS_IPv4_A) {
			memcpy(&ip4.sin_addr, (const char *)addresses + 4L * i, 4);
			http_addresses_add(&lookup->found, &ip4, sizeof(ip4));
		} else if (type == DNS_IPv6_AAAA) {
			memcpy(&ip6.sin6_addr, (const char *)addresses + 16L * i, 16);
			http_addresses_add(&lookup->found, &ip6, sizeof(ip6));
		}
	}
}

static void on_ip6(int result, char type, int count, int ttl, void *addresses, void *context)
{
	struct http_lookup *lookup = context;
	lookup->query = NULL;
	if (!lookup->done) {
		free(lookup);
		return;
	}
	if (result == DNS_ERR_NONE)
		add_answers(lookup, type, count, addresses);
	report(-1, 0, lookup);
}

static void on_ip4(int result, char type, int count, int ttl, void *addresses, void *context)
{
	struct http_lookup *lookup = context;
	lookup->query = NULL;
	if (!lookup->done) {
		free(lookup);
		return;
	}
	if (result == DNS_ERR_NONE)
		add_answers(lookup, type, count, addresses);
	if (lookup->found.count == 0)
		lookup->query =
			evdns_base_resolve_ipv6(lookup->resolver, lookup->name, 0, on_ip6, lookup);
	if (!lookup->query)
		report(-1, 0, lookup);
}

static int start_query(struct http_lookup *lookup, struct event_base *base)
{
	lookup->resolver = evdns_base_new(base, 0);
	if (!lookup->resolver)
		return -ENOMEM;
	/* Without a usable resolv.conf libevent queries 127.0.0.1, as the C library does. */
	evdns_base_resolv_conf_parse(lookup->resolver, DNS_OPTIONS_ALL & ~DNS_OPTION_HOSTSFILE,
				     "/etc/resolv.conf");
	lookup->query = evdns_base_resolve_ipv4(lookup->resolver, lookup->name, 0, on_ip4, lookup);
	if (!lookup->query) /* a name that DNS cannot carry: nothing found */
		event_active(lookup->now, EV_TIMEOUT, 0);
	return 0;
}

int http_lookup_start(struct http_lookup **ret, struct event_base *base, const char *name,
		      uint16_t port, http_looked_up *done, void *context)
{
	struct http_lookup *lookup = calloc(1, sizeof(*lookup));
	if (!lookup)
		return -ENOMEM;
	int rc = 0;
	lookup->port = port;
	lookup->done = done;
	lookup->context = context;
	lookup->now = evtimer_new(base, report, lookup);
	memcpy(lookup->name, name, strnlen(name, sizeof(lookup->name) - 1));
	read_hosts(lookup);
	if (!lookup->now)
		rc = -ENOMEM;
	else if (lookup->found.count > 0)
		event_active(lookup->now, EV_TIMEOUT, 0);
	else
		rc = start_query(lookup, base);
	if (rc != 0)
		http_lookup_free(lookup);
	else
		*ret = lookup;
	return rc;
}

void http_lookup_free(struct http_lookup *lookup)
{
	if (!lookup)
		return;
	struct evdns_base *resolver = lookup->resolver;
	struct evdns_request *query = lookup->query;
	if (lookup->now)
		event_free(lookup->now);
	lookup->done = NULL;
	if (query)
		evdns_cancel_request(resolver, query); /* the callback frees the look-up */
	else
		free(lookup);
	if (resolver)
		evdns_base_free(resolver, 0);
}
