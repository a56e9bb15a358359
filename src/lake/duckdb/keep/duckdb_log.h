/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

struct duckdb_engine;
struct error;

/* The log is moved into the database behind DUCKDB_LOG_USUAL bytes of it, once the batches of a
 * commit are acknowledged. Where another transaction keeps it from that, DuckDB does it by itself,
 * at some commit behind DUCKDB_LOG_LIMIT. */
#define DUCKDB_LOG_USUAL      (64u << 20)
#define DUCKDB_LOG_LIMIT      (160u << 20) /* a log beyond it is reported */
#define DUCKDB_LOG_LIMIT_TEXT "160MiB"
#define DUCKDB_LOG_REST       (256u << 10) /* at which an idle lake empties it */

/* A checkpoint merges neighbouring row groups of a table that are small or have deleted rows: one
 * merge, which takes up to a second; none while batches come (150 to 400 ms then, for 64 MiB). */
#define DUCKDB_LOG_MERGE "SET max_vacuum_tasks = 1"
#define DUCKDB_LOG_KEEP  "SET max_vacuum_tasks = 0"

/* store_operations.tidy: bounds the log. */
int duckdb_tidy(void *engine);

/* By the thread that writes: empties a log of DUCKDB_LOG_REST or more. Rows since the last
 * checkpoint are in memory, uncompressed, in segments of 256 KiB a column, until the next one. */
int duckdb_release(struct duckdb_engine *engine, struct error *err);
