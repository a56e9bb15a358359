/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "lake/store/batch_writer.h"
#include "lake/store/storage_engine.h"

struct batch_ledger;
struct batch_log;
struct host_facts;
struct ingest_progress;
struct ingest_queue;

struct store {
	const struct store_operations *operations;
	struct store_options options; /* path is owned */
	pthread_mutex_t writer;       /* held over a transaction that writes */
	pthread_rwlock_t use;         /* held for reading while the engine is used */
	void *engine;                 /* NULL: it gave up, and must be opened again */
	atomic_bool stopped;          /* store_stop was called */
	struct batch_writer batches;  /* of who holds writer; its engine is set for each use */
	struct host_facts *facts;
	struct ingest_queue *queue; /* its thread stores */
	struct ingest_progress *progress;
	bool has_left; /* it left batches in the log, which stays as it is (of the queue's thread)
			*/
	/* Where there is a log; else NULL. */
	struct ingest_queue *arrivals; /* its thread logs */
	struct batch_log *log;
	struct batch_ledger *known; /* what is logged or stored; of the thread that logs */
	atomic_bool known_in_doubt; /* to be read again */
};

/* Keeps the engine from being closed until store_end_use, and opens one that gave up. */
int store_begin_use(struct store *store, struct error *err);
/* Ends a use; rc is what the engine returned. An engine that gave up (say: the disk was full at a
 * checkpoint) is closed, and opened again by the next use; what was committed is in its files.
 * Returns what the caller gets. */
int store_end_use(struct store *store, int rc);
