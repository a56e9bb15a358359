/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/buffer.h"
#include "lake/store/store_delivery.h"

struct boundary;

/* A batch on its way into the store. Owned by the queue (ingest_queue.h) that it is in. */
struct ingest_request {
	struct ingest_request *next;
	const Signal__Batch *batch; /* what is believed of it */
	struct boundary *boundary;  /* that says so; owned; NULL: it comes from the log */
	size_t records, bytes;      /* bytes: as protobuf */
	const void *packed;         /* for the log, until it is acknowledged; NULL: not logged */
	size_t packed_len;
	struct buffer repacked; /* owned: packed may point into it */
	uint64_t order;         /* of its entry in the log; 0: none */
	bool duplicate;
	int rc; /* why it is not taken; words in err */
	struct error err;
	bool answered;
	struct store_delivery delivery; /* its functions may be NULL */
};

/* Answers the sender, who is not answered yet. */
void ingest_request_answer(struct ingest_request *request, int rc, bool duplicate,
			   const struct error *err);
/* Releases the batch. NULL is fine. */
void ingest_request_free(struct ingest_request *request);
