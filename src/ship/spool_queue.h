/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "signal/segment.h"
#include "ship/spool_state.h"

/*
 * A queue of the batches of one kind in segment files, in the order of their entries: read from the
 * first segment, written to the last. Entries that are damaged or dropped are counted in
 * state->losses, which is written to disk before a file is removed.
 */
struct spool_segment;

struct spool_queue {
	int folder; /* not owned */
	enum spool_kind kind;
	struct spool_state *state; /* not owned */
	int state_fd;              /* not owned */
	struct spool_segment *segments;
	size_t count, capacity;
	int reader, writer; /* descriptors of the first and the last segment, or -1 */
	bool has_head;
	struct segment_entry head; /* the oldest entry */
	uint64_t bytes, entries;   /* on disk; waiting */
	uint64_t last_order;       /* the highest of all entries found or appended */
};

/* Opens the queue and indexes the segments in the folder. -EMFILE: more than 10,000 segments. */
int spool_queue_open(struct spool_queue *queue, int folder, enum spool_kind kind,
		     struct spool_state *state, int state_fd);
void spool_queue_close(struct spool_queue *queue);

/* Sets head to the oldest entry: 1; 0: the queue is empty; -errno. */
int spool_queue_head(struct spool_queue *queue);
/* Reads the head's payload into out. -EBADMSG: damaged. */
int spool_queue_read(struct spool_queue *queue, struct buffer *out);
/* Removes the head. */
void spool_queue_advance(struct spool_queue *queue);

/* Appends an entry; begins a new segment if the last would grow beyond segment_limit. */
int spool_queue_append(struct spool_queue *queue, struct segment_entry *entry, const void *payload,
		       size_t len, uint64_t segment_limit);
int spool_queue_sync(struct spool_queue *queue);
/* Drops the oldest segment; with spare_head the second, if there is one, because the head is being
 * sent. false: there is no segment. */
bool spool_queue_drop(struct spool_queue *queue, bool spare_head, enum spool_why why);
