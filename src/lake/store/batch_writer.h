/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "lake/store/storage_engine.h"

/*
 * Stores a group of batches in an engine, in one transaction: their records; the joins of runs
 * which their links show to be one run; `lost`, for what their scans did not find; their keys. A
 * batch that cannot be stored fails alone.
 */
struct batch_ledger;

struct batch_writer {
	const struct store_operations *operations;
	void *engine;
	/* Of the engine's database; NULL: to be read from it. Owned. */
	struct merged_runs *merged;
	struct batch_ledger *ledger;
	struct settled_runs *settled; /* of the store: which are settled; NULL: none ever is */
};

/* A batch, and what became of it. */
struct batch_item {
	const Signal__Batch *batch;
	bool duplicate; /* it was stored before: nothing was written */
	int rc;         /* errors as of struct store_operations, with words in err */
	struct error err;
};

/* Reads what must be known of the database. Errors as of struct store_operations. */
int batch_writer_open(struct batch_writer *writer, struct error *err);
/* Forgets it: it is read again. */
void batch_writer_forget(struct batch_writer *writer);
/* Stores the items and sets what became of each. Returns -ENOTRECOVERABLE where the engine gave up,
 * else 0. One thread at a time. */
int batch_writer_store(struct batch_writer *writer, struct batch_item *items, size_t count);
