/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "lake/store/store.h"
#include "lake/store/upkeep/upkeep.h"

/*
 * The archive: a folder of Parquet files, KIND/day=2026-11-28/host=ID/run_HASH_N.parquet, with the
 * rows that retention takes out of the tables. KIND is the table or view that had them. The table
 * `archived` lists the files: one that is not listed is of no meaning (a lake was killed, or an
 * earlier copy of the store was restored). Only queries of what is shown of single processes read
 * the archive, and only where they are about a run that has files there.
 */
#define DUCKDB_ARCHIVE_HASH_SIZE 33

/* Rows for the archive. */
struct duckdb_archive_part {
	const char *kind;
	const char *rows; /* a query: the columns of the kind, and day and host */
};

/* Whether the path of an archive can be part of a statement, where some characters mean something.
 * -EINVAL with words. */
int duckdb_archive_check_folder(const char *folder, struct error *err);

/* Writes the rows of one run and lists their files, in the caller's transaction. On return the
 * files are on disk. A transaction that is not committed leaves files that are not listed; they are
 * replaced when the run is archived again. */
int duckdb_archive_write(duckdb_connection connection, const char *folder, const char *run_id,
			 const struct duckdb_archive_part *parts, size_t count, struct error *err);

/* In the transaction of a named query, before it: where it reads rows of a run that are in the
 * archive, the connection finds views that have them, too (*ret_archived). -EREMOTEIO with words: a
 * file is missing. folder NULL: there is no archive. */
int duckdb_archive_choose(duckdb_connection connection, const char *folder, const char *query,
			  const struct store_param *params, size_t count, bool *ret_archived,
			  struct error *err);
/* The error of a query that read the archive, where rc is an error of reading; else rc. */
int duckdb_archive_name_cure(int rc, struct error *err);

/* Adds a line to report for each file that is missing, cannot be read, or has another number of
 * rows than it had; *faults counts them. */
int duckdb_archive_check(duckdb_connection connection, const char *folder,
			 const struct upkeep *upkeep, struct buffer *report, size_t *faults,
			 struct error *err);

/* In the transaction of forgetting, where the tables forgotten_runs and forgotten_hosts say what:
 * removes the files that are about it, the unlisted ones, too, and counts their rows. dry: counts
 * alone. -EINVAL with words: files are listed, and it is not known where they are. */
int duckdb_archive_forget(duckdb_connection connection, const char *folder, bool dry,
			  struct upkeep_counts *counts, struct error *err);
