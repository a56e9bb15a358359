/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/analysis_worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/findings/analysis.h"
#include "server/findings/lake_use.h"
#include "server/findings/settle_runs.h"
#include "server/query/query.h"
#include "server/query/run.h"
#include "server/query/run_cache.h"
#include "server/server.h"

#define NICENESS    15  /* pipelines of this host come first */
#define NEWEST_RUNS 100 /* as many as a list shows */
#define WANTED_MAX  256
#define REST_MAX_NS ((uint64_t)(30 * NS_PER_S))
#define SAMPLES_NS  (11 * NS_PER_S)  /* a little longer than run_stamps waits for samples */
#define SETTLE_NS   (600 * NS_PER_S) /* how often runs to settle are sought without news */

struct analysis_worker {
	struct server *server;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t news;
	bool stopping;
	uint64_t quiet_ns; /* a little more than nothing may arrive of a run that settles */
	char wanted[WANTED_MAX][RUN_ID_SIZE];
	size_t wanted_count;
	bool due;               /* the newest runs are to be looked at */
	bool scanned;           /* … because a host was scanned: seldom did that change any */
	bool changed;           /* runs had changed, and that was not followed up */
	uint64_t sampled_at_ns; /* then once more; 0: not */
	uint64_t settle_at_ns;  /* when runs are to be settled */
	struct lake_use use;    /* of the thread */
};

static bool is_stopping(struct analysis_worker *worker)
{
	bool stopping;

	pthread_mutex_lock(&worker->lock);
	stopping = worker->stopping;
	pthread_mutex_unlock(&worker->lock);
	return stopping;
}

static bool has_work(const struct analysis_worker *worker, uint64_t now_ns)
{
	return worker->due || worker->wanted_count > 0 || now_ns >= worker->settle_at_ns ||
	       (worker->sampled_at_ns && now_ns >= worker->sampled_at_ns);
}

/* Until this time of the monotonic clock, or until there is news. */
static void wait_until(struct analysis_worker *worker, uint64_t until_ns)
{
	const struct timespec until = { (time_t)(until_ns / NS_PER_S),
					(long)(until_ns % NS_PER_S) };

	(void)pthread_cond_timedwait(&worker->news, &worker->lock, &until);
}

/* CPU time of this thread: on a busy machine work takes longer than it costs. */
static uint64_t used_ns(void)
{
	struct timespec used = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
}

/* While others use the lake, waits three times as long as the last piece took. false: end. */
static bool rest(struct analysis_worker *worker, uint64_t began_ns)
{
	uint64_t pause_ns =
		lake_use_look(&worker->use, worker->server) ? 3 * (used_ns() - began_ns) : 0;
	uint64_t until_ns =
		clock_monotonic_ns() + (pause_ns < REST_MAX_NS ? pause_ns : REST_MAX_NS);
	bool stopping;

	pthread_mutex_lock(&worker->lock);
	while (!worker->stopping && clock_monotonic_ns() < until_ns)
		wait_until(worker, until_ns);
	stopping = worker->stopping;
	pthread_mutex_unlock(&worker->lock);
	return !stopping;
}

static bool wait_for_work(struct analysis_worker *worker)
{
	bool stopping;

	pthread_mutex_lock(&worker->lock);
	while (!worker->stopping && !has_work(worker, clock_monotonic_ns()))
		wait_until(worker,
			   worker->sampled_at_ns && worker->sampled_at_ns < worker->settle_at_ns
				   ? worker->sampled_at_ns
				   : worker->settle_at_ns);
	stopping = worker->stopping;
	pthread_mutex_unlock(&worker->lock);
	return !stopping;
}

