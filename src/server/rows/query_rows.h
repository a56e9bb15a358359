/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/rows/row_writer.h"

/*
 * Rows of a query as lists and fields of an answer. The column STORE_CURSOR is never written.
 */

/* Columns that a handler adds behind those of the query, computed from each row. A column of the
 * query that has the name of an added one is left out. */
struct row_extra {
	const struct row_column *columns;
	size_t count;
	/* Sets `count` cells; texts stay valid until the next call. */
	void (*fill)(const struct store_rows *rows, void *context, struct cell *cells);
	void *context;
};

/* The value of a column in the current row. */
struct cell query_rows_cell(const struct store_rows *rows, size_t column);

/* All rows that are left, as the list `name`. extra may be NULL. */
void query_rows_list(struct row_writer *writer, const char *name, struct store_rows *rows,
		     const struct row_extra *extra);
/* At most limit rows (fewer where they are long), and the field "next": the cursor of the following
 * page, or no value. */
void query_rows_page(struct row_writer *writer, const char *name, struct store_rows *rows,
		     int64_t limit, const struct row_extra *extra);
/* The columns [from, to) of the current row as fields, then those of extra (may be NULL). */
void query_rows_fields(struct row_writer *writer, const struct store_rows *rows, size_t from,
		       size_t to, const struct row_extra *extra);
