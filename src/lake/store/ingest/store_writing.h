/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/ingest/ingest_queue.h"

struct store;

/*
 * The second step of a batch: the thread of store->queue stores groups of them in the engine. A
 * batch that is not in the log is answered behind its transaction. One that is has been
 * acknowledged: where it cannot be stored now it is tried again until it can, and where it never
 * can, that is an error of the program, and is reported with its key.
 */
#define STORE_WRITING_PERIOD_NS UINT64_C(100000000)

/* struct ingest_work.write; context is the store. */
void store_writing_write(void *context, struct ingest_request *first);
