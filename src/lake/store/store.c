/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/store.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "lake/store/batch_writer.h"
#include "lake/store/boundary.h"
#include "lake/store/storage_engines.h"
#include "lake/store/merged_runs.h"
#include "lake/store/named_query.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct store {
	const struct store_operations *operations;
	struct store_options options; /* path is owned */
	pthread_mutex_t writer;       /* held over an ingest */
	pthread_rwlock_t use;         /* held for reading while the engine is used */
	void *engine;                 /* NULL: it gave up, and must be opened again */
	struct merged_runs *merged;   /* of who holds writer; NULL: not read yet */
};

void store_close(struct store *store)
{
	if (!store)
		return;
	if (store->engine)
		store->operations->close(store->engine);
	merged_runs_free(store->merged);
	pthread_rwlock_destroy(&store->use);
	pthread_mutex_destroy(&store->writer);
	free((void *)(uintptr_t)store->options.path);
	free(store);
}

DEFINE_CLEANUP(struct store *, store_close)

static int prepare_writer(struct store *store, struct error *err)
{
	struct batch_writer writer = { store->operations, store->engine, NULL };
	int rc = batch_writer_open(&writer, err);

	store->merged = writer.merged;
	return rc;
}

int store_open(struct store **ret, const struct store_options *options, struct error *err)
{
	CLEANUP(store_closep) struct store *store = calloc(1, sizeof(*store));
	int rc;

	if (!store)
		return error_set(err, -ENOMEM, "no memory to open the store");
	pthread_mutex_init(&store->writer, NULL);
	pthread_rwlock_init(&store->use, NULL);
	store->operations = storage_engine_find(options->engine);
	if (!store->operations)
		return error_set(err, -EINVAL, "there is no storage engine named '%s'",
				 options->engine);
	store->options = *options;
	store->options.engine = store->operations->name;
	store->options.path = strdup(options->path);
	if (!store->options.path)
		return error_set(err, -ENOMEM, "no memory to open the store");
	rc = store->operations->open(&store->engine, &store->options, err);
	if (!rc)
		rc = prepare_writer(store, err);
	if (!rc)
		*ret = TAKE_PTR(store);
	return rc;
}

/* Opens an engine that gave up. */
static int revive(struct store *store, struct error *err)
{
	int rc = 0;

	pthread_rwlock_wrlock(&store->use);
	if (!store->engine)
		rc = store->operations->open(&store->engine, &store->options, err);
	pthread_rwlock_unlock(&store->use);
	return rc;
}

/* Keeps the engine from being closed until end_use. */
static int begin_use(struct store *store, struct error *err)
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

/* Ends a use; rc is what the engine returned. An engine that gave up (say: the disk was full at a
 * checkpoint) is closed, and opened again by the next use; what was committed is in its files.
 * Returns what the caller gets. */
static int end_use(struct store *store, int rc)
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

static int write_batch(struct store *store, const Signal__Batch *batch, bool *ret_duplicate,
		       struct error *err)
{
	struct batch_writer writer = { .operations = store->operations, .merged = store->merged };
	int rc = begin_use(store, err);

	if (rc)
		return rc;
	writer.engine = store->engine;
	rc = end_use(store, batch_writer_store(&writer, batch, ret_duplicate, err));
	store->merged = writer.merged;
	return rc;
}

DEFINE_CLEANUP(struct boundary *, boundary_free)
DEFINE_CLEANUP(struct store_rows *, store_rows_free)

static int find_host(struct store *store, const Signal__Batch *batch, struct boundary_facts *facts,
		     struct error *err)
{
	const struct store_param params[] = {
		{ .name = "host", .type = STORE_TEXT, .text = batch->host_id },
		{ .name = "boot", .type = STORE_TEXT, .text = batch->boot_id },
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = store_query(store, "boundary_host", params, 2, &rows, err);

	if (rc || !store_next(rows))
		return rc;
	facts->cpus = (uint64_t)store_i64(rows, 0);
	facts->memory_bytes = (uint64_t)store_i64(rows, 1);
	facts->booted_at = store_i64(rows, 2);
	return 0;
}

static int find_lifetimes(struct store *store, const Signal__Batch *batch, struct store_rows **ret,
			  struct error *err)
{
	CLEANUP(freep) char *pids = boundary_pids(batch);
	const struct store_param params[] = {
		{ .name = "host", .type = STORE_TEXT, .text = batch->host_id },
		{ .name = "pids", .type = STORE_TEXT, .text = pids },
	};

	if (!pids)
		return error_set(err, -ENOMEM, "no memory for a batch");
	return *pids ? store_query(store, "boundary_lifetimes", params, 2, ret, err) : 0;
}

/* Stores what is believed of the batch. */
static int ingest(struct store *store, const Signal__Batch *batch, bool *ret_duplicate,
		  struct error *err)
{
	struct boundary_facts facts = { .now_at = clock_real_ns() };
	CLEANUP(store_rows_freep) struct store_rows *lifetimes = NULL;
	CLEANUP(boundary_freep) struct boundary *boundary = NULL;
	int rc = batch->n_hosts ? 0 : find_host(store, batch, &facts, err);

	if (!rc)
		rc = find_lifetimes(store, batch, &lifetimes, err);
	facts.lifetimes = lifetimes;
	if (!rc)
		rc = boundary_open(&boundary, batch, &facts, err);
	return rc ? rc : write_batch(store, boundary_batch(boundary), ret_duplicate, err);
}

int store_ingest(struct store *store, const Signal__Batch *batch, bool *ret_duplicate,
		 struct error *err)
{
	int rc = boundary_header(batch, err);

	if (rc)
		return rc;
	pthread_mutex_lock(&store->writer);
	rc = ingest(store, batch, ret_duplicate, err);
	pthread_mutex_unlock(&store->writer);
	return rc;
}

int store_link(struct store *store, struct error *err)
{
	int rc;

	pthread_mutex_lock(&store->writer);
	rc = begin_use(store, err);
	if (!rc)
		rc = end_use(store, store->operations->link(store->engine, err));
	pthread_mutex_unlock(&store->writer);
	return rc;
}

int store_roll_up(struct store *store, struct error *err)
{
	int rc;

	pthread_mutex_lock(&store->writer);
	rc = begin_use(store, err);
	if (!rc)
		rc = end_use(store, store->operations->roll_up(store->engine, err));
	pthread_mutex_unlock(&store->writer);
	return rc;
}

void store_stop(struct store *store)
{
	pthread_rwlock_rdlock(&store->use);
	if (store->engine)
		store->operations->stop(store->engine);
	pthread_rwlock_unlock(&store->use);
}

int store_query(struct store *store, const char *name, const struct store_param *params,
		size_t count, struct store_rows **ret, struct error *err)
{
	const struct named_query *query = named_query_find(name);
	int rc;

	if (!query)
		return error_set(err, -ENOENT, "there is no query named '%s'", name);
	rc = named_query_check(query, params, count, err);
	if (!rc)
		rc = begin_use(store, err);
	if (rc)
		return rc;
	rc = store->operations->query(store->engine, name, params, count, ret, err);
	return end_use(store, rc);
}
