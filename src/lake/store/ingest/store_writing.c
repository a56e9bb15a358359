/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/store_writing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "lake/store/ingest/batch_log.h"
#include "lake/store/ingest/ingest_progress.h"
#include "lake/store/ingest/ingest_request.h"
#include "lake/store/store_use.h"

#define RETRY_NS ((uint64_t)NS_PER_S)

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
static int errno_of(int rc)
{
	return rc == -ENOTRECOVERABLE ? -EIO : rc;
}

static void tidy(struct store *store)
{
	struct error err = { "" };

	pthread_mutex_lock(&store->writer);
	if (!store_begin_use(store, &err))
		(void)store_end_use(store, store->operations->tidy(store->engine));
	pthread_mutex_unlock(&store->writer);
}

/* Whether a batch stays, to be tried again. */
static bool is_left(const struct ingest_request *request, int rc)
{
	return rc && rc != -EPROTO && request->order;
}

/* Where it is not stored, what is known of batches (store->known) is read again. */
static void end_request(struct store *store, struct ingest_request *request,
			const struct batch_item *item)
{
	if (item->rc)
		store->known_in_doubt = true;
	if (item->rc && request->order)
		log_error("batch %" PRIu64 " of agent %s, host %s, is acknowledged, and cannot be "
			  "stored: %s",
			  request->batch->sequence, request->batch->agent_id,
			  request->batch->host_id, error_text(&item->err));
	if (!request->answered)
		ingest_request_answer(request, errno_of(item->rc), item->duplicate, &item->err);
	ingest_request_free(request);
}

/* Writes the requests, ends those that are stored or never can be, and returns the others. */
static struct ingest_request *write_once(struct store *store, struct ingest_request *first)
{
	CLEANUP(freep) struct batch_item *items = NULL;
	struct ingest_request *left = NULL, **end = &left;
	struct batch_item none = { .rc = -ENOMEM };
	size_t count = 0, i = 0;

	error_set(&none.err, -ENOMEM, "no memory for batches");
	for (struct ingest_request *request = first; request; request = request->next)
		count++;
	items = calloc(count + 1, sizeof(*items));
	for (struct ingest_request *request = first; request && items; request = request->next)
		items[i++].batch = request->batch;
	if (items)
		write_items(store, items, count);
	ingest_queue_stored(store->queue);
	i = 0;
	for (struct ingest_request *request = first, *next; request; request = next, i++) {
		const struct batch_item *item = items ? &items[i] : &none;

		next = request->next;
		if (!is_left(request, item->rc)) {
			end_request(store, request, item);
			continue;
		}
		request->rc = errno_of(item->rc);
		request->err = item->err;
		*end = request;
		end = &request->next;
	}
	*end = NULL;
	return left;
}

/* The store is being closed: they are in the log. Nothing is released behind them, as that would
 * release them, too. */
static void leave(struct store *store, struct ingest_request *first)
{
	store->has_left = true;
	for (struct ingest_request *next; first; first = next) {
		next = first->next;
		ingest_request_free(first);
	}
}

void store_writing_write(void *context, struct ingest_request *first)
{
	struct store *store = context;
	struct ingest_request *left;
	uint64_t order = 0;

	for (struct ingest_request *request = first; request; request = request->next)
		order = request->order ? request->order : order;
	for (left = write_once(store, first); left; left = write_once(store, left)) {
		if (!ingest_progress_is_failing(store->progress, NULL))
			log_error("batches that are acknowledged wait in the log: %s",
				  error_text(&left->err));
		ingest_progress_fail(store->progress, &left->err);
		if (ingest_progress_pause(store->progress, RETRY_NS)) {
			leave(store, left);
			return;
		}
	}
	if (order && !store->has_left) {
		ingest_progress_store(store->progress, order);
		batch_log_release(store->log, order);
	}
	tidy(store);
}
