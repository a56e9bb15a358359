/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * The formats of bills, known by their columns. `sql` makes a view `lines`, with the columns of the
 * table bill_lines, from a view `raw`, which has all of `columns` as texts: those that the file
 * lacks as NULL. To add a format: a table here, and a file imports/bill_NAME.sql.
 */
struct bill_format {
	const char *name;            /* "FOCUS" */
	const char *const *columns;  /* that the SQL reads; ends with NULL */
	const char *const *required; /* of these: without one the file is of another format */
	const char *sql;
};

/* Which columns a file has: for each of format->columns, the number of the file's column with that
 * name (in any case, "_" like "."), or BILL_NO_COLUMN. */
#define BILL_COLUMNS_MAX 96
#define BILL_NO_COLUMN   ((size_t)-1)

struct bill_columns {
	const struct bill_format *format;
	char name[32]; /* of the format with its version */
	size_t found[BILL_COLUMNS_MAX];
};

/* names: `count` texts, each NUL-terminated, one after the other. -EPROTO with words: no format has
 * these columns, or a column that is needed is there twice. */
int bill_format_find(const char *names, size_t count, struct bill_columns *ret, struct error *err);
