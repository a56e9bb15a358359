/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "base/error.h"

/*
 * The figures of executions as of now (schema/views/executions.sql says by which rules). In SQL,
 * wherever they are registered, with the same parameters:
 *   - what the samples of an execution sum up to (sum_figures), and until when: BLOB, TIMESTAMP;
 *     NULL, where there are none;
 *   - whether it is open, and whether it runs: BOOLEAN, BOOLEAN;
 *   - the figures of its record, in the order of the message: BIGINT, NULL is 0.
 *
 *   figures_now(...)    of one execution: a STRUCT like that of unpack_figures()
 *   total_figures(...)  an aggregate: of several, a STRUCT with the same names. What adds up, and
 *                       levels, are added, as HUGEINT; of peaks the largest counts.
 *
 * With an expression for each figure, DuckDB planned figures_by of a run for 16 ms instead of 5.
 */

/* For all connections of the database (duckdb_functions.h). -ENOMEM with words. */
int duckdb_figures_now_register(duckdb_connection connection, struct error *err);
