/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/ingest/ingest_queue.h"

struct store;

/*
 * The first step of a batch, where the store has a log (batch_log.h): the thread of
 * store->arrivals writes what came into it, syncs it once, acknowledges it, and hands it on to
 * store->queue. Where more waits there than it should, this thread waits, and with it the senders.
 */
#define STORE_ARRIVAL_PERIOD_NS UINT64_C(10000000)

/* Opens the log in a folder, and hands on what an earlier start left there. Errors as of
 * store_open. */
int store_arrival_open(struct store *store, const char *folder, struct error *err);
/* struct ingest_work.write; context is the store. */
void store_arrival_write(void *context, struct ingest_request *first);
