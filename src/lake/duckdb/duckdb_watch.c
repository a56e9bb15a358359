/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_watch.h"

#include "base/clock.h"
#include "lake/store/store_reader.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* DuckDB forgets an interrupt when it begins a statement: it is repeated until the query ends. */
#define AGAIN_NS ((uint64_t)(100 * NS_PER_MS))

#define LONG_NS ((uint64_t)(600 * NS_PER_S))

struct duckdb_watch {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t limit_ns;
	uint64_t next_ns; /* until when the thread waits; UINT64_MAX: for a change */
	bool stopping, closing;
	struct duckdb_watched *first;
};

/* Ends queries that are due. Returns when to look again; UINT64_MAX: when something changes. */
static uint64_t look(struct duckdb_watch *watch)
{
	uint64_t now_ns = clock_monotonic_ns(), next_ns = UINT64_MAX;

	for (struct duckdb_watched *query = watch->first; query; query = query->next) {
		bool has_gone = query->reader && query->reader->gone;
		uint64_t at_ns = query->until_ns;

		if (watch->stopping || has_gone || at_ns <= now_ns) {
			if (!query->ended)
				query->ended = at_ns > now_ns ? -ECANCELED : -ETIMEDOUT;
			duckdb_interrupt(query->connection);
			at_ns = now_ns + AGAIN_NS;
		} else if (query->reader && at_ns > now_ns + AGAIN_NS) {
			at_ns = now_ns + AGAIN_NS;
		}
		if (at_ns < next_ns)
			next_ns = at_ns;
	}
	return next_ns;
}

static void *run_watch(void *context)
{
	struct duckdb_watch *watch = context;

	pthread_mutex_lock(&watch->lock);
	while (!watch->closing) {
		uint64_t next_ns = watch->next_ns = look(watch);
		struct timespec until = { .tv_sec = (time_t)(next_ns / NS_PER_S),
					  .tv_nsec = (long)(next_ns % NS_PER_S) };

		if (next_ns == UINT64_MAX)
			pthread_cond_wait(&watch->changed, &watch->lock);
		else
			pthread_cond_timedwait(&watch->changed, &watch->lock, &until);
	}
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

static void release(struct duckdb_watch *watch)
{
	pthread_cond_destroy(&watch->changed);
	pthread_mutex_destroy(&watch->lock);
	free(watch);
}

int duckdb_watch_open(struct duckdb_watch **ret, uint64_t limit_ns, struct error *err)
{
	struct duckdb_watch *watch = calloc(1, sizeof(*watch));
	pthread_condattr_t attributes;
	int rc;

	if (!watch)
		return error_set(err, -ENOMEM, "no memory to open the store");
	watch->limit_ns = limit_ns;
	pthread_mutex_init(&watch->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	rc = pthread_create(&watch->thread, NULL, run_watch, watch);
	if (rc) {
		release(watch);
		return error_set(err, -rc, "cannot start a thread: %s", strerror(rc));
	}
	*ret = watch;
	return 0;
}

void duckdb_watch_close(struct duckdb_watch *watch)
{
	if (!watch)
		return;
	pthread_mutex_lock(&watch->lock);
	watch->closing = true;
	pthread_cond_signal(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
	pthread_join(watch->thread, NULL);
	release(watch);
}

static void watch_for(struct duckdb_watch *watch, struct duckdb_watched *query,
		      duckdb_connection connection, uint64_t limit_ns)
{
	const struct store_reader *reader = store_reader_current();
	uint64_t until_ns = clock_monotonic_ns() + limit_ns;

	if (reader && reader->until_ns && reader->until_ns < until_ns)
		until_ns = reader->until_ns;
	pthread_mutex_lock(&watch->lock);
	*query = (struct duckdb_watched){ .next = watch->first,
					  .connection = connection,
					  .reader = reader,
					  .until_ns = until_ns };
	/* The thread may wait for one that ends later, or look for readers that have gone. */
	if (query->until_ns < watch->next_ns || watch->stopping || reader)
		pthread_cond_signal(&watch->changed);
	watch->first = query;
	pthread_mutex_unlock(&watch->lock);
}

void duckdb_watch_begin(struct duckdb_watch *watch, struct duckdb_watched *query,
			duckdb_connection connection)
{
	watch_for(watch, query, connection, watch->limit_ns);
}

void duckdb_watch_begin_long(struct duckdb_watch *watch, struct duckdb_watched *query,
			     duckdb_connection connection)
{
	watch_for(watch, query, connection, LONG_NS);
}

static void take_out(struct duckdb_watch *watch, const struct duckdb_watched *query)
{
	struct duckdb_watched **place = &watch->first;

	while (*place != query)
		place = &(*place)->next;
	*place = query->next;
}

int duckdb_watch_end(struct duckdb_watch *watch, struct duckdb_watched *query, int rc,
		     struct error *err)
{
	pthread_mutex_lock(&watch->lock);
	take_out(watch, query);
	pthread_mutex_unlock(&watch->lock);
	if (rc != -EIO || !query->ended)
		return rc;
	if (query->ended == -ECANCELED)
		return error_set(err, -ECANCELED,
				 "the lake is being stopped, or the client has gone; ask again "
				 "later");
	return error_set(
		err, -ETIMEDOUT,
		"the store looked for an answer for %.15g s, which is as long as it may; ask "
		"for less (a shorter time, a smaller limit), or let it take longer "
		"(tracer-lake --query-limit)",
		(double)watch->limit_ns / NS_PER_S);
}

void duckdb_watch_stop(struct duckdb_watch *watch)
{
	pthread_mutex_lock(&watch->lock);
	watch->stopping = true;
	pthread_cond_signal(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
}
