/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/store.h"

#include "base/cleanup.h"
#include "lake/store/batch_writer.h"
#include "lake/store/boundary.h"
#include "lake/store/ingest/batch_judge.h"
#include "lake/store/ingest/host_facts.h"
#include "lake/store/ingest/ingest_queue.h"
#include "lake/store/storage_engines.h"
#include "lake/store/named_query.h"
#include "lake/store/settle/settled_runs.h"
#include "lake/store/store_use.h"
#include "signal/batch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void store_close(struct store *store)
{
	if (!store)
		return;
	ingest_queue_close(store->queue);
	if (store->engine)
		store->operations->close(store->engine);
	batch_writer_forget(&store->batches);
	host_facts_free(store->facts);
	settled_runs_free(store->batches.settled);
	pthread_rwlock_destroy(&store->use);
	pthread_mutex_destroy(&store->writer);
	free((void *)(uintptr_t)store->options.path);
	free(store);
}

DEFINE_CLEANUP(struct store *, store_close)

static void write_requests(void *context, struct ingest_request *first);

static int open_parts(struct store *store, struct error *err)
{
	int rc;

	store->facts = host_facts_new();
	if (!store->facts)
		return error_set(err, -ENOMEM, "no memory to open the store");
	rc = store->operations->open(&store->engine, &store->options, err);
	store->batches = (struct batch_writer){ .operations = store->operations,
						.engine = store->engine,
						.settled = settled_runs_new() };
	if (!rc && !store->batches.settled)
		rc = error_set(err, -ENOMEM, "no memory to open the store");
	if (!rc)
		rc = batch_writer_open(&store->batches, err);
	if (!rc)
		rc = batch_judge_open(store, err);
	return rc ? rc : ingest_queue_open(&store->queue, write_requests, store, err);
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
	rc = open_parts(store, err);
	if (!rc)
		*ret = TAKE_PTR(store);
	return rc;
}

/* Stores the batches of a group and sets what became of each. */
static void write_items(struct store *store, struct batch_item *items, size_t count)
{
	struct error err = { "" };
	int rc;

	pthread_mutex_lock(&store->writer);
	rc = store_begin_use(store, &err);
	for (size_t i = 0; i < count && rc; i++) {
		items[i].rc = rc;
		items[i].err = err;
	}
	if (!rc) {
		store->batches.engine = store->engine;
		(void)store_end_use(store, batch_writer_store(&store->batches, items, count));
	}
	pthread_mutex_unlock(&store->writer);
}

/* An engine that gave up is opened again by the next use: for the caller it is an error as any. */
static int words_of(const struct batch_item *item)
{
	return item->rc == -ENOTRECOVERABLE ? -EIO : item->rc;
}

static void end_request(struct ingest_request *request, int rc, bool duplicate,
			const struct error *err)
{
	request->done(request->context, rc, duplicate, err);
	boundary_free(request->boundary);
	free(request);
}

static void tidy(struct store *store)
{
	struct error err = { "" };

	pthread_mutex_lock(&store->writer);
	if (!store_begin_use(store, &err))
		(void)store_end_use(store, store->operations->tidy(store->engine));
	pthread_mutex_unlock(&store->writer);
}

static void write_requests(void *context, struct ingest_request *first)
{
	CLEANUP(freep) struct batch_item *items = NULL;
	struct store *store = context;
	struct error err = { "" };
	size_t count = 0, i = 0;

	for (struct ingest_request *request = first; request; request = request->next)
		count++;
	items = calloc(count + 1, sizeof(*items));
	if (items) {
		for (struct ingest_request *request = first; request; request = request->next)
			items[i++].batch = boundary_batch(request->boundary);
		write_items(store, items, count);
	} else {
		error_set(&err, -ENOMEM, "no memory for batches");
	}
	ingest_queue_stored(store->queue);
	i = 0;
	for (struct ingest_request *request = first, *next; request; request = next, i++) {
		next = request->next;
		if (items)
			end_request(request, words_of(&items[i]), items[i].duplicate,
				    &items[i].err);
		else
			end_request(request, -ENOMEM, false, &err);
	}
	tidy(store);
}

