/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Batches on disk until the lake has them: append-only segments with a CRC an entry, fsync'd in
 * groups, bounded. One process may hold a spool (flock). After a crash all intact entries are
 * there; those of a damaged part are skipped, counted and reported (spool_take_loss).
 */
struct spool;

enum spool_kind { SPOOL_LIFECYCLE, SPOOL_SAMPLES };

struct spool_loss {
	uint64_t batches, records; /* records 0 with batches > 0: how many cannot be known */
	int64_t since_at, until_at;
	const char *why; /* "spool full", "disk full", "spool damaged", "lake rejected" */
};

/* Opens or makes the folder (0700). limit: bytes on disk. -EBUSY: another process has it. */
int spool_open(struct spool **ret, const char *folder, uint64_t limit, struct error *err);
void spool_close(struct spool *spool); /* syncs; NULL is fine */

/* The id of this state directory (kept in it), and the next sequence number for this boot: from 1,
 * never twice, also after a crash. Where what was handed out cannot be known (its record is damaged
 * or could not be written), the directory takes a new id at the next open, and so never repeats a
 * pair of id and sequence. */
const char *spool_agent_id(const struct spool *spool);
uint64_t spool_next_sequence(struct spool *spool, const char *boot_id);

/* Appends one packed batch; on disk for sure after spool_sync. When full the oldest samples go
 * first, lifecycle last, and a loss is kept. -ENOSPC: even so no room (disk full, or samples when
 * lifecycle fills it): the batch is a loss, counted here. -EMSGSIZE: longer than 8 MiB. records:
 * how many it holds. */
int spool_append(struct spool *spool, enum spool_kind kind, uint64_t sequence, uint64_t records,
		 const void *bytes, size_t len);
int spool_sync(struct spool *spool);

/* The oldest entry: 1 and its bytes (valid until the next call of spool_peek), 0: empty, or -errno.
 * It stays the one that spool_advance and spool_reject mean, whatever is appended meanwhile. */
int spool_peek(struct spool *spool, const void **ret_bytes, size_t *ret_len, uint64_t *ret_records);
/* The sequence of the entry that spool_peek gave; 0: none was. */
uint64_t spool_peeked_sequence(const struct spool *spool);
/* The peeked entry is delivered: forget it, durably enough that a crash at worst sends it again.
 * -ENOENT: none was peeked. */
int spool_advance(struct spool *spool);
/* The peeked entry will never be accepted: set it aside in `rejected/` (the newest 16, outside of
 * the limit) and count it as a loss. -ENOENT: none was peeked. */
int spool_reject(struct spool *spool);

uint64_t spool_bytes(const struct spool *spool);
uint64_t spool_entries(const struct spool *spool);
/* Takes one loss that was not yet reported, a why at a time: 1 and *ret, or 0. It is kept on disk
 * until the next lifecycle batch is appended, which must report it: after a crash in between it is
 * reported again. */
int spool_take_loss(struct spool *spool, struct spool_loss *ret);
/* Batches lost since it was opened, with those of before that were not yet reported then. */
uint64_t spool_lost_batches(const struct spool *spool);
