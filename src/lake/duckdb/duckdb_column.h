/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "lake/store/table.h"

/*
 * From a field of a protobuf message to a cell of a DuckDB vector. Cut to ±COLUMN_INTEGER_MAX:
 * integers, so that the queries' sums of a few never overflow a BIGINT.
 */
#define COLUMN_INTEGER_MAX ((int64_t)1 << 60)

typedef void column_write(duckdb_vector vector, idx_t row, const ProtobufCFieldDescriptor *field,
			  const void *message);

/* How a field is written into a column of a DuckDB type, or NULL: they do not fit. */
column_write *duckdb_column_writer(const ProtobufCFieldDescriptor *field, duckdb_type type);