/* Analyses the run of this row if its stamp is another one than of its last analysis. */
static bool analyse_row(struct analysis_worker *worker, const struct store_rows *rows)
{
	const struct run_stamp stamp = { row_i64(rows, "stamp"), row_bool(rows, "open") };
	const char *id = row_text(rows, "id");
	uint64_t began_ns = used_ns();
	CLEANUP(analysis_putp)
	struct analysis *analysis =
		run_cache_get(worker->server->analyses, id, &stamp, clock_monotonic_ns());
	struct error err = { "" };
	int rc;

	if (analysis)
		return false;
	rc = analysis_get_listed(&analysis, worker->server, id, &stamp, &err);
	if (rc == 0)
		worker->server->verdicts++; /* watchers see it */
	else if (rc != -ENOENT && rc != -ECANCELED)
		log_error("run %s is not analysed: %s", id, error_text(&err));
	(void)rest(worker, began_ns);
	return true;
}

/* Sooner, never later. The caller holds the lock. */
static void settle_soon(struct analysis_worker *worker, uint64_t at_ns)
{
	if (at_ns < worker->settle_at_ns)
		worker->settle_at_ns = at_ns;
}

static bool take_settle(struct analysis_worker *worker)
{
	uint64_t now_ns = clock_monotonic_ns();
	bool due;

	pthread_mutex_lock(&worker->lock);
	due = !worker->stopping && now_ns >= worker->settle_at_ns;
	if (due)
		worker->settle_at_ns = now_ns + SETTLE_NS;
	pthread_mutex_unlock(&worker->lock);
	return due;
}

static bool has_wanted(struct analysis_worker *worker)
{
	bool wanted;

	pthread_mutex_lock(&worker->lock);
	wanted = worker->wanted_count > 0;
	pthread_mutex_unlock(&worker->lock);
	return wanted;
}

/* One piece of it; the next one behind what else there is to do. */
static enum settle_step settle_piece(struct analysis_worker *worker)
{
	bool alone = !lake_use_look(&worker->use, worker->server), later;
	uint64_t began_ns = used_ns();
	enum settle_step step = settle_next(worker->server, alone, &later);

	(void)rest(worker, began_ns);
	pthread_mutex_lock(&worker->lock);
	if (step != SETTLE_NONE)
		worker->settle_at_ns = 0;
	else if (later)
		settle_soon(worker, clock_monotonic_ns() + worker->quiet_ns);
	pthread_mutex_unlock(&worker->lock);
	return step;
}

/* The sums of all runs that are due, or another piece: an analysis reads the work of all runs
 * without sums, which is much where many are due. */
static void settle(struct analysis_worker *worker)
{
	while (take_settle(worker) && settle_piece(worker) == SETTLE_SUMS && !has_wanted(worker))
		;
}

