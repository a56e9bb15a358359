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

#define DUE_MAX 200 /* runs that are looked at for one that is due */

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

/* The newest run that is due; false: there is none. */
static bool find_due(struct server *server, char id[RUN_ID_SIZE], bool *ret_settled,
		     bool *ret_later)
{
	const struct store_param params[] = {
		PARAM_I64("quiet_s", (int64_t)(server->settings->settle_after_ns / NS_PER_S)),
		PARAM_I64("limit", DUE_MAX)
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct error err = { "" };
	int rc = QUERY(server, "settle_due", params, &rows, &err);

	if (rc && rc != -ECANCELED)
		log_error("runs are not settled: %s", error_text(&err));
	while (rc == 0 && store_next(rows)) {
		snprintf(id, RUN_ID_SIZE, "%s", row_text(rows, "run_id"));
		*ret_settled = row_bool(rows, "settled");
		if (is_quiet(server, id))
			return true;
		*ret_later = true;
	}
	return false;
}

/* *ret_done: the run is settled. A series that cannot be made in time, or for which there is no
 * memory, is left out: it is read as that of other runs. */
static int settle_parts(struct server *server, const char *id, bool *ret_done, struct error *err)
{
	struct store_run_state state;
	bool done = false;
	int rc = store_settle(server->store, id, PARTS[0], &done, err);

	for (size_t i = 1; i < sizeof(PARTS) / sizeof(PARTS[0]) && done && rc == 0; i++) {
		rc = store_settle(server->store, id, PARTS[i], &done, err);
		if (rc == -ETIMEDOUT || rc == -ENOMEM) {
			rc = 0;
			done = true;
		}
	}
	store_run_state(server->store, id, &state);
	*ret_done = rc == 0 && state.settled;
	return rc;
}

/* What takes long to compute of it, under the state that the run has now. */
static int keep_documents(struct server *server, const char *id, struct error *err)
{
	struct store_run_state state;
	int rc;

	store_run_state(server->store, id, &state);
	rc = run_wall_keep(server, id, state.settled, err);
	return rc ? rc : analysis_keep(server, id, state.settled, err);
}

bool settle_next(struct server *server, bool *ret_later)
{
	struct error err = { "" };
	char id[RUN_ID_SIZE];
	bool settled = false, done = false;
	int rc;

	*ret_later = false;
	if (!find_due(server, id, &settled, ret_later))
		return false;
	rc = settled ? store_unsettle(server->store, id, &err) : 0;
	if (rc == 0)
		rc = settle_parts(server, id, &done, &err);
	if (rc == 0 && done)
		rc = keep_documents(server, id, &err);
	*ret_later = !done;
	if (rc == 0 && done) {
		server->metrics.settled++;
		server->verdicts++;
	}
	if (rc == 0 || rc == -ESTALE || rc == -ENOENT || rc == -ECANCELED)
		return rc == 0 && done;
	log_error("run %s is not settled: %s", id, error_text(&err));
	return false;
}
