/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/analysis_worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/findings/analysis.h"
#include "server/query/query.h"
#include "server/query/run.h"
#include "server/query/run_cache.h"
#include "server/server.h"

#define NEWEST_RUNS  100 /* as many as a list shows */
#define WANTED_MAX   256
#define PAUSE_MIN_NS (NS_PER_S / 2)
#define PAUSE_MAX_NS (5 * NS_PER_S)

struct analysis_worker {
	struct server *server;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stop;
	bool stopping;
	char wanted[WANTED_MAX][RUN_ID_SIZE];
	size_t wanted_count;
	uint64_t seen_changes; /* of the server, when the newest runs were looked at */
	bool looked;
};

static bool is_stopping(struct analysis_worker *worker)
{
	bool stopping;

	pthread_mutex_lock(&worker->lock);
	stopping = worker->stopping;
	pthread_mutex_unlock(&worker->lock);
	return stopping;
}

/* Waits ten times as long as the last round took; false: the worker is to end. */
static bool rest(struct analysis_worker *worker, uint64_t took_ns)
{
	uint64_t pause_ns = 10 * took_ns;
	struct timespec until;
	bool stopping;

	pause_ns = pause_ns < PAUSE_MIN_NS ? PAUSE_MIN_NS : pause_ns;
	pause_ns = pause_ns > PAUSE_MAX_NS ? PAUSE_MAX_NS : pause_ns;
	clock_gettime(CLOCK_MONOTONIC, &until);
	pause_ns += (uint64_t)until.tv_nsec;
	until.tv_sec += (time_t)(pause_ns / NS_PER_S);
	until.tv_nsec = (long)(pause_ns % NS_PER_S);
	pthread_mutex_lock(&worker->lock);
	while (!worker->stopping &&
	       pthread_cond_timedwait(&worker->stop, &worker->lock, &until) != ETIMEDOUT)
		;
	stopping = worker->stopping;
	pthread_mutex_unlock(&worker->lock);
	return !stopping;
}

/* Analyses the runs of the rows that have another stamp than their last analysis. Returns whether
 * there was one. */
static bool analyse_rows(struct analysis_worker *worker, struct store_rows *rows)
{
	bool any = false;

	while (store_next(rows) && !is_stopping(worker)) {
		const struct run_stamp stamp = { row_i64(rows, "stamp"), row_bool(rows, "open") };
		const char *id = row_text(rows, "id");
		CLEANUP(analysis_putp)
		struct analysis *analysis =
			run_cache_get(worker->server->analyses, id, &stamp, clock_monotonic_ns());
		struct error err = { "" };
		int rc = analysis ? 0
				  : analysis_get_stamped(&analysis, worker->server, id, &stamp,
							 &err);

		any |= rc == 0;
		if (rc && rc != -ENOENT && rc != -ECANCELED)
			log_error("run %s is not analysed: %s", id, error_text(&err));
	}
	return any;
}

static bool analyse(struct analysis_worker *worker, const char *id, int64_t limit)
{
	const struct store_param params[] = { PARAM_OPTIONAL("run", id),
					      PARAM_I64("limit", limit) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct error err = { "" };
	int rc = QUERY(worker->server, "run_stamps", params, &rows, &err);

	if (rc && rc != -ECANCELED)
		log_error("runs are not analysed: %s", error_text(&err));
	return rc == 0 && analyse_rows(worker, rows);
}

static bool take_wanted(struct analysis_worker *worker, char id[RUN_ID_SIZE])
{
	bool taken;

	pthread_mutex_lock(&worker->lock);
	taken = worker->wanted_count > 0 && !worker->stopping;
	if (taken)
		memcpy(id, worker->wanted[--worker->wanted_count], RUN_ID_SIZE);
	pthread_mutex_unlock(&worker->lock);
	return taken;
}

/* The newest runs, where the store changed; then those that lists asked for. */
static bool work(struct analysis_worker *worker)
{
	uint64_t changes = worker->server->changes;
	char id[RUN_ID_SIZE];
	bool any = false;

	if (!worker->looked || changes != worker->seen_changes)
		any = analyse(worker, NULL, NEWEST_RUNS);
	worker->looked = true;
	worker->seen_changes = changes;
	while (take_wanted(worker, id))
		any |= analyse(worker, id, 1);
	return any;
}

static void *run(void *context)
{
	struct analysis_worker *worker = context;
	uint64_t took_ns = 0;

	while (rest(worker, took_ns)) {
		uint64_t began_ns = clock_monotonic_ns();

		if (work(worker))
			worker->server->verdicts++; /* watchers see them */
		took_ns = clock_monotonic_ns() - began_ns;
	}
	return NULL;
}

int analysis_worker_start(struct analysis_worker **ret, struct server *server, struct error *err)
{
	struct analysis_worker *worker = calloc(1, sizeof(*worker));
	pthread_condattr_t attributes;
	int rc;

	if (!worker)
		return error_set(err, -ENOMEM, "out of memory");
	worker->server = server;
	pthread_mutex_init(&worker->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&worker->stop, &attributes);
	pthread_condattr_destroy(&attributes);
	rc = pthread_create(&worker->thread, NULL, run, worker);
	if (rc) {
		pthread_cond_destroy(&worker->stop);
		pthread_mutex_destroy(&worker->lock);
		free(worker);
		return error_set(err, -rc, "cannot start a thread: %s", strerror(rc));
	}
	*ret = worker;
	return 0;
}

void analysis_worker_stop(struct analysis_worker *worker)
{
	if (!worker)
		return;
	pthread_mutex_lock(&worker->lock);
	worker->stopping = true;
	pthread_cond_signal(&worker->stop);
	pthread_mutex_unlock(&worker->lock);
	pthread_join(worker->thread, NULL);
	pthread_cond_destroy(&worker->stop);
	pthread_mutex_destroy(&worker->lock);
	free(worker);
}

void analysis_worker_want(struct analysis_worker *worker, const char *id)
{
	bool known = false;

	pthread_mutex_lock(&worker->lock);
	for (size_t i = 0; i < worker->wanted_count && !known; i++)
		known = strcmp(worker->wanted[i], id) == 0;
	if (!known && worker->wanted_count < WANTED_MAX) {
		char *place = worker->wanted[worker->wanted_count++];

		memset(place, 0, RUN_ID_SIZE);
		memcpy(place, id, strnlen(id, RUN_ID_SIZE - 1));
	}
	pthread_mutex_unlock(&worker->lock);
}
