/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/sweeper.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/server.h"
#include "server/sweep/host_cache.h"
#include "server/sweep/sweep_source.h"
#include "sweep/sweep.h"

#define NICENESS  15 /* pipelines of this host come first */
#define EVERY_NS  ((uint64_t)(60 * NS_PER_S))
#define PAUSE     4              /* × what a sweep took: a fifth of a core at most */
#define OF_THREAD (EVERY_NS / 2) /* what a page asked for meanwhile is recent enough */

struct sweeper {
	struct server *server;
	pthread_t thread;
	pthread_mutex_t lock; /* of the stop */
	pthread_cond_t stop;
	bool stopping;
	int64_t started_at;

	pthread_mutex_t sweeping;    /* held over a sweep, and while its result is read: */
	struct sweep_record *record; /* NULL: not read yet */
	struct wastes wastes;
	int64_t now_at;
	uint64_t swept_ns; /* monotonic clock; 0: never */
};

/* Under the lock. What a sweep that fails found is left as it was. */
static int sweep(struct sweeper *sweeper, struct error *err)
{
	CLEANUP(sweep_source_clear) struct sweep_source source = { 0 };
	CLEANUP(wastes_clear) struct wastes found = { 0 };
	int rc = sweeper->record ? 0
				 : sweep_record_load(&sweeper->record, sweeper->server,
						     sweeper->started_at, err);

	if (rc == 0)
		rc = sweep_source_read(sweeper->server, clock_real_ns(), &source, err);
	if (rc)
		return rc;
	source.input.heard_since = sweeper->started_at;
	rc = sweep_find(&source.input, &found);
	if (rc)
		return error_set(err, rc, "no memory for a sweep");
	rc = sweep_record_note(sweeper->record, sweeper->server, &source.input, &found,
			       sweeper->swept_ns ? &sweeper->wastes : NULL, err);
	if (rc)
		return rc;
	wastes_clear(&sweeper->wastes);
	sweeper->wastes = found;
	found = (struct wastes){ 0 };
	sweeper->now_at = source.input.now_at;
	sweeper->swept_ns = clock_monotonic_ns();
	return 0;
}

int sweeper_look(struct sweeper *sweeper, uint64_t max_age_ns, struct sweep_view *ret,
		 struct error *err)
{
	int rc = 0;

	pthread_mutex_lock(&sweeper->sweeping);
	if (!sweeper->swept_ns || clock_monotonic_ns() - sweeper->swept_ns > max_age_ns)
		rc = sweep(sweeper, err);
	if (rc)
		pthread_mutex_unlock(&sweeper->sweeping);
	else
		*ret = (struct sweep_view){ sweeper->now_at, &sweeper->wastes, sweeper->record };
	return rc;
}

void sweeper_done(struct sweeper *sweeper)
{
	pthread_mutex_unlock(&sweeper->sweeping);
}

/* false: the server stops. */
static bool wait_until(struct sweeper *sweeper, uint64_t until_ns)
{
	const struct timespec until = { (time_t)(until_ns / NS_PER_S),
					(long)(until_ns % NS_PER_S) };
	bool stopping;

	pthread_mutex_lock(&sweeper->lock);
	while (!sweeper->stopping && clock_monotonic_ns() < until_ns)
		(void)pthread_cond_timedwait(&sweeper->stop, &sweeper->lock, &until);
	stopping = sweeper->stopping;
	pthread_mutex_unlock(&sweeper->lock);
	return !stopping;
}

static void *run(void *context)
{
	struct sweeper *sweeper = context;
	uint64_t next_ns = clock_monotonic_ns() + EVERY_NS;

	(void)setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS);
	while (wait_until(sweeper, next_ns)) {
		uint64_t began_ns = clock_monotonic_ns(), pause_ns;
		struct error err = { "" };
		struct sweep_view view;
		int rc = sweeper_look(sweeper, OF_THREAD, &view, &err);

		if (rc == 0)
			sweeper_done(sweeper);
		else if (rc != -ECANCELED)
			log_error("no waste is looked for: %s", error_text(&err));
		pause_ns = PAUSE * (clock_monotonic_ns() - began_ns);
		next_ns = began_ns + (pause_ns > EVERY_NS ? pause_ns : EVERY_NS);
	}
	return NULL;
}

static void destroy(struct sweeper *sweeper)
{
	pthread_cond_destroy(&sweeper->stop);
	pthread_mutex_destroy(&sweeper->lock);
	pthread_mutex_destroy(&sweeper->sweeping);
	wastes_clear(&sweeper->wastes);
	sweep_record_free(sweeper->record);
	host_cache_free(sweeper->server->host_cache);
	sweeper->server->host_cache = NULL;
	free(sweeper);
}

int sweeper_start(struct sweeper **ret, struct server *server, struct error *err)
{
	struct sweeper *sweeper = calloc(1, sizeof(*sweeper));
	pthread_condattr_t attributes;
	int rc;

	if (!sweeper)
		return error_set(err, -ENOMEM, "out of memory");
	sweeper->server = server;
	sweeper->started_at = clock_real_ns();
	server->host_cache = host_cache_new();
	pthread_mutex_init(&sweeper->lock, NULL);
	pthread_mutex_init(&sweeper->sweeping, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&sweeper->stop, &attributes);
	pthread_condattr_destroy(&attributes);
	rc = server->host_cache ? pthread_create(&sweeper->thread, NULL, run, sweeper) : ENOMEM;
	if (rc) {
		destroy(sweeper);
		return error_set(err, -rc, "cannot start a thread: %s", strerror(rc));
	}
	*ret = sweeper;
	return 0;
}

void sweeper_stop(struct sweeper *sweeper)
{
	if (!sweeper)
		return;
	pthread_mutex_lock(&sweeper->lock);
	sweeper->stopping = true;
	pthread_cond_signal(&sweeper->stop);
	pthread_mutex_unlock(&sweeper->lock);
	pthread_join(sweeper->thread, NULL);
	destroy(sweeper);
}
