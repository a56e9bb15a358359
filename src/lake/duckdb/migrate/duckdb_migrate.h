/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "base/error.h"

/*
 * The version of the store's file, and the steps that bring a file from each version to the next
 * (docs/lake.md, "Changing the schema"). Steps go forward only. A step is one transaction that also
 * writes the new version: a process that is killed in one leaves the version before it.
 */
struct duckdb_migration {
	unsigned version;  /* of the file after this step; one more than that of the step before */
	const char *words; /* what the step does, for the log */
	/* Runs before the transaction, each statement durable by itself; it runs again after a
	 * kill. NULL: there is nothing to prepare. */
	int (*prepare)(duckdb_connection connection, struct error *err);
	const char *sql; /* runs in the transaction: schema/migrations/NNN_words.sql. NULL: none */
};

/* In the order of their versions; NULL words end the list. */
extern const struct duckdb_migration DUCKDB_MIGRATIONS[];

#define DUCKDB_VERSION_NEW      0 /* no tables yet */
#define DUCKDB_VERSION_UNMARKED 1 /* made before files had a version */

/* The version behind the last step of a list. */
unsigned duckdb_last_version(const struct duckdb_migration *steps);

/* The version of the file. -EINVAL with words: it is a database of something else, or a later
 * program made it (its version is above `newest`). */
int duckdb_version_read(duckdb_connection connection, unsigned newest, unsigned *ret,
			struct error *err);
/* Notes the version and this program's own; within the caller's transaction. */
int duckdb_version_write(duckdb_connection connection, unsigned version, struct error *err);

/* Runs the steps of the list that are behind `version`, and logs each. Errors as of duckdb_run; the
 * steps before the one that failed stay done. */
int duckdb_migrate(duckdb_connection connection, const struct duckdb_migration *steps,
		   unsigned version, struct error *err);

/* Runs statements one after the other, as duckdb_run does, and logs every 10 s how far it is. */
int duckdb_run_long(duckdb_connection connection, const char *sql, const char *what,
		    struct error *err);
