/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ticker.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "lake/store/store.h"
#include "server/access/tokens.h"
#include "server/api/live.h"
#include "server/http/slow_client.h"
#include "server/http/tls.h"
#include "server/publish.h"
#include "server/quiet.h"
#include "server/roll_up.h"
#include "server/server.h"

struct ticker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stop;
};

/* Links the runs and tasks that engines reported with those that agents saw, when the store
 * changed; a tenth of a core at most. */
static void link_engine_reports(struct server *server)
{
	uint64_t begun_ns = clock_monotonic_ns(), changes = server->changes;
	struct error err = { "" };

	if (!server->has_engine_reports || changes == server->linked ||
	    begun_ns < server->link_at_ns)
		return;
	if (store_link(server->store, &err))
		log_error("the names that engines reported are not linked: %s", error_text(&err));
	server->linked = changes;
	server->changes++; /* watchers see the names */
	server->linked++;
	server->link_at_ns = begun_ns + 10 * (clock_monotonic_ns() - begun_ns);
}

/* The work of one second; `second` counts from 1 at the start. */
static void tick(struct server *server, uint64_t second)
{
	struct error err = { "" };

	server->metrics.timeouts += slow_clients_end(server->slow_clients, clock_monotonic_ns());
	if (second % SERVER_TOKENS_RELOAD_S == 0 && tokens_reload(server->tokens, true, &err))
		log_warning("%s; the tokens read before stay valid", error_text(&err));
	if (server->tls)
		tls_tick(server->tls, clock_real_ns());
	link_engine_reports(server);
	server_roll_up(server, second);
	live_tick(server->live);
	server_release_memory(server);
}

/* Until the time, or until the server stops. With the lock held. */
static void wait_until(struct ticker *ticker, uint64_t until_ns)
{
	const struct timespec until = { (time_t)(until_ns / NS_PER_S),
					(long)(until_ns % NS_PER_S) };

	(void)pthread_cond_timedwait(&ticker->stop, &ticker->lock, &until);
}

/* The next second; sooner while somebody watches. */
static uint64_t next_look(struct server *server, uint64_t second_ns)
{
	uint64_t look_ns = clock_monotonic_ns() + PUBLISH_LOOK_NS;

	return look_ns < second_ns && live_watchers(server->live) ? look_ns : second_ns;
}

static void *run_ticker(void *context)
{
	struct server *server = context;
	struct ticker *ticker = server->ticker;
	uint64_t second = 1, second_ns = clock_monotonic_ns() + NS_PER_S;

	pthread_mutex_lock(&ticker->lock);
	while (!server->stopping) {
		wait_until(ticker, next_look(server, second_ns));
		if (server->stopping)
			break;
		server_publish(server);
		if (clock_monotonic_ns() < second_ns)
			continue;
		tick(server, second++);
		second_ns = clock_monotonic_ns() + NS_PER_S;
	}
	pthread_mutex_unlock(&ticker->lock);
	return NULL;
}

int ticker_start(struct server *server, struct error *err)
{
	struct ticker *ticker = calloc(1, sizeof(*ticker));
	pthread_condattr_t attributes;
	int rc;

	if (!ticker)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_mutex_init(&ticker->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&ticker->stop, &attributes);
	pthread_condattr_destroy(&attributes);
	server->ticker = ticker;
	rc = pthread_create(&ticker->thread, NULL, run_ticker, server);
	if (rc) {
		server->ticker = NULL;
		free(ticker);
		return error_set(err, -rc, "cannot start a thread: %s", strerror(rc));
	}
	return 0;
}

void ticker_stop(struct server *server)
{
	struct ticker *ticker = server->ticker;

	if (!ticker)
		return;
	pthread_mutex_lock(&ticker->lock);
	server->stopping = true;
	pthread_cond_signal(&ticker->stop);
	pthread_mutex_unlock(&ticker->lock);
	pthread_join(ticker->thread, NULL);
	pthread_cond_destroy(&ticker->stop);
	pthread_mutex_destroy(&ticker->lock);
	free(ticker);
	server->ticker = NULL;
}
