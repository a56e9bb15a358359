/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

struct duckdb_engine;

/* DuckDB moves its log into the database by itself, at some commit behind DUCKDB_LOG_USUAL of it,
 * unless another transaction keeps it from doing so. Each time it writes the last blocks of each
 * table again. */
#define DUCKDB_LOG_USUAL "64MB"
#define DUCKDB_LOG_LIMIT (160u << 20) /* bytes, at which the writer waits for a checkpoint */

/* After the commit of so many batches, by the thread that writes: notes them (duckdb_mark.h), and
 * bounds the log. */
void duckdb_committed(struct duckdb_engine *engine, uint64_t batches);
