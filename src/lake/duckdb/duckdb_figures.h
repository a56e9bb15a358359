/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "lake/duckdb/duckdb_column.h"

/*
 * The figures of a sample as one value of the database: the message Figures as protobuf encodes it
 * (https://protobuf.dev/programming-guides/encoding/), which has nothing of a figure that is 0.
 * Most are: a row takes 54 bytes; with a column for each figure it took 86 (docs/scale.md).
 *
 * In SQL, wherever these functions are registered:
 *   unpack_figures(BLOB)    a STRUCT with a BIGINT for each figure. NULL of NULL. A value that is
 * no message ends the query with an error; figures that this program does not know are left out.
 *   pack_figures(BIGINT[])  the BLOB. The n-th number is the figure with field number n; those less
 *                           than 1, and those of no figure, are left out.
 */

/* For all connections of the database. -ENOMEM with words. */
int duckdb_figures_register(duckdb_connection connection, struct error *err);

/* Writes Signal__Figures, each a field of a message, into a column of type BLOB: those of samples
 * that have them packed as they are. */
void duckdb_figures_write(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
			  const void *const *messages, idx_t count);
