/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/ingest_queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ingest_load {
	size_t batches, records, bytes;
};

struct ingest_queue {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* something waits, or the queue is stopped, or all is done */
	struct ingest_request *first, **end;
	struct ingest_load load; /* what waits or is being written */
	bool stopping, closing;
	void (*write)(void *context, struct ingest_request *first);
	void *context;
};

/* Takes the first requests, and leaves what would make the group too large. */
static struct ingest_request *take_group(struct ingest_queue *queue, struct ingest_load *ret)
{
	struct ingest_request *first = queue->first, **end = &queue->first;

	*ret = (struct ingest_load){ 0 };
	while (*end && ret->records < INGEST_QUEUE_GROUP) {
		ret->batches++;
		ret->records += (*end)->records;
		ret->bytes += (*end)->bytes;
		end = &(*end)->next;
	}
	queue->first = *end;
	*end = NULL;
	if (!queue->first)
		queue->end = &queue->first;
	return first;
}

/* Waits for requests and takes a group of them; NULL: the queue is closed. */
static struct ingest_request *take(struct ingest_queue *queue, struct ingest_load *ret)
{
	struct ingest_request *first;

	pthread_mutex_lock(&queue->lock);
	while (!queue->first && !queue->closing)
		pthread_cond_wait(&queue->changed, &queue->lock);
	first = take_group(queue, ret);
	pthread_mutex_unlock(&queue->lock);
	return first;
}

static void *run(void *context)
{
	struct ingest_queue *queue = context;
	struct ingest_request *first;
	struct ingest_load load;

	while ((first = take(queue, &load))) {
		queue->write(queue->context, first);
		pthread_mutex_lock(&queue->lock);
		queue->load.batches -= load.batches;
		queue->load.records -= load.records;
		queue->load.bytes -= load.bytes;
		if (!queue->load.batches)
			pthread_cond_broadcast(&queue->changed);
		pthread_mutex_unlock(&queue->lock);
	}
	return NULL;
}

int ingest_queue_open(struct ingest_queue **ret,
		      void (*write)(void *context, struct ingest_request *first), void *context,
		      struct error *err)
{
	struct ingest_queue *queue = calloc(1, sizeof(*queue));
	int rc;

	if (!queue)
		return error_set(err, -ENOMEM, "no memory to open the store");
	queue->end = &queue->first;
	queue->write = write;
	queue->context = context;
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->changed, NULL);
	rc = pthread_create(&queue->thread, NULL, run, queue);
	if (rc) {
		free(queue);
		return error_set(err, -rc, "cannot start a thread: %s", strerror(rc));
	}
	*ret = queue;
	return 0;
}

/* One batch is always taken, however large. */
static bool has_room(const struct ingest_load *load, const struct ingest_request *request)
{
	return !load->batches || (load->batches < INGEST_QUEUE_BATCHES_MAX &&
				  load->records + request->records <= INGEST_QUEUE_RECORDS_MAX &&
				  load->bytes + request->bytes <= INGEST_QUEUE_BYTES_MAX);
}

int ingest_queue_push(struct ingest_queue *queue, struct ingest_request *request)
{
	int rc = 0;

	pthread_mutex_lock(&queue->lock);
	if (queue->stopping) {
		rc = -ECANCELED;
	} else if (!has_room(&queue->load, request)) {
		rc = -EAGAIN;
	} else {
		request->next = NULL;
		*queue->end = request;
		queue->end = &request->next;
		queue->load.batches++;
		queue->load.records += request->records;
		queue->load.bytes += request->bytes;
		pthread_cond_broadcast(&queue->changed);
	}
	pthread_mutex_unlock(&queue->lock);
	return rc;
}

void ingest_queue_stop(struct ingest_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->stopping = true;
	while (queue->load.batches)
		pthread_cond_wait(&queue->changed, &queue->lock);
	pthread_mutex_unlock(&queue->lock);
}

void ingest_queue_close(struct ingest_queue *queue)
{
	if (!queue)
		return;
	ingest_queue_stop(queue);
	pthread_mutex_lock(&queue->lock);
	queue->closing = true;
	pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	pthread_join(queue->thread, NULL);
	pthread_cond_destroy(&queue->changed);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
}
