/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/store.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "lake/store/batch_writer.h"
#include "lake/store/boundary.h"
#include "lake/store/ingest/batch_judge.h"
#include "lake/store/ingest/host_facts.h"
#include "lake/store/ingest/batch_log.h"
#include "lake/store/ingest/ingest_progress.h"
#include "lake/store/ingest/ingest_queue.h"
#include "lake/store/ingest/ingest_request.h"
#include "lake/store/ingest/ledger_load.h"
#include "lake/store/ingest/store_arrival.h"
#include "lake/store/ingest/store_writing.h"
#include "lake/store/storage_engines.h"
#include "lake/store/named_query.h"
#include "lake/store/settle/settled_runs.h"
#include "lake/store/store_delivery.h"
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
	ingest_queue_close(store->arrivals);
	if (store->progress)
		ingest_progress_end(store->progress);
	ingest_queue_close(store->queue);
	if (store->engine)
		store->operations->close(store->engine);
	batch_writer_forget(&store->batches);
	batch_log_close(store->log);
	batch_ledger_free(store->known);
	ingest_progress_free(store->progress);
	host_facts_free(store->facts);
	settled_runs_free(store->batches.settled);
	pthread_rwlock_destroy(&store->use);
	pthread_mutex_destroy(&store->writer);
	free((void *)(uintptr_t)store->options.path);
	free(store);
}

DEFINE_CLEANUP(struct store *, store_close)

/* The thread that stores, and the log, of which it stores what is left. */
static int open_ingest(struct store *store, struct error *err)
{
	const struct ingest_work storing = { .period_ns = STORE_WRITING_PERIOD_NS,
					     .bounded = !store->options.log_folder,
					     .write = store_writing_write,
					     .context = store };
	const struct ingest_work logging = { .period_ns = STORE_ARRIVAL_PERIOD_NS,
					     .bounded = true,
					     .write = store_arrival_write,
					     .context = store };
	int rc = ingest_queue_open(&store->queue, &storing, err);

	if (!rc && store->options.log_folder)
		rc = store_arrival_open(store, store->options.log_folder, err);
	if (!rc)
		rc = batch_judge_open(store, err);
	if (!rc && store->options.log_folder)
		rc = ingest_queue_open(&store->arrivals, &logging, err);
	return rc;
}

static int open_parts(struct store *store, struct error *err)
{
	int rc;

	store->facts = host_facts_new();
	store->progress = ingest_progress_new();
	store->known_in_doubt = true;
	if (!store->facts || !store->progress)
		return error_set(err, -ENOMEM, "no memory to open the store");
	rc = store->operations->open(&store->engine, &store->options, err);
	store->batches = (struct batch_writer){ .operations = store->operations,
						.engine = store->engine,
						.settled = settled_runs_new() };
	if (!rc && !store->batches.settled)
		rc = error_set(err, -ENOMEM, "no memory to open the store");
	if (!rc)
		rc = batch_writer_open(&store->batches, err);
	return rc ? rc : open_ingest(store, err);
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
	store->options.log_folder = NULL; /* the caller's */
	if (!rc)
		*ret = TAKE_PTR(store);
	return rc;
}

DEFINE_CLEANUP(struct ingest_request *, ingest_request_free)

static struct ingest_queue *first_queue(const struct store *store)
{
	return store->arrivals ? store->arrivals : store->queue;
}

bool store_is_full(struct store *store)
{
	return ingest_queue_is_full(first_queue(store));
}

static int push(struct store *store, struct ingest_request *request, struct error *err)
{
	int rc = ingest_queue_push(first_queue(store), request);

	if (rc == -ECANCELED)
		return error_set(err, rc, "the lake is being stopped; send it again later");
	return rc ? error_set(err, rc, "too many batches wait to be stored; send it again later")
		  : 0;
}

/* What goes into the log is what is believed of the batch: nothing is judged again. */
static int choose_packed(const struct store *store, struct ingest_request *request,
			 const struct store_delivery *delivery, struct error *err)
{
	if (!store->arrivals || !delivery->packed)
		return 0;
	request->packed = delivery->packed;
	request->packed_len = delivery->packed_len;
	if (!delivery->changed && !boundary_changed(request->boundary))
		return 0;
	buffer_init(&request->repacked, 0);
	if (batch_pack(request->batch, &request->repacked))
		return error_set(err, -ENOMEM, "no memory for a batch");
	request->packed = request->repacked.data;
	request->packed_len = request->repacked.len;
	return 0;
}

int store_submit(struct store *store, const struct store_delivery *delivery, struct error *err)
{
	CLEANUP(ingest_request_freep) struct ingest_request *request = calloc(1, sizeof(*request));
	int rc;

	if (!request)
		return error_set(err, -ENOMEM, "no memory for a batch");
	rc = batch_judge(store, delivery->batch, &request->boundary, err);
	if (rc)
		return rc;
	request->batch = boundary_batch(request->boundary);
	request->records = batch_records(delivery->batch);
	request->bytes = delivery->bytes;
	rc = choose_packed(store, request, delivery, err);
	if (rc)
		return rc;
	request->delivery = *delivery;
	rc = push(store, request, err);
	if (rc)
		request->delivery = (struct store_delivery){ 0 };
	else
		(void)TAKE_PTR(request);
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
	const struct store_delivery delivery = { .batch = batch,
						 .bytes = signal__batch__get_packed_size(batch),
						 .done = end_wait,
						 .context = &waiter };
	int rc = store_submit(store, &delivery, err);

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
	if (store->arrivals)
		ingest_queue_stop(store->arrivals);
	ingest_progress_end(store->progress);
	ingest_queue_stop(store->queue);
}

int store_query_stored(struct store *store, const char *name, const struct store_param *params,
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

int store_query(struct store *store, const char *name, const struct store_param *params,
		size_t count, struct store_rows **ret, struct error *err)
{
	uint64_t limit_ns = store->options.query_limit_ns;

	(void)ingest_progress_wait(store->progress, limit_ns ? limit_ns : STORE_QUERY_LIMIT_NS);
	return store_query_stored(store, name, params, count, ret, err);
}
