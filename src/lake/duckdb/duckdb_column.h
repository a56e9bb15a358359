/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "lake/store/table.h"

/*
 * Writes a field of protobuf messages, one a row, into a DuckDB vector. Integers are cut to
 * ±COLUMN_INTEGER_MAX, so that sums of a few never overflow a BIGINT.
 */
#define COLUMN_INTEGER_MAX ((int64_t)1 << 60)

typedef void column_write(duckdb_vector vector, const ProtobufCFieldDescriptor *field,
			  const void *const *messages, idx_t count);

/* The function that writes a field into a column of a DuckDB type; NULL: they do not fit. */
column_write *duckdb_column_writer(const ProtobufCFieldDescriptor *field, duckdb_type type);
