/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "base/id.h"
#include "base/memory/budget.h"
#include "server/api/metrics.h"
#include "server/findings/settle_backlog.h"
#include "server/publish.h"
#include "server/quiet.h"
#include "server/roll_up.h"
#include "server/settings.h"

struct MHD_Daemon;
struct connection_limit;
struct host_cache;
struct cost_policy;
struct slow_clients;
struct journal;
struct live;
struct peers;
struct sessions;
struct store;
struct tls;
struct tokens;
struct query_pool;
struct run_cache;
struct run_owners;
struct analysis_worker;
struct inventory_service;
struct sweep_policy;
struct sweeper;
struct worker;

/*
 * The server. Threads of libmicrohttpd answer requests, each by one handler, which may call the
 * store. One more thread, the ticker, does once a second the work that belongs to no request: it
 * ends slow clients, forgets removed tokens, reads certificates again, and sends news to live
 * watchers. Another one analyses runs
 * (server/findings/analysis_worker.h), a third looks for waste (server/sweep/sweeper.h). The
 * members below lock themselves.
 */
struct server {
	const struct settings *settings; /* not owned */
	struct store *store;
	struct cost_policy *policy;        /* settings of costs; never changed */
	struct sweep_policy *waste_policy; /* settings of sweeps; never changed */
	struct host_cache *host_cache;     /* of sweeps */
	struct tokens *tokens;
	struct sessions *sessions;
	struct slow_clients *slow_clients;
	struct connection_limit *connections;
	struct live *live;
	struct tls *tls; /* NULL: it serves without */
	struct run_owners *run_owners;
	struct journal *journal;    /* the batches as received; NULL: none are kept */
	struct run_cache *walls;    /* of struct run_wall */
	struct run_cache *analyses; /* of struct analysis */
	struct analysis_worker *analyst;
	struct settle_backlog settling; /* used by the analyst alone */
	struct sweeper *sweeper;
	struct worker *worker;               /* jobs of administrators, retention */
	struct inventory_service *inventory; /* NULL: no account is listed */
	struct metrics metrics;
	struct query_pool *queries;
	struct memory_budget answers; /* that are made, or not sent yet */
	struct MHD_Daemon *daemon;
	struct MHD_Daemon *local_daemon; /* of the UNIX socket; NULL: there is none */
	struct peers *peers;             /* its users */
	atomic_uint_fast64_t changes;    /* batches that changed the store */
	atomic_uint_fast64_t verdicts;   /* how often new ones were found for lists */
	atomic_bool stopping;
	atomic_bool importing; /* a bill */
	/* Reports of engines: the boot id and sequence of their batches, and whether the store has
	 * any. */
	struct id instance;
	atomic_uint_fast64_t report_sequence;
	atomic_bool has_engine_reports;
	int64_t started_at;
	char url[128];
	char session_cookie[32]; /* SESSION_COOKIE and the port */
	/* Used by the ticker alone: the earliest times of the next work; the changes already
	 * linked. */
	uint64_t link_at_ns, linked;
	struct roll_up roll_up;
	struct publish_pace pace;
	struct quiet quiet;
	void *ticker;
};

#define SERVER_THREADS        8
#define SERVER_THREADS_LOCAL  4          /* of the UNIX socket */
#define SERVER_CONNECTIONS    20000      /* as many as the process may have open files */
#define SERVER_RESERVE        256        /* of these, for programs of this host */
#define SERVER_CONNECTIONS_IP 256        /* of one address of another host */
#define SERVER_HEADER_BYTES   (12 << 10) /* request line, headers */
#define SERVER_URI_BYTES      4096       /* path and query */
#define SERVER_DISCARD_BYTES                                                              \
	(16u << 20)               /* read from a refused client before the answer is sent \
				   */
#define SERVER_ARRIVAL_S       20 /* within which a request must be complete */
#define SERVER_IDLE_S          60 /* without any byte on a connection */
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
