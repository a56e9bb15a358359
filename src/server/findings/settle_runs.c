/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/settle_runs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "lake/store/settle/store_settle.h"
#include "server/billing/kept_cost.h"
#include "server/findings/analysis_document.h"
#include "server/findings/settle_backlog.h"
#include "server/query/beside.h"
#include "server/query/query.h"
#include "server/query/run.h"
#include "server/query/run_rows.h"
#include "server/query/run_wall_document.h"
#include "server/server.h"

#define DUE_MAX 200 /* runs that are looked at for those that are due */
/* Of runs that get their sums or series together, for what these need of memory. Sums read samples
 * of no other executions than those that run, or were lost or found. */
#define EXECUTIONS_MAX  50000
#define SUM_SAMPLES_MAX 4000000
#define SAMPLES_MAX     1000000

/* Of runs that are completed in one piece, as long as the lake is not in use, and while it is: so
 * that a piece takes a second or two. Half a million cells at once are some 10 MB. */
#define COMPLETE_RUNS        25
#define COMPLETE_RUNS_BESIDE 10
#define COMPLETE_EXECUTIONS  15000

/* Runs that get their sums together. */
struct settle_batch {
	char ids[SETTLE_RUNS_MAX][RUN_ID_SIZE];
	int64_t executions[SETTLE_RUNS_MAX], samples[SETTLE_RUNS_MAX];
	bool settled[SETTLE_RUNS_MAX]; /* before, by another program or not completely */
	size_t count;
};

/* Whether nothing arrived of the run for a while. */
static bool is_quiet(struct server *server, const char *id)
{
	struct store_run_state state;

	store_run_state(server->store, id, &state);
	return !state.touched_ns ||
	       clock_monotonic_ns() - state.touched_ns >= server->settings->settle_after_ns;
}

static bool find_due(struct server *server, struct store_rows **ret)
{
	const struct store_param params[] = {
		PARAM_I64("quiet_s", (int64_t)(server->settings->settle_after_ns / NS_PER_S)),
		PARAM_TIME("since_at", server->started_at), PARAM_I64("limit", DUE_MAX)
	};
	struct error err = { "" };
	int rc = QUERY(server, "settle_due", params, ret, &err);

	if (rc && rc != -ECANCELED)
		log_error("runs are not settled: %s", error_text(&err));
	return rc == 0;
}

/* The newest runs that are due, as many as are settled together. *ret_later: another one is due
 * when nothing arrived of it until then. */
static void choose(struct server *server, struct settle_batch *batch, bool *ret_later)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int64_t executions = 0, samples = 0;

	*batch = (struct settle_batch){ 0 };
	if (!find_due(server, &rows))
		return;
	while (batch->count < SETTLE_RUNS_MAX && store_next(rows)) {
		const char *id = row_text(rows, "run_id");

		if (!is_quiet(server, id)) {
			*ret_later = true;
			continue;
		}
		executions += row_i64(rows, "executions");
		samples += row_i64(rows, "samples");
		if (batch->count && (executions > EXECUTIONS_MAX || samples > SUM_SAMPLES_MAX))
			return;
		snprintf(batch->ids[batch->count], RUN_ID_SIZE, "%s", id);
		batch->executions[batch->count] = row_i64(rows, "executions");
		batch->samples[batch->count] = row_i64(rows, "samples");
		batch->settled[batch->count++] = row_bool(rows, "settled");
	}
}

static int settle_sums(struct server *server, struct settle_batch *batch, bool *ret_done,
		       struct error *err)
{
	const char *ids[SETTLE_RUNS_MAX];
	int rc = 0;

	for (size_t i = 0; i < batch->count && rc == 0; i++) {
		ids[i] = batch->ids[i];
		if (batch->settled[i])
			rc = store_unsettle(server->store, batch->ids[i], err);
		batch->settled[i] = rc != 0;
	}
	return rc ? rc : store_settle_runs(server->store, ids, batch->count, "sums", ret_done, err);
}

/* Series that cannot be made in time, or for which there is no memory, are left out: they are read
 * as those of other runs. */
static void settle_series(struct server *server)
{
	const char *ids[SETTLE_RUNS_MAX];
	size_t count = settle_backlog_begin_series(&server->settling, SAMPLES_MAX, ids);
	struct error err = { "" };
	bool done = false;
	int rc = store_settle_runs(server->store, ids, count, "series", &done, &err);

	for (size_t i = 0; i < count && rc != -ECANCELED && (rc || !done); i++)
		if (store_settle(server->store, ids[i], "series", &done, &err))
			log_warning("the samples of run %s over time are not summed up, its pages "
				    "take longer: %s",
				    ids[i], error_text(&err));
}

