/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include <duckdb.h>

#include "base/error.h"
#include "lake/store/table.h"

/*
 * Runs that are found to be a part of another (join_next.sql): what comes for them is entered under
 * that one's id, and what was there is moved.
 */
struct duckdb_parts;

/* Reads those that are known. */
int duckdb_parts_open(struct duckdb_parts **ret, duckdb_connection connection, struct error *err);
void duckdb_parts_free(struct duckdb_parts *parts); /* NULL is fine */

/* The id under which a run is entered: its own, or that of the run it is a part of. */
const char *duckdb_parts_run(const struct duckdb_parts *parts, const char *run_id);
/* Whether a table's records are entered so: all that bear a run's id, but the runs themselves. */
bool duckdb_parts_moves(const struct table *table);
/* Links came: joins what they show to be one. Within a transaction. */
int duckdb_parts_join(struct duckdb_parts *parts, duckdb_connection connection, struct error *err);
/* The transaction was rolled back: what is known is what is there. */
int duckdb_parts_read(struct duckdb_parts *parts, duckdb_connection connection, struct error *err);
