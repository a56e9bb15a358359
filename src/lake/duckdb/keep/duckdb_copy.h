/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdbool.h>

#include "base/error.h"
#include "lake/store/upkeep/upkeep.h"

struct duckdb_engine;

/* Copies the database into a new file `name` of its work folder, all tables as of one instant, with
 * the version of the schema; the rows of large tables ordered by run and time where `ordered`. The
 * copy is closed, synced and verified. *ret_path is freed by the caller. An error leaves no file.
 */
int duckdb_copy(struct duckdb_engine *engine, const char *name, bool ordered,
		const struct upkeep *upkeep, char **ret_path, struct error *err);

/* Whether the file is a store of a version that this program knows, and all blocks and rows of it
 * can be read; it is opened for reading. *ret_batches: of its ledger. -EIO, -EINVAL with words. */
int duckdb_verify(const char *path, const struct upkeep *upkeep, uint64_t *ret_batches,
		  struct error *err);

/* Removes what a process that ended left in the work folder. */
void duckdb_work_clean(const char *path);

/* Says how far it is. -ECANCELED with words: the work should end. */
int duckdb_upkeep_say(const struct upkeep *upkeep, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
