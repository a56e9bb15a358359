/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/settle/store_settle.h"

#include "lake/store/settle/settle.h"
#include "lake/store/store_use.h"

#include <errno.h>

int store_settle_runs(struct store *store, const char *const *run_ids, size_t count,
		      const char *part, bool *ret_done, struct error *err)
{
	const struct settle_runs runs = { run_ids, count, part };
	struct settle settle = { .operations = store->operations,
				 .settled = store->batches.settled };
	int rc = store_begin_use(store, err);

	if (rc)
		return rc;
	settle.engine = store->engine;
	rc = settle_runs(&settle, &store->writer, &runs, ret_done, err);
	return store_end_use(store, rc);
}

int store_settle(struct store *store, const char *run_id, const char *part, bool *ret_done,
		 struct error *err)
{
	return store_settle_runs(store, &run_id, 1, part, ret_done, err);
}

int store_unsettle(struct store *store, const char *run_id, struct error *err)
{
	int rc;

	pthread_mutex_lock(&store->writer);
	rc = store_begin_use(store, err);
	if (!rc)
		rc = store_end_use(store,
				   store->operations->unsettle(store->engine, run_id, true, err));
	if (!rc)
		(void)settled_runs_touch(store->batches.settled, run_id);
	pthread_mutex_unlock(&store->writer);
	return rc;
}

void store_run_state(struct store *store, const char *run_id, struct store_run_state *ret)
{
	*ret = settled_runs_state(store->batches.settled, run_id);
}

int store_keep(struct store *store, const char *run_id, uint64_t settled, const char *kind,
	       const char *maker, const char *text, struct error *err)
{
	struct store_run_state state;
	int rc = 0;

	pthread_mutex_lock(&store->writer);
	store_run_state(store, run_id, &state);
	if (!settled || state.settled != settled)
		rc = error_set(err, -ESTALE, "something arrived about the run %s", run_id);
	if (!rc)
		rc = store_begin_use(store, err);
	if (!rc)
		rc = store_end_use(store, store->operations->keep(store->engine, run_id, kind,
								  maker, text, err));
	pthread_mutex_unlock(&store->writer);
	return rc;
}
