/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "lake/duckdb/duckdb_column.h"

/*
 * How a table is filled: its columns in the order of the database, each with the field it is read
 * from.
 */
struct duckdb_plan;
struct merged_runs;

/* A record on its way into a table. */
struct duckdb_row {
	const Signal__Batch *batch;
	const ProtobufCMessage *record;
	struct table_numbers numbers;
};

/* Reads the table's columns from the database. -EINVAL with words where the table and its message
 * differ: a column without a field, a field without a column, a type that does not fit. */
int duckdb_plan_make(struct duckdb_plan **ret, duckdb_connection connection,
		     const struct table *table, struct error *err);
/* The same for another table with the columns of this one. */
int duckdb_plan_make_for(struct duckdb_plan **ret, duckdb_connection connection,
			 const struct table *table, const char *name, struct error *err);
void duckdb_plan_free(struct duckdb_plan *plan); /* NULL is fine */

/* Appends rows to the table, or, where it has a key, to staged_NAME. Records of a run that is a
 * part of another one get the run id of the other. */
int duckdb_plan_append(struct duckdb_plan *plan, duckdb_connection connection,
		       const struct merged_runs *merged, const struct duckdb_row *rows,
		       size_t count, struct error *err);
