/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/settle_runs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "lake/store/settle/store_settle.h"
#include "server/findings/analysis_document.h"
#include "server/query/query.h"
#include "server/query/run.h"
#include "server/query/run_wall_document.h"
#include "server/server.h"

#define DUE_MAX        200   /* runs that are looked at for those that are due */
#define EXECUTIONS_MAX 20000 /* of runs that are settled together: what they need of memory */

/* In this order: pages need the first most. */
static const char *const PARTS[] = { "sums", "series_run", "series_tool", "series_task" };

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
	int64_t executions = 0;

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
		if (batch->count && executions > EXECUTIONS_MAX)
			return;
		snprintf(batch->ids[batch->count], RUN_ID_SIZE, "%s", id);
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
			rc = store_unsettle(server->store, ids[i], err);
		batch->settled[i] = rc != 0;
	}
	return rc ? rc
		  : store_settle_runs(server->store, ids, batch->count, PARTS[0], ret_done, err);
}

/* A series that cannot be made in time, or for which there is no memory, is left out: it is read as
 * that of other runs. -ENOENT: the run is settled no more. */
static int settle_series(struct server *server, const char *id, struct error *err)
{
	bool done = true;
	int rc = 0;

	for (size_t i = 1; i < sizeof(PARTS) / sizeof(PARTS[0]) && done && rc == 0; i++) {
		rc = store_settle(server->store, id, PARTS[i], &done, err);
		if (rc == -ETIMEDOUT || rc == -ENOMEM) {
			rc = 0;
			done = true;
		}
	}
	return rc;
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

/* Of runs of which one cannot be settled each is tried alone. */
static bool begin_batch(struct server *server, struct settle_batch *batch, bool *ret_later)
{
	struct error err = { "" };
	bool done = false;
	int rc;

	choose(server, batch, ret_later);
	if (batch->count == 0)
		return false;
	rc = settle_sums(server, batch, &done, &err);
	if (rc && rc != -ECANCELED && batch->count > 1) {
		batch->count = 1;
		rc = settle_sums(server, batch, &done, &err);
	}
	say(batch->ids[0], rc, &err);
	*ret_later |= rc == 0 && !done;
	if (rc || !done)
		batch->count = 0;
	return batch->count > 0;
}

/* Whether a run of the batch is to be completed still. */
static bool is_left(const struct settle_batch *batch)
{
	return batch->next < batch->count;
}

bool settle_next(struct server *server, bool *ret_later)
{
	struct settle_batch *batch = &server->settling;
	struct error err = { "" };
	const char *id;
	int rc;

	*ret_later = false;
	if (!is_left(batch))
		return begin_batch(server, batch, ret_later);
	id = batch->ids[batch->next++];
	rc = settle_series(server, id, &err);
	if (rc == 0)
		rc = keep_documents(server, id, &err);
	say(id, rc, &err);
	if (rc == 0) {
		server->metrics.settled++;
		server->verdicts++;
	}
	*ret_later = rc == -ENOENT || rc == -ESTALE;
	return rc != -ECANCELED;
}
