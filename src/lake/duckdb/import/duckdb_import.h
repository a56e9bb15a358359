/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "lake/store/import/store_import.h"

/*
 * Files that others made. Each kind is a table of operations: `read` turns the file into a Parquet
 * file of rows that are checked, by a database apart (import_sandbox.h); `write` are statements
 * that store these rows ($file) beside the parameters of the import, of which `answer` is run last.
 */
struct import_kind {
	const char *name;
	/* Reads `path`, which is not packed, and writes `rows`. The words say what is wrong with
	 * the file. */
	int (*read)(duckdb_connection sandbox, const char *path, const char *rows,
		    struct error *err);
	/* What refuses the import: a query that gives words as its first cell, or no row. */
	const char *refusal;
	const char *write;  /* statements, of which each ends with ";\n" */
	const char *answer; /* a query */
};

extern const struct import_kind IMPORT_BILL;
extern const struct import_kind IMPORT_PRICES, IMPORT_HOST_PRICE;
extern const struct import_kind IMPORT_INVENTORY;

/* The operations of struct store_operations with these names. */
int duckdb_import_read(void *engine, const struct store_import *import, char **ret_rows,
		       struct error *err);
int duckdb_import_write(void *engine, const struct store_import *import, const char *rows,
			struct store_rows **ret, struct error *err);
