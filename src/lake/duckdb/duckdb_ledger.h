/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * The ledger of batches (schema/tables/ledger.sql): a row each, and from time to time all of them
 * as ranges. Used by the one thread that writes, within its transaction.
 */
#define DUCKDB_LEDGER_FOLD 32768 /* batches, behind which they are taken into the ranges */

struct duckdb_ledger {
	int64_t folded; /* the number of the last batch that is in the ranges */
	int64_t added;  /* of the last batch */
};

/* A batch that is being written. */
struct duckdb_batch {
	const Signal__Batch *batch;
	int64_t key;    /* its number */
	size_t records; /* rows that it brought */
};

/* Reads what is in the database. */
void duckdb_ledger_open(struct duckdb_ledger *ledger, duckdb_connection connection);
/* Adds batches, in the order of their numbers. */
int duckdb_ledger_add(struct duckdb_ledger *ledger, duckdb_connection connection,
		      const struct duckdb_batch *batches, size_t count, struct error *err);
/* Before a commit: takes the batches into the ranges where many came. */
int duckdb_ledger_fold(struct duckdb_ledger *ledger, duckdb_connection connection,
		       struct error *err);
