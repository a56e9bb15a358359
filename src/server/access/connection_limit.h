/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

struct sockaddr;

/*
 * How many connections there may be, in all and of one address. Programs of this host (loopback, a
 * UNIX socket) have no limit of their own, since all of them have one address, and a reserve that
 * others do not get. All functions are thread-safe.
 */
struct connection_limit;

struct connection_limit_options {
	unsigned most;    /* connections */
	unsigned reserve; /* of these, for programs of this host alone */
	unsigned address; /* of one address of another host */
};

enum connection_verdict {
	CONNECTION_WELCOME,
	CONNECTION_RESERVED, /* welcome; an idle one is to be ended for it */
	CONNECTION_CROWDED,  /* welcome only if an idle one is ended for it */
	CONNECTION_REFUSED,
};

struct connection_limit *connection_limit_new(const struct connection_limit_options *options);
void connection_limit_free(struct connection_limit *limit); /* NULL is fine */
/* A connection of that address begins; it is counted in any case, until connection_limit_leave. */
enum connection_verdict connection_limit_enter(struct connection_limit *limit,
					       const struct sockaddr *address);
void connection_limit_leave(struct connection_limit *limit, const struct sockaddr *address);

/* Raises how many files this process may have open as far as it may. Returns how many connections
 * of `wanted` fit. */
unsigned connection_limit_files(unsigned wanted);
