#pragma once
#include <duckdb.h>

#include "base/error.h"

/*
 * A .sql file of several statements without parameters, prepared: planning a MERGE into a wide
 * table takes longer (7 ms) than merging a few rows (2 ms).
 */
struct duckdb_script;

/* sql is kept, not copied; name is for the words of a failure. */
int duckdb_script_make(struct duckdb_script **ret, duckdb_connection connection, const char *name,
		       const char *sql, struct error *err);
void duckdb_script_free(struct duckdb_script *script); /* NULL is fine */
/* Runs all statements in order, until one fails. */
int duckdb_script_run(struct duckdb_script *script, struct error *err);
