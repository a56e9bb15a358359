/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/store_arrival.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory/arena.h"
#include "lake/store/ingest/batch_log.h"
#include "lake/store/ingest/ingest_progress.h"
#include "lake/store/ingest/ingest_request.h"
#include "lake/store/ingest/ledger_load.h"
#include "lake/store/store_use.h"
#include "signal/batch.h"

#define WAIT_NS  ((uint64_t)(100 * NS_PER_MS))
#define RETRY_NS ((uint64_t)(10 * NS_PER_S))

/* A batch of the log, with its memory. */
static void release(void *context)
{
	struct arena *arena = context;

	arena_clear(arena);
	free(arena);
}

static void wait_for_room(struct store *store)
{
	while (!ingest_progress_is_failing(store->progress, NULL) &&
	       !ingest_queue_wait(store->queue, INGEST_QUEUE_ROOM, WAIT_NS))
		;
}

static int hand_on(struct store *store, const struct batch_log_entry *entry, struct arena *arena)
{
	struct ingest_request *request = calloc(1, sizeof(*request));
	struct error err = { "" };
	Signal__Batch *batch;
	size_t bytes;
	int rc = request ? batch_unpack_into(arena, entry->packed, entry->len, &batch, &bytes, &err)
			 : -ENOMEM;

	if (rc) {
		if (rc != -ENOMEM)
			log_error("entry %" PRIu64 " of the batch log is lost: %s", entry->order,
				  error_text(&err));
		free(request);
		release(arena);
		return rc == -ENOMEM ? rc : 0;
	}
	*request = (struct ingest_request){ .batch = batch,
					    .records = batch_records(batch),
					    .bytes = bytes,
					    .order = entry->order,
					    .answered = true,
					    .delivery = { .release = release, .context = arena } };
	ingest_progress_acknowledge(store->progress, entry->order);
	return ingest_queue_push(store->queue, request);
}

static int visit(const struct batch_log_entry *entry, void *context)
{
	struct store *store = context;
	struct arena *arena = calloc(1, sizeof(*arena));

	wait_for_room(store);
	return arena ? hand_on(store, entry, arena) : -ENOMEM;
}

int store_arrival_open(struct store *store, const char *folder, struct error *err)
{
	int rc = batch_log_open(&store->log, folder, err);

	if (!rc)
		rc = batch_log_visit(store->log, visit, store, err);
	if (!rc)
		(void)ingest_progress_wait(store->progress, UINT64_C(600) * NS_PER_S);
	return rc;
}

/* Reads which batches are stored, once all are that were handed on. */
static int load_known(struct store *store, struct error *err)
{
	struct batch_ledger *ledger = NULL;
	int rc;

	while (!ingest_queue_wait(store->queue, INGEST_QUEUE_EMPTY, WAIT_NS))
		if (ingest_progress_is_failing(store->progress, err))
			return -EIO;
	store->known_in_doubt = false;
	pthread_mutex_lock(&store->writer);
	rc = store_begin_use(store, err);
	if (!rc)
		rc = store_end_use(store,
				   ledger_load(&ledger, store->operations, store->engine, err));
	pthread_mutex_unlock(&store->writer);
	if (rc) {
		store->known_in_doubt = true;
		return rc;
	}
	batch_ledger_free(store->known);
	store->known = ledger;
	return 0;
}

static int make_ready(struct store *store, struct error *err)
{
	wait_for_room(store);
	if (ingest_progress_is_failing(store->progress, NULL) &&
	    !ingest_progress_retry(store->progress, RETRY_NS, err))
		return -EIO;
	return store->known_in_doubt ? load_known(store, err) : 0;
}

/* Sets what becomes of a request. An error is one of the whole group. */
static int take(struct store *store, struct ingest_request *request, struct error *err)
{
	int rc = 0;

	request->duplicate = batch_ledger_has(store->known, request->batch);
	if (request->duplicate)
		return 0;
	if (batch_ledger_is_full(store->known, request->batch)) {
		request->rc = error_set(&request->err, -EPROTO, BATCH_LEDGER_FULL);
		return 0;
	}
	if (request->packed)
		rc = batch_log_append(store->log, request->packed, request->packed_len,
				      &request->order, err);
	if (!rc && batch_ledger_add(store->known, request->batch))
		rc = error_set(err, -ENOMEM, "no memory for the ledger of batches");
	return rc;
}

static int take_all(struct store *store, struct ingest_request *first, struct error *err)
{
	int rc = make_ready(store, err);

	for (struct ingest_request *request = first; request && !rc; request = request->next)
		rc = take(store, request, err);
	if (!rc)
		rc = batch_log_sync(store->log, err);
	if (rc) /* which of them are in the log is not known */
		store->known_in_doubt = true;
	return rc;
}

/* Behind this the request belongs to store->queue, or is freed. */
static void pass_on(struct store *store, struct ingest_request *request)
{
	bool ends = request->duplicate || request->rc;

	if (ends || request->order)
		ingest_request_answer(request, request->rc, request->duplicate, &request->err);
	if (!ends && !ingest_queue_push(store->queue, request))
		return;
	ingest_request_free(request);
}

void store_arrival_write(void *context, struct ingest_request *first)
{
	struct store *store = context;
	struct error err = { "" };
	int rc = take_all(store, first, &err);

	for (struct ingest_request *request = first; request && !rc; request = request->next)
		ingest_progress_acknowledge(store->progress, request->order);
	ingest_queue_stored(store->arrivals);
	for (struct ingest_request *next; first; first = next) {
		next = first->next;
		if (rc) {
			ingest_request_answer(first, rc, false, &err);
			ingest_request_free(first);
		} else {
			pass_on(store, first);
		}
	}
}
