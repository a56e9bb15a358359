#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Batches on disk until the lake has them: append-only segments with a CRC an entry, fsync'd in
 * groups, bounded. One process may hold a spool (flock). After a crash everything up to the first
 * damaged byte of a segment is there; what a damaged part held is skipped, counted and told
 * (spool_take_loss).
 */
struct spool;

enum spool_kind { SPOOL_LIFECYCLE, SPOOL_SAMPLES };

struct spool_loss {
	uint64_t batches, records; /* records 0 with batches > 0: how many cannot be known */
	int64_t since_at, until_at;
	const char *why; /* "spool full", "spool damaged" */
};

/* Opens or makes the folder (0700). limit: bytes on disk. -EBUSY: another process has it. */
int spool_open(struct spool **ret, const char *folder, uint64_t limit, struct error *err);
void spool_close(struct spool *spool); /* syncs; NULL is fine */

/* The id of this state directory (kept in it), and the next sequence number for this boot: from 1,
 * never twice, also after a crash. */
const char *spool_agent_id(const struct spool *spool);
uint64_t spool_next_sequence(struct spool *spool, const char *boot_id);

/* Appends one packed batch; on disk for sure after spool_sync. When full the oldest samples go
 * first, lifecycle last, and a loss is kept. -ENOSPC: even so no room (disk full): the batch is a
 * loss. records: how many it holds. */
int spool_append(struct spool *spool, enum spool_kind kind, uint64_t sequence, uint64_t records,
		 const void *bytes, size_t len);
int spool_sync(struct spool *spool);

/* The oldest entry: 1 and its bytes (valid until the next call into the spool), 0: empty, or
 * -errno. */
int spool_peek(struct spool *spool, const void **ret_bytes, size_t *ret_len, uint64_t *ret_records);
/* The oldest entry is delivered: forget it, durably enough that a crash at worst sends it again. */
int spool_advance(struct spool *spool);

uint64_t spool_bytes(const struct spool *spool);
uint64_t spool_entries(const struct spool *spool);
/* Takes the loss since the last call: 1 and *ret, or 0. */
int spool_take_loss(struct spool *spool, struct spool_loss *ret);
