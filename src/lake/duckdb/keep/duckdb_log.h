/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

struct duckdb_engine;
struct error;

/* DuckDB moves its log into the database by itself, at some commit behind DUCKDB_LOG_USUAL of it,
 * unless another transaction keeps it from doing so. Each time it writes the last blocks of each
 * table again. */
#define DUCKDB_LOG_USUAL "64MB"
#define DUCKDB_LOG_LIMIT (160u << 20) /* bytes, at which the writer waits for a checkpoint */
#define DUCKDB_LOG_REST  (256u << 10) /* bytes, at which an idle lake empties it */

/* After the commit of so many batches, by the thread that writes: notes them (duckdb_mark.h), and
 * bounds the log. */
void duckdb_committed(struct duckdb_engine *engine, uint64_t batches);

/* By the thread that writes: empties a log of DUCKDB_LOG_REST or more. Rows since the last
 * checkpoint are in memory, uncompressed, in segments of 256 KiB a column, until the next one. */
int duckdb_release(struct duckdb_engine *engine, struct error *err);
