/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * Rows of a CSV text (RFC 4180: commas, quotes that are doubled within quotes), which is given in
 * pieces of any size. A struct that the caller owns; csv_rows_clear() frees what it holds.
 */
#define CSV_ROW_FIELDS 512
#define CSV_ROW_BYTES  (256u << 10)

struct csv_rows {
	/* Gets each row; fields are valid during the call. Not 0 ends the reading. */
	int (*row)(void *context, const char *const *fields, size_t count, struct error *err);
	void *context;
	struct buffer text; /* of the row, a NUL behind each field */
	size_t starts[CSV_ROW_FIELDS], count, line;
	bool quoted, quote; /* within quotes; the byte before was a quote within quotes */
	bool begun;         /* the row has a byte */
};

void csv_rows_init(struct csv_rows *rows,
		   int (*row)(void *context, const char *const *fields, size_t count,
			      struct error *err),
		   void *context);
/* -EFBIG: a row beyond the bounds; what row() returned. Words have the line. */
int csv_rows_feed(struct csv_rows *rows, const char *bytes, size_t len, struct error *err);
/* The last row may have no end of line. -EINVAL: the text ends within quotes. */
int csv_rows_end(struct csv_rows *rows, struct error *err);
void csv_rows_clear(struct csv_rows *rows);
