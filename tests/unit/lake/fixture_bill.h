/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "fixture_store.h"

/* Bills of tests/data/bills, written after the providers' references of columns, imported into a
 * store. */

/* Of a test, as lake_setup: agents report the instances of these bills as hosts. */
int bill_setup(void **state);

/* How a copy of a file differs from it. */
struct bill_change {
	const char *from, *to; /* the text `from` becomes `to`, everywhere; NULL: nothing does */
	size_t cut;            /* bytes that are missing at its end */
};

/* The file `name` as *ret (free), its length as *ret_len. */
void bill_read(const char *name, const struct bill_change *change, char **ret, size_t *ret_len);
/* Imports these bytes. batch: which files belong together; NULL: this one is alone. Returns what
 * store_import does. */
int bill_import_bytes(struct lake *lake, const void *bytes, size_t len, const char *batch,
		      int64_t parts, struct error *err);
/* The same of a file. */
int bill_import(struct lake *lake, const char *name, const struct bill_change *change,
		struct error *err);
/* Asserts that it was stored. */
void bill_store(struct lake *lake, const char *name, const struct bill_change *change);
/* Asserts that it is refused as `code`, with words that contain `words`, and that nothing of it was
 * stored. */
void bill_refuse(struct lake *lake, const char *name, const struct bill_change *change, int code,
		 const char *words);
/* The same as Parquet, made of the file by DuckDB. Below lake->folder; to be freed. */
char *bill_as_parquet(struct lake *lake, const char *name);
/* The id of the file that was imported last. */
const char *bill_last(struct lake *lake);
