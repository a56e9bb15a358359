/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * Ends connections that do not send a complete request in time. The timeout of libmicrohttpd starts
 * again with each byte, so a client that sends one byte a second would hold a connection for ever.
 * Times are clock_monotonic_ns(). All functions are thread-safe.
 */
struct slow_clients;
struct slow_client; /* one connection */

struct slow_clients *slow_clients_new(uint64_t patience_ns); /* NULL: no memory */
void slow_clients_free(struct slow_clients *slow_clients);

/* Adds a new connection, which owes its first request from now on. Valid until
 * slow_clients_remove; NULL: no memory. The functions below accept that NULL. */
struct slow_client *slow_clients_add(struct slow_clients *slow_clients, int fd, uint64_t now_ns);
void slow_clients_remove(struct slow_clients *slow_clients, struct slow_client *client);

/* The request is complete: the client owes nothing. */
void slow_clients_arrived(struct slow_clients *slow_clients, struct slow_client *client);
/* The answer is sent: the client owes the next request. */
void slow_clients_await(struct slow_clients *slow_clients, struct slow_client *client,
			uint64_t now_ns);

/* Shuts down the sockets of clients that owe a request for longer than patience_ns. Returns how
 * many. */
unsigned slow_clients_end(struct slow_clients *slow_clients, uint64_t now_ns);
/* Shuts down the one that owes a request for longest, to make room; false: none owes one. */
bool slow_clients_end_oldest(struct slow_clients *slow_clients);
/* How many connections are open. */
unsigned slow_clients_count(struct slow_clients *slow_clients);