/* Whether any had changed. Of the newest those of which documents are stored soon are left out. */
static bool analyse(struct analysis_worker *worker, const char *id, int64_t limit)
{
	const struct store_param params[] = { PARAM_OPTIONAL("run", id),
					      PARAM_I64("limit", limit) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	uint64_t began_ns = used_ns();
	struct error err = { "" };
	bool changed = false;
	int rc = QUERY(worker->server, "run_stamps", params, &rows, &err);

	if (rc && rc != -ECANCELED)
		log_error("runs are not analysed: %s", error_text(&err));
	(void)rest(worker, began_ns);
	while (rc == 0 && !is_stopping(worker) && store_next(rows))
		if (id || !settle_backlog_has(&worker->server->settling, row_text(rows, "id")))
			changed = analyse_row(worker, rows) || changed;
	return changed;
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

/* After runs ended: once more with their last samples, then they are settled. Under the lock. */
static void follow_up(struct analysis_worker *worker)
{
	worker->changed = false;
	worker->sampled_at_ns = clock_monotonic_ns() + SAMPLES_NS;
	settle_soon(worker, clock_monotonic_ns() + worker->quiet_ns);
}

/* Whether the newest runs are to be looked at; *ret_scanned: not yet followed up. */
static bool take_due(struct analysis_worker *worker, bool *ret_scanned)
{
	bool due, settled;

	pthread_mutex_lock(&worker->lock);
	settled = worker->sampled_at_ns && clock_monotonic_ns() >= worker->sampled_at_ns;
	due = worker->due || settled;
	*ret_scanned = worker->scanned;
	worker->due = worker->scanned = false;
	if (settled)
		worker->sampled_at_ns = 0;
	pthread_mutex_unlock(&worker->lock);
	return due;
}

/* A look that began before the news of a scan may have found what the scan changed already. */
static void note(struct analysis_worker *worker, bool changed, bool scanned)
{
	pthread_mutex_lock(&worker->lock);
	worker->changed = worker->changed || changed;
	if (scanned && worker->changed)
		follow_up(worker);
	pthread_mutex_unlock(&worker->lock);
}

static void analyse_newest(struct analysis_worker *worker)
{
	bool scanned;

	if (take_due(worker, &scanned))
		note(worker, analyse(worker, NULL, NEWEST_RUNS), scanned);
}

/* Settles runs that ended a while ago; then the newest ones that changed; then what lists asked
 * for. */
static void *run(void *context)
{
	struct analysis_worker *worker = context;
	char id[RUN_ID_SIZE];

	(void)setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS);
	while (wait_for_work(worker)) {
		settle(worker);
		analyse_newest(worker);
		while (take_wanted(worker, id))
			note(worker, analyse(worker, id, 1), false);
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
	worker->quiet_ns = server->settings->settle_after_ns + NS_PER_S;
	worker->due = true;
	pthread_mutex_init(&worker->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&worker->news, &attributes);
	pthread_condattr_destroy(&attributes);
	rc = pthread_create(&worker->thread, NULL, run, worker);
	if (rc) {
		pthread_cond_destroy(&worker->news);
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
	pthread_cond_signal(&worker->news);
	pthread_mutex_unlock(&worker->lock);
	pthread_join(worker->thread, NULL);
	pthread_cond_destroy(&worker->news);
	pthread_mutex_destroy(&worker->lock);
	free(worker);
}

void analysis_worker_renew(struct analysis_worker *worker)
{
	pthread_mutex_lock(&worker->lock);
	worker->settle_at_ns = 0;
	pthread_cond_signal(&worker->news);
	pthread_mutex_unlock(&worker->lock);
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
		pthread_cond_signal(&worker->news);
	}
	pthread_mutex_unlock(&worker->lock);
}

static bool is_analysed(const struct analysis_worker *worker, const char *id)
{
	CLEANUP(analysis_putp) struct analysis *last = analysis_last(worker->server, id, false);

	return last;
}

/* Whether a record is of a run that was analysed; offset: of its run_id. Those of a run follow. */
static bool any_analysed(const struct analysis_worker *worker, const void *records, size_t count,
			 size_t offset)
{
	const char *const *items = records, *last = "";

	for (size_t i = 0; i < count; i++) {
		const char *id = *(const char *const *)(items[i] + offset);

		if (strcmp(id, last) != 0 && is_analysed(worker, id))
			return true;
		last = id;
	}
	return false;
}

#define ANY_ANALYSED(worker, batch, list, type) \
	any_analysed((worker), (batch)->list, (batch)->n_##list, offsetof(type, run_id))

/* Whether runs that ended may be others than before. */
static bool is_news(const struct analysis_worker *worker, const Signal__Batch *batch)
{
	if (batch->n_links || batch->n_told_runs || batch->n_told_tasks)
		return true;
	for (size_t i = 0; i < batch->n_runs; i++)
		if (batch->runs[i]->ended_at)
			return true;
	return ANY_ANALYSED(worker, batch, executions, Signal__Execution) ||
	       ANY_ANALYSED(worker, batch, tasks, Signal__Task) ||
	       ANY_ANALYSED(worker, batch, events, Signal__Event);
}

void analysis_worker_notice(struct analysis_worker *worker, const Signal__Batch *batch)
{
	bool news = is_news(worker, batch);

	if (!news && !batch->n_scans)
		return;
	pthread_mutex_lock(&worker->lock);
	worker->due = true;
	worker->scanned = worker->scanned || batch->n_scans;
	if (news)
		follow_up(worker);
	pthread_cond_signal(&worker->news);
	pthread_mutex_unlock(&worker->lock);
}
