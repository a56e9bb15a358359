/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Batches that are acknowledged, in a folder of files of entries (signal/segment.h), until they are
 * in the database: a transaction of it takes tens of milliseconds and a checkpoint some hundreds,
 * an entry here one write. What a crash leaves is stored at the next start. A file goes once all
 * of its entries are stored.
 *
 * One thread appends and syncs; any other one releases and cuts.
 */
#define BATCH_LOG_FILE_BYTES (8u << 20) /* a file is ended behind so many */

struct batch_log;

/* Opens or makes the folder. -errno with words; -EPERM: it, or a file in it, is not safe to use. */
int batch_log_open(struct batch_log **ret, const char *folder, struct error *err);
void batch_log_close(struct batch_log *log); /* NULL is fine */

/* An entry of an earlier start; packed: the zstd frame of its batch. */
struct batch_log_entry {
	uint64_t order; /* its number: they grow, over all starts */
	const void *packed;
	size_t len;
};

/* Before anything is appended: visits the entries in order, until visit returns other than 0, which
 * is then returned. What a crash left in part was not acknowledged, and is passed over. -errno with
 * words where a file cannot be read. */
int batch_log_visit(struct batch_log *log,
		    int (*visit)(const struct batch_log_entry *entry, void *context), void *context,
		    struct error *err);

/* Appends a batch: it is durable once batch_log_sync returned 0. *ret_order: its number. -errno
 * with words: none of those since the last batch_log_sync is. */
int batch_log_append(struct batch_log *log, const void *packed, size_t len, uint64_t *ret_order,
		     struct error *err);
int batch_log_sync(struct batch_log *log, struct error *err);
/* All entries up to this one are in the database, durable. */
void batch_log_release(struct batch_log *log, uint64_t order);
/* Removes all that is stored, now. */
void batch_log_cut(struct batch_log *log);
