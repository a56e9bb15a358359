/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * Work on a store as a whole, while it answers queries: what `tracer-lake check`, `compact`,
 * `backup` and `forget` ask for, and what removes old rows. One of them runs at a time.
 */
struct store;

/* How far the work is, and whether it should end. All may be NULL. */
struct upkeep {
	void (*say)(void *context, const char *words); /* "copies samples (3 of 25 tables)" */
	bool (*stopped)(void *context);                /* true: end with -ECANCELED */
	void *context;
};

/* Looks for damage: checksums of the blocks of the file, and whether the tables agree with each
 * other. Each fault is a line of `report`; *ret_faults counts them. */
int upkeep_check(struct store *store, const struct upkeep *upkeep, struct buffer *report,
		 size_t *ret_faults, struct error *err);

/* Makes a consistent copy of the store, with what was stored when it began; batches are stored
 * meanwhile. *ret_path: a file in the store's work folder, for the caller to move and to free. */
int upkeep_backup(struct store *store, const struct upkeep *upkeep, char **ret_path,
		  struct error *err);

struct upkeep_sizes {
	uint64_t before_bytes, after_bytes;
};
/* Writes the store into a new file, ordered and without gaps, which replaces the old one. No
 * batch is stored meanwhile: senders wait, or get an error and send it later. -ENOSPC, -EIO … with
 * words: the store is as it was. */
int upkeep_compact(struct store *store, const struct upkeep *upkeep, struct upkeep_sizes *ret,
		   struct error *err);

/* Which rows to forget; exactly one is not NULL. */
struct upkeep_subject {
	const char *run, *user, *host; /* ids of runs and hosts */
};
struct upkeep_counts {
	uint64_t runs, rows, batches; /* rows: of all tables */
};
/* Deletes all that is stored of the subject; dry: counts it alone. What it took in the file is used
 * again, and overwritten by upkeep_compact. */
int upkeep_forget(struct store *store, const struct upkeep_subject *subject, bool dry,
		  struct upkeep_counts *ret, struct error *err);

/* Which rows are old. */
struct upkeep_expire {
	const char *kind;           /* "samples", "files", "processes" */
	int64_t before;             /* of runs that ended before */
	const char *archive_folder; /* gets them first, as Parquet; NULL: none */
};
/* Removes the rows of one kind of the oldest settled run with such rows; its summaries stay.
 * *ret_more: there was one, and there may be another. */
int upkeep_expire(struct store *store, const struct upkeep_expire *expire, bool *ret_more,
		  struct error *err);
/* Bytes of the file that are in use. */
int upkeep_used(struct store *store, uint64_t *ret_bytes, struct error *err);
/* To be called when the store was idle for a while, after work: frees memory that rows take which
 * were stored since the last checkpoint, by a checkpoint; then all that the engine keeps in memory
 * of its database, by opening it again, unless a query runs. Batches wait meanwhile; queries wait
 * while it is opened. -EBUSY: a batch is being stored. */
int upkeep_release(struct store *store, struct error *err);

/* Whether the file at `path` is a store that this program can use, all blocks and tables of which
 * can be read. It is not changed. -EIO, -EINVAL with words; *ret_batches: of its ledger. */
int upkeep_verify(const char *path, const struct upkeep *upkeep, uint64_t *ret_batches,
		  struct error *err);
