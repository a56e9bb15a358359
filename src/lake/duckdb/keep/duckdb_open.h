/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "base/error.h"
#include "lake/store/store.h"

/* Opens the database of a store, or makes an empty one. DuckDB may use no files but those of the
 * database and of its work folder (duckdb_work_folder), no network, no extensions, and no statement
 * can change that. Errors as of the operation open of storage_engine.h. */
int duckdb_open_store(duckdb_database *ret, const struct store_options *options, struct error *err);

#define DUCKDB_WORK_SUFFIX ".work"
/* The folder beside the database for copies in the making, "DATABASE.work". The caller frees it;
 * NULL: no memory. */
char *duckdb_work_folder(const char *path);

/* Where rc is -EIO and the words are of DuckDB about a damaged file: adds what to do. Returns rc.
 */
int duckdb_name_cure(int rc, struct error *err);
