/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * What the samples since the last roll-up sum up to, by execution: kept while they are written, so
 * that a roll-up (ingest/roll_up_samples.sql) reads none of them. Where it is not complete (at a
 * start, after a rollback), the roll-up reads the samples (ingest/read_samples.sql). Used by the
 * one thread that has the connection that writes.
 */
struct duckdb_sums;

/* With so many executions or times of use, a roll-up is due. Some 30 MB. */
#define DUCKDB_SUMS_MAX 50000

/* NULL: no memory. Not complete. */
struct duckdb_sums *duckdb_sums_new(void);
void duckdb_sums_free(struct duckdb_sums *sums); /* NULL is fine */

/* The tables have the sums of all samples: from here on these are complete. */
void duckdb_sums_begin(struct duckdb_sums *sums);
/* Not complete any more: samples were rolled back or removed. */
void duckdb_sums_doubt(struct duckdb_sums *sums);
bool duckdb_sums_are_complete(const struct duckdb_sums *sums);

/* Adds a sample of the transaction. Without memory they are not complete any more. */
void duckdb_sums_add(struct duckdb_sums *sums, int64_t execution_key, const Signal__Sample *sample);
/* Whether DUCKDB_SUMS_MAX is reached. */
bool duckdb_sums_are_many(const struct duckdb_sums *sums);

/* Appends them to the temporary tables sums_new and uses_new (ingest/staging.sql). -EIO, with
 * words. */
int duckdb_sums_write(const struct duckdb_sums *sums, duckdb_connection connection,
		      struct error *err);