/* What takes long to compute of it, under the state that the run has now. */
static int keep_documents(struct server *server, const char *id, struct error *err)
{
	struct store_run_state state;
	int rc;

	store_run_state(server->store, id, &state);
	if (!state.settled)
		return -ENOENT;
	rc = run_wall_keep(server, id, state.settled, err);
	return rc ? rc : analysis_keep(server, id, state.settled, err);
}

static void say(const char *id, int rc, const struct error *err)
{
	if (rc && rc != -ESTALE && rc != -ENOENT && rc != -ECANCELED)
		log_error("run %s is not settled: %s", id, error_text(err));
}

/* Settles the sums of the first run that can be settled alone, which is the batch then. */
static int settle_alone(struct server *server, struct settle_batch *batch, bool *ret_done)
{
	const struct settle_batch all = *batch;
	int rc = -ENOENT;

	*ret_done = false;
	for (size_t i = 0; i < all.count && !*ret_done && rc != -ECANCELED; i++) {
		struct error err = { "" };

		*batch = (struct settle_batch){ .count = 1 };
		memcpy(batch->ids[0], all.ids[i], RUN_ID_SIZE);
		batch->executions[0] = all.executions[i];
		batch->samples[0] = all.samples[i];
		batch->settled[0] = all.settled[i];
		rc = settle_sums(server, batch, ret_done, &err);
		say(batch->ids[0], rc, &err);
	}
	return rc;
}

/* Whether there was one to settle, and it could be. */
static bool settle_batch(struct server *server, bool *ret_later)
{
	struct settle_batch batch;
	struct error err = { "" };
	bool done = false;
	int rc;

	choose(server, &batch, ret_later);
	if (batch.count == 0)
		return false;
	rc = settle_sums(server, &batch, &done, &err);
	if (rc && rc != -ECANCELED && batch.count > 1)
		rc = settle_alone(server, &batch, &done);
	else
		say(batch.ids[0], rc, &err);
	*ret_later |= rc == 0 && !done;
	for (size_t i = 0; done && i < batch.count; i++)
		settle_backlog_add(&server->settling, batch.ids[i], batch.executions[i],
				   batch.samples[i]);
	return done;
}

/* Runs that one thread completes, one after the other. */
struct completing {
	struct server *server;
	const char *ids[COMPLETE_RUNS];
	size_t count;
	bool is_later, is_canceled; /* one is due again in a while; the server ends */
};

static void complete_run(struct completing *completing, const char *id)
{
	struct server *server = completing->server;
	struct error err = { "" };
	int rc = keep_documents(server, id, &err);

	say(id, rc, &err);
	if (rc == 0) {
		server->metrics.settled++;
		server->verdicts++;
	}
	completing->is_later |= rc == -ENOENT || rc == -ESTALE;
	completing->is_canceled |= rc == -ECANCELED;
}

static int complete(void *context, struct error *err)
{
	struct completing *completing = context;
	CLEANUP(run_rows_endp)
	struct run_rows *rows =
		run_rows_begin(completing->server, completing->ids, completing->count);

	for (size_t i = 0; i < completing->count && !completing->is_canceled; i++)
		complete_run(completing, completing->ids[i]);
	return 0;
}

static void take_runs(struct completing *completing, size_t runs_max)
{
	completing->count = settle_backlog_take(&completing->server->settling, runs_max,
						COMPLETE_EXECUTIONS, completing->ids);
}

/* How many of the runs with series are completed by one of two threads. */
static size_t half_of(const struct settle_backlog *backlog)
{
	size_t half = (backlog->with_series - backlog->next + 1) / 2;

	return half < COMPLETE_RUNS ? half : COMPLETE_RUNS;
}

/* Some runs, or twice as many by two threads: queries of few runs use one CPU. */
static enum settle_step complete_runs(struct server *server, bool alone, bool *ret_later)
{
	struct completing mine = { .server = server }, others = { .server = server };
	struct beside beside;

	take_runs(&mine, alone ? half_of(&server->settling) : COMPLETE_RUNS_BESIDE);
	if (alone)
		take_runs(&others, COMPLETE_RUNS);
	if (others.count)
		beside_begin(&beside, complete, &others);
	(void)complete(&mine, NULL);
	if (others.count)
		(void)beside_end(&beside, NULL);
	*ret_later = mine.is_later || others.is_later;
	return mine.is_canceled || others.is_canceled ? SETTLE_NONE : SETTLE_REST;
}

enum settle_step settle_next(struct server *server, bool alone, bool *ret_later)
{
	struct settle_backlog *backlog = &server->settling;

	*ret_later = false;
	if (settle_backlog_has_next(backlog))
		return complete_runs(server, alone, ret_later);
	if (settle_backlog_has_room(backlog) && settle_batch(server, ret_later))
		return SETTLE_SUMS;
	if (backlog->with_series == backlog->count)
		return kept_costs_renew(server) ? SETTLE_REST : SETTLE_NONE;
	settle_series(server);
	return SETTLE_REST;
}
