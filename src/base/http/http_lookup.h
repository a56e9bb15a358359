/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct event_base;

/*
 * Looks up the addresses of a name without the C library's resolver (NSS), which a static program
 * does not have: in /etc/hosts, else by the name servers of /etc/resolv.conf (A, and AAAA if there
 * is no A).
 */
#define HTTP_ADDRESS_LIMIT 8

struct http_addresses {
	struct http_address {
		struct sockaddr_storage socket;
		socklen_t len;
	} list[HTTP_ADDRESS_LIMIT];
	size_t count;
};

/* Adds a socket address, if there is room. */
void http_addresses_add(struct http_addresses *addresses, const void *socket, size_t len);
/* Adds a literal IPv4 or IPv6 address with port. -EINVAL: text is not one. */
int http_addresses_add_literal(struct http_addresses *addresses, const char *text, uint16_t port);

struct http_lookup;
/* found: empty if the name is not known. Called once, from the loop; may free the look-up. */
typedef void http_looked_up(const struct http_addresses *found, void *context);

/* Starts. -ENOMEM. */
int http_lookup_start(struct http_lookup **ret, struct event_base *base, const char *name,
		      uint16_t port, http_looked_up *done, void *context);
/* Gives up; the memory of a query in progress is freed when the loop runs next. NULL does nothing.
 */
void http_lookup_free(struct http_lookup *lookup);
