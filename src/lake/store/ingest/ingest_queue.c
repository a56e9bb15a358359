/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/ingest_queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "lake/store/ingest/ingest_request.h"

struct ingest_load {
	size_t batches, records, bytes;
};

struct ingest_queue {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t arrived; /* for the thread: it may take a group, or is to end */
	pthread_cond_t emptied; /* a group is done */
	struct ingest_request *first, **end;
	struct ingest_load waiting, writing;
	uint64_t began_ns; /* when the last group was taken */
	bool in_step;      /* nothing came while the last group was stored; its batches: */
	size_t last_batches;
	bool stopping, closing;
	struct ingest_work work;
};

static void add(struct ingest_load *load, const struct ingest_load *more)
{
	load->batches += more->batches;
	load->records += more->records;
	load->bytes += more->bytes;
}

static void subtract(struct ingest_load *load, const struct ingest_load *less)
{
	load->batches -= less->batches;
	load->records -= less->records;
	load->bytes -= less->bytes;
}

static struct ingest_load load_of(const struct ingest_request *request)
{
	return (struct ingest_load){ 1, request->records, request->bytes };
}

/* Takes the first requests, and leaves what would make the group too large. */
static struct ingest_request *take_group(struct ingest_queue *queue)
{
	struct ingest_request *first = queue->first, **end = &queue->first;

	queue->writing = (struct ingest_load){ 0 };
	while (*end && queue->writing.records < INGEST_QUEUE_GROUP) {
		const struct ingest_load load = load_of(*end);

		add(&queue->writing, &load);
		end = &(*end)->next;
	}
	queue->first = *end;
	*end = NULL;
	if (!queue->first)
		queue->end = &queue->first;
	subtract(&queue->waiting, &queue->writing);
	return first;
}

/* Whether a group is not to wait for more. */
static bool is_enough(const struct ingest_queue *queue)
{
	return queue->stopping || queue->waiting.records >= INGEST_QUEUE_GROUP ||
	       (queue->in_step && queue->waiting.batches >= queue->last_batches);
}

/* With the lock. Waits until it is enough, or time. */
static void wait_for_more(struct ingest_queue *queue)
{
	uint64_t until_ns = queue->began_ns + queue->work.period_ns;
	const struct timespec until = { (time_t)(until_ns / NS_PER_S),
					(long)(until_ns % NS_PER_S) };
	int rc = 0;

	while (!rc && !is_enough(queue))
		rc = pthread_cond_timedwait(&queue->arrived, &queue->lock, &until);
}

/* Waits for requests and takes a group of them; NULL: the queue is closed. */
static struct ingest_request *take(struct ingest_queue *queue)
{
	struct ingest_request *first = NULL;

	pthread_mutex_lock(&queue->lock);
	while (!queue->first && !queue->closing)
		pthread_cond_wait(&queue->arrived, &queue->lock);
	if (queue->first) {
		wait_for_more(queue);
		first = take_group(queue);
		queue->began_ns = clock_monotonic_ns();
	}
	pthread_mutex_unlock(&queue->lock);
	return first;
}

void ingest_queue_stored(struct ingest_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->in_step = !queue->first;
	pthread_mutex_unlock(&queue->lock);
}

static void end_group(struct ingest_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->last_batches = queue->writing.batches;
	queue->writing = (struct ingest_load){ 0 };
	pthread_cond_broadcast(&queue->emptied);
	pthread_mutex_unlock(&queue->lock);
}

static void *run(void *context)
{
	struct ingest_queue *queue = context;
	struct ingest_request *first;

	while ((first = take(queue))) {
		queue->work.write(queue->work.context, first);
		end_group(queue);
	}
	return NULL;
}

static void make_condition(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}

int ingest_queue_open(struct ingest_queue **ret, const struct ingest_work *work, struct error *err)
{
	struct ingest_queue *queue = calloc(1, sizeof(*queue));
	int rc;

	if (!queue)
		return error_set(err, -ENOMEM, "no memory to open the store");
	queue->end = &queue->first;
	queue->work = *work;
	pthread_mutex_init(&queue->lock, NULL);
	make_condition(&queue->arrived);
	make_condition(&queue->emptied);
	rc = pthread_create(&queue->thread, NULL, run, queue);
	if (rc) {
		free(queue);
		return error_set(err, -rc, "cannot start a thread: %s", strerror(rc));
	}
	*ret = queue;
	return 0;
}

/* With the lock. Whether it has this part of its bounds, or more. */
static bool has(const struct ingest_queue *queue, unsigned part)
{
	struct ingest_load load = queue->waiting;

	add(&load, &queue->writing);
	return load.batches >= INGEST_QUEUE_BATCHES_MAX / part ||
	       load.records >= INGEST_QUEUE_RECORDS_MAX / part ||
	       load.bytes >= INGEST_QUEUE_BYTES_MAX / part;
}

static bool is_full(const struct ingest_queue *queue)
{
	return queue->work.bounded && has(queue, 1);
}

bool ingest_queue_is_full(struct ingest_queue *queue)
{
	bool full;

	pthread_mutex_lock(&queue->lock);
	full = is_full(queue);
	pthread_mutex_unlock(&queue->lock);
	return full;
}

int ingest_queue_push(struct ingest_queue *queue, struct ingest_request *request)
{
	const struct ingest_load load = load_of(request);
	int rc = 0;

	pthread_mutex_lock(&queue->lock);
	if (queue->stopping) {
		rc = -ECANCELED;
	} else if (is_full(queue)) {
		rc = -EAGAIN;
	} else {
		bool is_first = !queue->first;

		request->next = NULL;
		*queue->end = request;
		queue->end = &request->next;
		add(&queue->waiting, &load);
		if (is_first || is_enough(queue))
			pthread_cond_signal(&queue->arrived);
	}
	pthread_mutex_unlock(&queue->lock);
	return rc;
}

static bool is_down(const struct ingest_queue *queue, enum ingest_queue_level level)
{
	return level == INGEST_QUEUE_ROOM ? !has(queue, 2)
					  : !queue->waiting.batches && !queue->writing.batches;
}

bool ingest_queue_wait(struct ingest_queue *queue, enum ingest_queue_level level, uint64_t limit_ns)
{
	uint64_t until_ns = clock_monotonic_ns() + limit_ns;
	const struct timespec until = { (time_t)(until_ns / NS_PER_S),
					(long)(until_ns % NS_PER_S) };
	bool down;
	int rc = 0;

	pthread_mutex_lock(&queue->lock);
	while (!rc && !is_down(queue, level))
		rc = pthread_cond_timedwait(&queue->emptied, &queue->lock, &until);
	down = is_down(queue, level);
	pthread_mutex_unlock(&queue->lock);
	return down;
}

void ingest_queue_stop(struct ingest_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->stopping = true;
	pthread_cond_signal(&queue->arrived);
	while (queue->waiting.batches || queue->writing.batches)
		pthread_cond_wait(&queue->emptied, &queue->lock);
	pthread_mutex_unlock(&queue->lock);
}

void ingest_queue_close(struct ingest_queue *queue)
{
	if (!queue)
		return;
	ingest_queue_stop(queue);
	pthread_mutex_lock(&queue->lock);
	queue->closing = true;
	pthread_cond_signal(&queue->arrived);
	pthread_mutex_unlock(&queue->lock);
	pthread_join(queue->thread, NULL);
	pthread_cond_destroy(&queue->arrived);
	pthread_cond_destroy(&queue->emptied);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
}
