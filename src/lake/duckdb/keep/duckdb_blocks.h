/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lake/store/upkeep/upkeep.h"

/*
 * The blocks of a DuckDB file (format 64, of DuckDB 1.2 to 1.5): three heads of 4 KiB, each with a
 * checksum in its first 8 bytes, then blocks of one size with one each. DuckDB compares the
 * checksum of a block when it reads it; here all of a file are compared, also of one in use.
 */
#define DUCKDB_BLOCKS_MAX 1000 /* bad ones that are listed */

struct duckdb_bad_blocks {
	int64_t numbers[DUCKDB_BLOCKS_MAX]; /* from 0; a head: -1 to -3 */
	size_t count;
	uint64_t blocks; /* that were compared */
};

/* Compares all of the file that fd has open; path is for words. A process that has the database
 * open must not close fd before it: that would end DuckDB's lock of the file (fcntl(2), F_SETLK).
 * -EIO with words: the file cannot be read, or has another format. */
int duckdb_blocks_scan(int fd, const char *path, const struct upkeep *upkeep,
		       struct duckdb_bad_blocks *ret, struct error *err);
/* Compares the blocks of the list once more, and keeps those that are still bad: a block that was
 * being written is whole by then. */
int duckdb_blocks_again(int fd, const char *path, struct duckdb_bad_blocks *bad, struct error *err);