DEFINE_CLEANUP(struct boundary *, boundary_free)

bool store_is_full(struct store *store)
{
	return ingest_queue_is_full(store->queue);
}

static int push(struct store *store, struct ingest_request *request, struct error *err)
{
	int rc = ingest_queue_push(store->queue, request);

	if (rc == -ECANCELED)
		return error_set(err, rc, "the lake is being stopped; send it again later");
	return rc ? error_set(err, rc, "too many batches wait to be stored; send it again later")
		  : 0;
}

int store_submit(struct store *store, const Signal__Batch *batch, size_t bytes, store_done *done,
		 void *context, struct error *err)
{
	CLEANUP(boundary_freep) struct boundary *boundary = NULL;
	CLEANUP(freep) struct ingest_request *request = calloc(1, sizeof(*request));
	int rc;

	if (!request)
		return error_set(err, -ENOMEM, "no memory for a batch");
	rc = batch_judge(store, batch, &boundary, err);
	if (rc)
		return rc;
	*request = (struct ingest_request){ .boundary = boundary,
					    .records = batch_records(batch),
					    .bytes = bytes,
					    .done = done,
					    .context = context };
	rc = push(store, request, err);
	if (!rc) {
		(void)TAKE_PTR(boundary);
		(void)TAKE_PTR(request);
	}
	return rc;
}

/* A caller that waits for its batch. */
struct waiter {
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool is_ended, duplicate;
	int rc;
	struct error *err;
};

static void end_wait(void *context, int rc, bool duplicate, const struct error *err)
{
	struct waiter *waiter = context;

	pthread_mutex_lock(&waiter->lock);
	waiter->is_ended = true;
	waiter->rc = rc;
	waiter->duplicate = duplicate;
	if (rc && waiter->err)
		*waiter->err = *err;
	pthread_cond_signal(&waiter->ended);
	pthread_mutex_unlock(&waiter->lock);
}

int store_ingest(struct store *store, const Signal__Batch *batch, bool *ret_duplicate,
		 struct error *err)
{
	struct waiter waiter = { .lock = PTHREAD_MUTEX_INITIALIZER,
				 .ended = PTHREAD_COND_INITIALIZER,
				 .err = err };
	int rc = store_submit(store, batch, signal__batch__get_packed_size(batch), end_wait,
			      &waiter, err);

	if (rc)
		return rc;
	pthread_mutex_lock(&waiter.lock);
	while (!waiter.is_ended)
		pthread_cond_wait(&waiter.ended, &waiter.lock);
	pthread_mutex_unlock(&waiter.lock);
	pthread_cond_destroy(&waiter.ended);
	pthread_mutex_destroy(&waiter.lock);
	if (!waiter.rc)
		*ret_duplicate = waiter.duplicate;
	return waiter.rc;
}

int store_link(struct store *store, struct error *err)
{
	bool changed = false;
	int rc;

	pthread_mutex_lock(&store->writer);
	rc = store_begin_use(store, err);
	if (!rc)
		rc = store_end_use(store, store->operations->link(store->engine, &changed, err));
	if (changed)
		settled_runs_touch_all(store->batches.settled);
	pthread_mutex_unlock(&store->writer);
	return rc;
}

int store_roll_up(struct store *store, bool *ret_more, struct error *err)
{
	int rc;

	pthread_mutex_lock(&store->writer);
	rc = store_begin_use(store, err);
	if (!rc)
		rc = store_end_use(store, store->operations->roll_up(store->engine, ret_more, err));
	pthread_mutex_unlock(&store->writer);
	return rc;
}

void store_stop(struct store *store)
{
	pthread_rwlock_rdlock(&store->use);
	store->stopped = true;
	if (store->engine)
		store->operations->stop(store->engine);
	pthread_rwlock_unlock(&store->use);
}

void store_drain(struct store *store)
{
	ingest_queue_stop(store->queue);
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
		rc = store_begin_use(store, err);
	if (rc)
		return rc;
	rc = store->operations->query(store->engine, name, params, count, ret, err);
	return store_end_use(store, rc);
}
