/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Batches that wait to be stored, and the thread that stores them in groups, so that the number of
 * transactions does not grow with the number of senders. The thread is needed because those who
 * bring batches must not wait in line for each other.
 *
 * A transaction costs something whatever is in it (lake.md). So groups begin period_ns apart,
 * unless one is full, or there is nothing to wait for: where nothing came while the last group was
 * stored, its senders send one batch after the other, and once as many batches wait as it had, all
 * are here again.
 */
/* The queue is full from any of these on; the last batch that it takes may go beyond them. */
#define INGEST_QUEUE_BATCHES_MAX (1u << 14)
#define INGEST_QUEUE_RECORDS_MAX (1u << 19)          /* some 350 bytes each while they wait */
#define INGEST_QUEUE_BYTES_MAX   ((size_t)128 << 20) /* of them as protobuf: texts may be long */
/* A group ends behind so many records: while it is written, its senders' next batches are read.
 * DuckDB writes a row group, 122,880 rows of a table, into the database at once where all of it
 * is of one transaction; fewer rows go into its log first, and a checkpoint writes them again. */
#define INGEST_QUEUE_GROUP 122880u

struct ingest_queue;
struct ingest_request;

struct ingest_work {
	uint64_t period_ns; /* groups begin so far apart */
	bool bounded;       /* a queue that is full takes no more */
	/* By the queue's thread: takes over a list of requests (not NULL). Where their senders are
	 * answered, ingest_queue_stored is called before. */
	void (*write)(void *context, struct ingest_request *first);
	void *context;
};

/* -errno with words. */
int ingest_queue_open(struct ingest_queue **ret, const struct ingest_work *work, struct error *err);
/* The group is stored or logged, and none of its senders knows it yet. */
void ingest_queue_stored(struct ingest_queue *queue);
/* Whether a push would be refused with -EAGAIN: to be asked before a batch is decoded. Any thread.
 */
bool ingest_queue_is_full(struct ingest_queue *queue);
/* -EAGAIN: it is full; -ECANCELED: ingest_queue_stop was called. Then the request is still the
 * caller's. Any thread. */
int ingest_queue_push(struct ingest_queue *queue, struct ingest_request *request);
/* Waits until it has as little as this, and at most limit_ns: whether it has. */
enum ingest_queue_level { INGEST_QUEUE_EMPTY, INGEST_QUEUE_ROOM /* less than half */ };
bool ingest_queue_wait(struct ingest_queue *queue, enum ingest_queue_level level,
		       uint64_t limit_ns);
/* Takes no more requests, and returns once all are done. */
void ingest_queue_stop(struct ingest_queue *queue);
/* Stops, and ends the thread. NULL is fine. */
void ingest_queue_close(struct ingest_queue *queue);
