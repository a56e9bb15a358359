/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/buffer.h"
#include "lake/store/storage_engine.h"

/*
 * A statement with its values in place of its parameters. DuckDB plans a prepared statement with
 * now() or getvariable() when it is prepared, and again when it is executed (measured with 1.5.6);
 * a statement that is run without that it plans once.
 */

/* Puts it into the buffer. Texts are written only if they are of letters, digits, blanks and
 * "-_.:/", at most 128 bytes: no text can end its quotes. False: it has to be prepared, because it
 * has another text among its values, because parameters and values do not match, or because there
 * is no memory. NULL values have a type here. */
bool duckdb_put_values(struct buffer *ret, const char *sql, const struct store_param *params,
		       size_t count);
