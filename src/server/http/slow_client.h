/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * Ends connections whose next request does not arrive in time: libmicrohttpd's own timeout starts
 * anew with each byte, so that a client which sends one byte a second would hold a connection for
 * ever. Times are clock_monotonic_ns(). Threads may call all of it at once.
 */
struct guard;

struct guard *guard_new(uint64_t patience_ns); /* NULL: no memory */
void guard_free(struct guard *guard);

/* A connection begins. The returned place belongs to it until guard_end; NULL: no memory. */
struct guard_place *guard_begin(struct guard *guard, int fd, uint64_t now_ns);
void guard_end(struct guard *guard, struct guard_place *place);

/* The request is complete: nothing is awaited from the client. */
void guard_arrived(struct guard *guard, struct guard_place *place);
/* The answer is sent: the next request is awaited. */
void guard_awaits(struct guard *guard, struct guard_place *place, uint64_t now_ns);

/* Shuts down the sockets that have been awaited for too long. Returns how many. */
unsigned guard_sweep(struct guard *guard, uint64_t now_ns);
/* How many connections there are. */
unsigned guard_count(struct guard *guard);
