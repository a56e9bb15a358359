/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ship/spool.h"
#include "signal.pb-c.h"

/*
 * Records on their way to the spool: gathered into batches, lifecycle and samples apart (under
 * pressure the spool drops samples first). A batch leaves at OUTBOX_BATCH_BYTES of protobuf or at
 * outbox_flush, whichever is first.
 */
struct outbox;

#define OUTBOX_BATCH_BYTES (256u << 10) /* packed, before zstd */

struct outbox_batch {
	enum spool_kind kind;
	uint64_t sequence;
	size_t records, len;
	const void *bytes; /* a packed Signal__Batch */
};

/* Where batches go. */
struct outbox_sink {
	/* The next sequence number: from 1, without gaps. */
	uint64_t (*next_sequence)(void *context);
	/* Takes a batch. 0, or -errno: the batch is lost; -ENOSPC: and the sink records it by
	 * itself (spool_take_loss). */
	int (*put)(void *context, const struct outbox_batch *batch);
	void *context;
};

struct outbox_counts {
	uint64_t batches, records;
	uint64_t lost_batches, lost_records; /* that the sink did not take */
};

/* The header's texts and the sink are not owned. NULL only without memory. */
struct outbox *outbox_new(const char *agent_id, const char *host_id, const char *boot_id,
			  const struct outbox_sink *sink);
void outbox_free(struct outbox *outbox); /* what was not flushed is dropped; NULL is fine */

/* Adds a record, packed at once: any message that Signal__Batch has a list of. It may flush.
 * -ENOMEM: the record is lost, and counted. */
int outbox_add(struct outbox *outbox, const ProtobufCMessage *record);
/* Gives what is there to the sink. 0 or the sink's -errno; for records that are lost a Loss is in
 * the next batch. Returns 1 when there was something. */
int outbox_flush(struct outbox *outbox);

struct outbox_counts outbox_counts(const struct outbox *outbox);
