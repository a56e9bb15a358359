/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <pthread.h>

#include "lake/store/settle/settled_runs.h"
#include "lake/store/storage_engine.h"

/*
 * Settling runs in an engine (store_settle), and taking them out again when something late arrives.
 * What is late leaves `settled` in the transaction that stores it, so that no page shows old sums.
 */
struct settle {
	const struct store_operations *operations;
	void *engine;
	struct settled_runs *settled;
};

/* Reads which runs are settled. -ENOMEM with words; errors as of struct store_operations. */
int settle_load(const struct settle *settle, struct error *err);

/* Between begin and commit, after the batches were written: what they are about is settled no more.
 * After a rollback settled_runs_doubt is called. Errors as above. */
int settle_touch(const struct settle *settle, const struct merged_runs *merged,
		 const Signal__Batch *const *batches, size_t count, struct error *err);
/* The same for two runs that become one. */
int settle_touch_join(const struct settle *settle, const struct run_join *join, struct error *err);

/* Of which runs which part is to be stored. */
struct settle_runs {
	const char *const *ids;
	size_t count;
	const char *part;
};

/* store_settle_runs. writer: what a thread holds while it writes. */
int settle_runs(const struct settle *settle, pthread_mutex_t *writer,
		const struct settle_runs *runs, bool *ret_done, struct error *err);
