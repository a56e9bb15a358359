/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct event_base;

/*
 * The addresses of a name without the C library's resolver, which a static program does not have:
 * from /etc/hosts, else from the servers of /etc/resolv.conf (A, and AAAA where there is none).
 */
#define HTTP_ADDRESS_LIMIT 8

struct http_addresses {
	struct http_address {
		struct sockaddr_storage socket;
		socklen_t len;
	} list[HTTP_ADDRESS_LIMIT];
	size_t count;
};

/* Adds one, if there is room. */
void http_addresses_add(struct http_addresses *addresses, const void *socket, size_t len);
/* Adds a literal IPv4 or IPv6 address with port. 0, or -EINVAL: it is none. */
int http_addresses_add_literal(struct http_addresses *addresses, const char *text, uint16_t port);

struct http_lookup;
/* found: none when the name is not known. Called once, from the loop; the look-up may be freed in
 * it. */
typedef void http_looked_up(const struct http_addresses *found, void *context);

/* -ENOMEM. */
int http_lookup_start(struct http_lookup **ret, struct event_base *base, const char *name,
		      uint16_t port, http_looked_up *done, void *context);
/* NULL is fine. One under way is given up; its memory comes back when the loop runs next. */
void http_lookup_free(struct http_lookup *lookup);
