/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * A durable, bounded queue of batches on disk, which holds each batch until the lake has it:
 * append-only segment files with a CRC for each entry, synced in groups. One process may hold a
 * spool (flock). After a crash each intact entry is there; damaged entries are skipped, and counted
 * as a loss (spool_take_loss).
 */
struct spool;

enum spool_kind { SPOOL_LIFECYCLE, SPOOL_SAMPLES };

struct spool_loss {
	uint64_t batches, records; /* records 0 with batches > 0: the number is not known */
	int64_t since_at, until_at;
	const char *why; /* "spool full", "disk full", "spool damaged", "lake rejected" */
};

/* Opens the spool in folder, which is made (mode 0700) if it does not exist. limit: bytes on disk.
 * -EBUSY: another process holds the spool. */
int spool_open(struct spool **ret, const char *folder, uint64_t limit, struct error *err);
void spool_close(struct spool *spool); /* syncs; NULL does nothing */

/* The id of this folder, which is kept in it. */
const char *spool_agent_id(const struct spool *spool);
/* The next sequence number of this boot: from 1, none twice, also after a crash. If the last number
 * is not known (the state record is damaged or could not be written), the folder gets a new id at
 * the next open, so that no pair of id and sequence is used twice. */
uint64_t spool_next_sequence(struct spool *spool, const char *boot_id);

/* Appends one packed batch that holds `records` records; durable after spool_sync. A full spool
 * drops its oldest samples first, its oldest lifecycle batches last, and counts them as a loss.
 * -ENOSPC: there is no room even so (the disk is full, or lifecycle batches fill the spool and this
 * one holds samples); the batch is counted as a loss. -EMSGSIZE: longer than 8 MiB. */
int spool_append(struct spool *spool, enum spool_kind kind, uint64_t sequence, uint64_t records,
		 const void *bytes, size_t len);
int spool_sync(struct spool *spool);

/* Reads the oldest entry: 1 and its bytes (valid until the next call of spool_peek), 0: empty, or
 * -errno. spool_advance and spool_reject act on this entry, also if others are appended or dropped
 * in between. */
int spool_peek(struct spool *spool, const void **ret_bytes, size_t *ret_len, uint64_t *ret_records);
/* The sequence of the entry that spool_peek read last; 0: none. */
uint64_t spool_peeked_sequence(const struct spool *spool);
/* Removes the peeked entry, which was delivered. After a power failure it may come back, and is
 * then sent again. -ENOENT: no entry was peeked. */
int spool_advance(struct spool *spool);
/* Removes the peeked entry, which the lake will never accept: moves it to the folder `rejected`
 * (the newest 16, not part of the limit) and counts it as a loss. -ENOENT: no entry was peeked. */
int spool_reject(struct spool *spool);

uint64_t spool_bytes(const struct spool *spool);
uint64_t spool_entries(const struct spool *spool);
/* Takes a loss that was not reported yet, one reason at a time: 1 and *ret, or 0. The caller
 * reports it in the next lifecycle batch: the loss stays on disk until that batch is appended, and
 * is returned again after a crash before. */
int spool_take_loss(struct spool *spool, struct spool_loss *ret);
/* Batches lost since the spool was opened, and those lost before that were not reported by then. */
uint64_t spool_lost_batches(const struct spool *spool);
