/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "base/id.h"
#include "server/api/metrics.h"
#include "server/settings.h"

struct MHD_Daemon;
struct guard;
struct journal;
struct live;
struct sessions;
struct store;
struct tokens;

/*
 * The server: libmicrohttpd's pool of threads answers requests (each by one handler, which may call
 * the store), and one more thread, the ticker, looks once a second at what no request does: slow
 * clients, removed tokens, what live watchers must be told. The parts below lock themselves.
 */
struct server {
	const struct settings *settings; /* not owned */
	struct store *store;
	struct tokens *tokens;
	struct sessions *sessions;
	struct guard *guard;
	struct live *live;
	struct journal *journal; /* batches as they came; NULL: none are kept */
	struct metrics metrics;
	struct MHD_Daemon *daemon;
	atomic_uint_fast64_t changes; /* batches that changed the store */
	atomic_bool stopping;
	/* What engines told: since when this server numbers it, and whether any is to be linked. */
	struct id instance;
	atomic_uint_fast64_t told_sequence;
	atomic_bool listens;
	int64_t started_at;
	char *tls_certificate, *tls_key; /* PEM */
	char url[128];
	/* Of the ticker alone: not before; the changes that were linked. */
	uint64_t publish_at_ns, link_at_ns, linked;
	void *ticker;
};

#define SERVER_THREADS         8
#define SERVER_CONNECTIONS     512
#define SERVER_CONNECTIONS_IP  256         /* of one address */
#define SERVER_HEADER_BYTES    (32 << 10)  /* request line and headers */
#define SERVER_URI_BYTES       4096        /* path and query */
#define SERVER_DISCARD_BYTES   (16u << 20) /* read from a refused client, so that it hears why */
#define SERVER_ARRIVAL_S       20          /* a request must have come whole */
#define SERVER_IDLE_S          60          /* nothing moves on a connection */
#define SERVER_TOKENS_RELOAD_S 5

/* Opens store and tokens, serves, and writes the URL file. -EADDRINUSE, -EACCES and the like with
 * words. settings must outlive it. */
int server_start(struct server **ret, const struct settings *settings, struct error *err);
/* Ends streams and queries, lets running requests finish, closes the store (which checkpoints).
 * NULL is fine. */
void server_stop(struct server *server);

/* What tracer-lake does: reads its arguments, serves until SIGTERM or SIGINT (SIGHUP: reads the
 * tokens again). Returns the exit status. */
int server_main(int argc, char **argv);
