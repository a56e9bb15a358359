/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/varint.h"
#include "lake/duckdb/duckdb_column.h"
#include "signal/sample_figures.h"

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

/* The error of a query that reads a value which is no packed figures. */
#define DUCKDB_FIGURES_DAMAGED "the figures of a sample are damaged"

/* The largest number of a figure. */
#define DUCKDB_FIGURES_MAX 128
/* Bytes of a packed value, at most. */
#define DUCKDB_FIGURES_BYTES (2 * VARINT_BYTES * DUCKDB_FIGURES_MAX)

/* The packed figures of a value, in its memory. */
struct packed_figures duckdb_figures_of(duckdb_string_t *value);
/* Those of a sample that has them unpacked are packed into `bytes`. */
struct packed_figures duckdb_figures_of_sample(const Signal__Sample *sample,
					       uint8_t bytes[DUCKDB_FIGURES_BYTES]);
/* Packs a figure at `at`. Returns the number of bytes. */
size_t duckdb_figures_put(uint8_t *at, uint32_t number, uint64_t value);

/* For all connections of the database (duckdb_functions.h). -ENOMEM with words. */
int duckdb_figures_register(duckdb_connection connection, struct error *err);

/* Writes Signal__Figures, each a field of a message, into a column of type BLOB: those of samples
 * that have them packed as they are. */
void duckdb_figures_write(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
			  const void *const *messages, idx_t count);
