/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/store.h"

/* A batch for the store. Threads of the store call its functions. */
typedef void store_done(void *context, int rc, bool duplicate, const struct error *err);
struct store_delivery {
	const Signal__Batch *batch; /* valid until release */
	size_t bytes;               /* of it as protobuf */
	/* Its zstd frame (signal/batch.h), valid until done; NULL: the batch is not logged. */
	const void *packed;
	size_t packed_len;
	bool changed; /* the batch differs from packed: it is packed again */
	/* Once, with what store_ingest would return; 0: it is durable, and each query that begins
	 * now sees it. */
	store_done *done;
	void (*release)(void *context); /* once, behind done */
	void *context;
};
/* The same without waiting: what arrives while others are stored is stored with them, in one
 * transaction. On an error no function of the delivery is called. */
int store_submit(struct store *store, const struct store_delivery *delivery, struct error *err);
/* Whether a batch would be refused with -EAGAIN now: so it need not be decoded. */
bool store_is_full(struct store *store);
