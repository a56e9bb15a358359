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

#define DUE_MAX 200 /* runs that are looked at for those that are due */
/* Of runs that are settled together, for what they need of memory. */
#define EXECUTIONS_MAX 20000
#define SAMPLES_MAX    1000000

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
		if (batch->count && (executions > EXECUTIONS_MAX || samples > SAMPLES_MAX))
			return;
		snprintf(batch->ids[batch->count], RUN_ID_SIZE, "%s", id);
		batch->settled[batch->count++] = row_bool(rows, "settled");
	}
}

static int settle_part(struct server *server, const struct settle_batch *batch, const char *part,
		       bool *ret_done, struct error *err)
{
	const char *ids[SETTLE_RUNS_MAX];

	for (size_t i = 0; i < batch->count; i++)
		ids[i] = batch->ids[i];
	return store_settle_runs(server->store, ids, batch->count, part, ret_done, err);
}

static int settle_sums(struct server *server, struct settle_batch *batch, bool *ret_done,
		       struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < batch->count && rc == 0; i++) {
		if (batch->settled[i])
			rc = store_unsettle(server->store, batch->ids[i], err);
		batch->settled[i] = rc != 0;
	}
	return rc ? rc : settle_part(server, batch, "sums", ret_done, err);
}

/* Series that cannot be made in time, or for which there is no memory, are left out: they are read
 * as those of other runs. */
static void settle_series(struct server *server, const struct settle_batch *batch)
{
	struct error err = { "" };
	bool done = false;
	int rc = settle_part(server, batch, "series", &done, &err);

	for (size_t i = 0; i < batch->count && rc != -ECANCELED && (rc || !done); i++)
		(void)store_settle(server->store, batch->ids[i], "series", &done, &err);
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
		batch->settled[0] = all.settled[i];
		rc = settle_sums(server, batch, ret_done, &err);
		say(batch->ids[0], rc, &err);
	}
	return rc;
}

static bool begin_batch(struct server *server, struct settle_batch *batch, bool *ret_later)
{
	struct error err = { "" };
	bool done = false;
	int rc;

	choose(server, batch, ret_later);
	if (batch->count == 0)
		return false;
	rc = settle_sums(server, batch, &done, &err);
	if (rc && rc != -ECANCELED && batch->count > 1)
		rc = settle_alone(server, batch, &done);
	else
		say(batch->ids[0], rc, &err);
	*ret_later |= rc == 0 && !done;
	if (!done)
		batch->count = 0;
	return done;
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
	if (!batch->has_series) {
		settle_series(server, batch);
		batch->has_series = true;
		return true;
	}
	id = batch->ids[batch->next++];
	rc = keep_documents(server, id, &err);
	say(id, rc, &err);
	if (rc == 0) {
		server->metrics.settled++;
		server->verdicts++;
	}
	*ret_later = rc == -ENOENT || rc == -ESTALE;
	return rc != -ECANCELED;
}
