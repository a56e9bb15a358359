/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdint.h>

#include "base/error.h"

/*
 * How many batches were acknowledged, in a file beside the database (DATABASE.batches). DuckDB
 * opens a database without its log, or with a part of it, as if nothing were missing: this number
 * says that something is. It is written after each commit and never synced: after a power failure
 * it may be lower than what the database has, never higher.
 */
struct duckdb_mark;

/* Reads the number for the database at `path`, or begins with 0. -EPERM with words: the database
 * or a file beside it is not safe to use (base/owned.h); -ENODATA: the database is missing, and its
 * log or this file is there. -ENOMEM, -errno. */
int duckdb_mark_open(struct duckdb_mark **ret, const char *path, struct error *err);
void duckdb_mark_close(struct duckdb_mark *mark); /* NULL is fine */

/* -ENODATA with words: the ledger has fewer batches than were acknowledged. */
int duckdb_mark_check(struct duckdb_mark *mark, duckdb_connection connection, struct error *err);

/* After a commit: so many batches more. */
void duckdb_mark_add(struct duckdb_mark *mark, uint64_t batches);
/* Before batches are deleted: the number that is left, at least. */
void duckdb_mark_lower(struct duckdb_mark *mark, uint64_t batches);

/* Bytes of the database's log; 0: there is none. */
uint64_t duckdb_mark_log_bytes(const struct duckdb_mark *mark);
/* The database's path. */
const char *duckdb_mark_path(const struct duckdb_mark *mark);
