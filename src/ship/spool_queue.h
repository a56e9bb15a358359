/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "ship/segment.h"
#include "ship/spool_private.h"

/*
 * The batches of one kind: segments in the order of their entries, read at the first, written at
 * the last. What damage or a drop costs is put on the accounts in `state`, which is written before
 * a file goes.
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
	uint64_t last_order;       /* of all entries found or appended */
};

/* Finds what is in the folder. -EMFILE: more than 10,000 segments. */
int spool_queue_open(struct spool_queue *queue, int folder, enum spool_kind kind,
		     struct spool_state *state, int state_fd);
void spool_queue_close(struct spool_queue *queue);

/* Sees to it that head is the oldest entry: 1; 0: none is waiting; -errno. */
int spool_queue_head(struct spool_queue *queue);
/* The head's payload. -EBADMSG: damaged. */
int spool_queue_read(struct spool_queue *queue, struct buffer *out);
/* The head is done with. */
void spool_queue_advance(struct spool_queue *queue);

/* A new segment is begun when the last would grow beyond segment_limit. */
int spool_queue_append(struct spool_queue *queue, struct segment_entry *entry, const void *payload,
		       size_t len, uint64_t segment_limit);
int spool_queue_sync(struct spool_queue *queue);
/* Drops the oldest segment, or, where it holds a head that is to be spared and another one is
 * there, the second. false: there is none. */
bool spool_queue_drop(struct spool_queue *queue, bool spare_head, enum spool_why why);
