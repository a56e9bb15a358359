/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The numbers that stand for texts in the tables of samples: of executions (table execution_keys),
 * of batches (table ledger) and of samples. They count up from 1 in the order of arrival. Those of
 * executions are looked up in memory; beyond KEYS_MAX only the latest are, and others are looked
 * for in the database.
 *
 * Within a transaction, once or more: want for each record, then settle, then number of each; last
 * commit or rollback. Used by the one thread that writes.
 */
#define DUCKDB_KEYS_MAX (4u << 20)

struct duckdb_keys;

/* An execution. host_id belongs to the caller, and must be valid until commit or rollback. */
struct duckdb_execution {
	const char *host_id;
	uint64_t pid, start_ns, image_seq;
};

/* most: how many executions are kept in memory; 0: DUCKDB_KEYS_MAX. -ENOMEM, -EIO with words. */
int duckdb_keys_open(struct duckdb_keys **ret, duckdb_connection connection, size_t most,
		     struct error *err);
void duckdb_keys_free(struct duckdb_keys *keys); /* NULL is fine */

/* The next numbers of a batch and of a sample. */
int64_t duckdb_keys_batch(struct duckdb_keys *keys);
int64_t duckdb_keys_sample(struct duckdb_keys *keys);
/* The last that was assigned; 0: there is no sample. */
int64_t duckdb_keys_last_sample(const struct duckdb_keys *keys);

/* Notes that a number is needed; *ret is for duckdb_keys_number. -ENOMEM. */
int duckdb_keys_want(struct duckdb_keys *keys, const struct duckdb_execution *execution,
		     int64_t *ret);
/* Finds or assigns the numbers of all that are wanted, and stores the new ones. */
int duckdb_keys_settle(struct duckdb_keys *keys, duckdb_connection connection, struct error *err);
/* The number that was wanted, within the transaction. */
int64_t duckdb_keys_number(struct duckdb_keys *keys, int64_t wanted);

void duckdb_keys_commit(struct duckdb_keys *keys, duckdb_connection connection);
void duckdb_keys_rollback(struct duckdb_keys *keys);
