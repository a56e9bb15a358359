/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/upkeep/store_work.h"

#include <errno.h>

#include "lake/store/ingest/batch_log.h"
#include "lake/store/ingest/ingest_progress.h"
#include "lake/store/store_use.h"

/* With `use` held for writing. */
static int open_engine(struct store *store, struct error *err)
{
	int rc = store->operations->open(&store->engine, &store->options, err);

	if (!rc && store->stopped)
		store->operations->stop(store->engine);
	return rc;
}

/* Opens an engine that gave up. */
static int revive(struct store *store, struct error *err)
{
	int rc = 0;

	pthread_rwlock_wrlock(&store->use);
	if (!store->engine)
		rc = open_engine(store, err);
	pthread_rwlock_unlock(&store->use);
	return rc;
}

int store_begin_use(struct store *store, struct error *err)
{
	int rc = 0;

	pthread_rwlock_rdlock(&store->use);
	while (!store->engine && !rc) {
		pthread_rwlock_unlock(&store->use);
		rc = revive(store, err);
		pthread_rwlock_rdlock(&store->use);
	}
	if (rc)
		pthread_rwlock_unlock(&store->use);
	return rc;
}

int store_end_use(struct store *store, int rc)
{
	const void *used = store->engine;

	pthread_rwlock_unlock(&store->use);
	if (rc != -ENOTRECOVERABLE)
		return rc;
	pthread_rwlock_wrlock(&store->use);
	if (store->engine == used) {
		store->operations->close(store->engine);
		store->engine = NULL;
	}
	pthread_rwlock_unlock(&store->use);
	return -EIO;
}

int store_reopen(struct store *store, struct error *err)
{
	int rc;

	if (pthread_rwlock_trywrlock(&store->use))
		return 0;
	if (store->engine)
		store->operations->close(store->engine);
	store->engine = NULL;
	rc = open_engine(store, err);
	pthread_rwlock_unlock(&store->use);
	return rc;
}

/* Closes the engine, when no query runs, and opens it again behind replace. */
static int exchange(struct store *store, const struct store_work *work, struct error *err)
{
	struct error words = { "" };
	int rc = 0;

	pthread_rwlock_wrlock(&store->use);
	if (store->engine)
		store->operations->close(store->engine);
	store->engine = NULL;
	rc = work->replace(store->operations, &store->options, work->context, err);
	pthread_rwlock_unlock(&store->use);
	if (store_begin_use(store, &words))
		return error_set(err, -EIO, "%s", error_text(&words));
	store_end_use(store, 0);
	return rc;
}

/* What is known of the engine's batches may have changed. */
static void forget_batches(struct store *store)
{
	batch_writer_forget(&store->batches);
	store->known_in_doubt = true;
	if (store->log)
		batch_log_cut(store->log);
}

int store_work(struct store *store, const struct store_work *work, struct error *err)
{
	int rc;

	if (work->complete && !ingest_progress_wait(store->progress, STORE_QUERY_LIMIT_NS))
		return error_set(err, -EIO, "batches that are acknowledged cannot be stored now");
	if (work->writes)
		pthread_mutex_lock(&store->writer);
	if (work->replace)
		ingest_progress_hold(store->progress, true);
	rc = store_begin_use(store, err);
	if (!rc)
		rc = store_end_use(store,
				   work->run(store->operations, store->engine, work->context, err));
	if (!rc && work->replace)
		rc = exchange(store, work, err);
	if (work->replace)
		ingest_progress_hold(store->progress, false);
	if (work->writes) {
		if (rc || !work->changed || *work->changed)
			forget_batches(store);
		pthread_mutex_unlock(&store->writer);
	}
	return rc;
}
