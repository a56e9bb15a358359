/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/id.h"
#include "signal/segment.h"
#include "signal.pb-c.h"

/*
 * The journal keeps batches as agents delivered them, so that a run can be recorded later. It is a
 * folder of segments (signal/segment.h) that are appended to; the oldest segment goes when all of
 * them would take more than the limit. A restart begins a new segment: what a crash tore at the end
 * of one is passed over. Nothing is synced: the store has what is acknowledged, the journal may
 * lack the last batches before a crash. No index is kept in memory. Any thread may call.
 */
struct journal;

/* Opens or makes folder; limit 0 (bytes) keeps nothing. -errno with words. */
int journal_open(struct journal **ret, const char *folder, uint64_t limit, struct error *err);
void journal_close(struct journal *journal); /* NULL is fine */

/* Keeps a batch (packed: its zstd frame). What fails is logged once and does not matter to ingest.
 * NULL is fine. */
void journal_append(struct journal *journal, const Signal__Batch *batch, const void *packed,
		    size_t len);

/* Removes all batches; *ret_bytes: what they took. -errno with words. */
int journal_empty(struct journal *journal, uint64_t *ret_bytes, struct error *err);

/* The id of a batch and of a host in the journal. */
struct id journal_batch_id(const char *agent_id, const char *boot_id, uint64_t sequence);
struct id journal_host_id(const char *host_id);

/* A batch that is kept. */
struct journal_entry {
	struct id batch, host;
	int64_t created_at;
	bool has_host;            /* it brought a Host */
	uint64_t segment, offset; /* where it is */
	struct segment_entry segment_entry;
};

/* Calls visit for each batch, in the order in which they came, until it returns other than 0, which
 * is then returned. -errno with words where a segment cannot be read. */
int journal_visit(struct journal *journal,
		  int (*visit)(const struct journal_entry *entry, void *context), void *context,
		  struct error *err);
/* Reads the packed batch of an entry into out (replaced). -ENOENT: it has gone since; -EBADMSG: it
 * is damaged. */
int journal_read(struct journal *journal, const struct journal_entry *entry, struct buffer *out);
