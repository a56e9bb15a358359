/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/join/run_match.h"
#include "lake/store/store.h"

struct merged_runs;
struct store_import;
struct store_upkeep;

/*
 * The contract of a storage engine. An engine keeps the tables of lake/store/table.h, the ledger of
 * batches and the table of parts, and answers the queries of lake/store/named_query.h. Everything
 * else is decided by the store: what of a batch is believed (boundary.h), which runs belong
 * together (run_match.h), when a thread waits, when an engine that failed is opened again.
 *
 * A query with a cursor pages: the column `cursor` of its last row, "RANK ID" (a number, a blank,
 * an id), is the parameter `cursor` of the next page; the server refuses a cursor of another shape.
 *
 * To add an engine: a folder src/lake/NAME with its table of operations and its .sql files, a line
 * in storage_engines.c, a line in src/lake/CMakeLists.txt. tests/unit/lake/contract/ runs on each
 * of them.
 *
 * Threads: nothing else is called during open and close. begin … tidy, read, link, roll_up,
 * unsettle, keep, change, settle_begin and settle_end are called by one thread at a time, query and
 * stop by any number of threads, at any time.
 *
 * Errors: 0 or -errno, with words. -EPROTO: the data cannot be stored, now or later.
 * -ENOTRECOVERABLE: the engine gave up, and does nothing more until it is closed and opened again;
 * what was committed is there then. -ENOMEM, -EIO: it may work later.
 */
struct store_operations {
	const char *name; /* store_options.engine */

	/* Opens the database at options->path; creates it, or brings one of an earlier version up
	 * to date. *ret_engine is freed by close. -EINVAL: another version made it, and this one
	 * cannot use it. */
	int (*open)(void **ret_engine, const struct store_options *options, struct error *err);
	void (*close)(void *engine);

	/* Begins a transaction. The operations below follow, and last commit, or rollback once one
	 * of them failed. */
	int (*begin)(void *engine, struct error *err);
	/* Writes the records of batches, and their keys (host, agent, boot, sequence) into the
	 * ledger. None of them is in the ledger, and no two have a record of the same key. A
	 * record is appended, or it replaces the stored record with the same key,
	 * unless that is of a later batch. Records with a run id (table_has_run) get the id that
	 * merged_runs_find gives. The batches must be valid until commit or rollback. */
	int (*write)(void *engine, const Signal__Batch *const *batches, size_t count,
		     const struct merged_runs *merged, struct error *err);
	/* As query, for the thread that writes: without a limit of time, not ended by stop, and
	 * between begin and commit with what was written. For `linked_runs`, `merged_runs`,
	 * `ledger_ranges`, `boundary_hosts` and what store/settle/ asks. */
	int (*read)(void *engine, const char *name, const struct store_param *params, size_t count,
		    struct store_rows **ret, struct error *err);
	/* Stores that runs are parts of others (table `parts`): stored records with the run id of a
	 * part, except runs and links, get the id of its run, and so do the parts of the part. No
	 * run in the list is a part in it. */
	int (*join)(void *engine, const struct run_join *joins, size_t count, struct error *err);
	/* After the write of batches with a Scan record (the agent listed what runs): executions,
	 * tasks and runs that are stored as running, and were last reported before the last scan of
	 * their host, become `lost`. */
	int (*mark_lost)(void *engine, struct error *err);
	/* Makes all of it durable and visible, or nothing. */
	int (*commit)(void *engine, struct error *err);
	void (*rollback)(void *engine);
	/* After a commit, once its batches are acknowledged: work that they need not wait for. Only
	 * -ENOTRECOVERABLE counts. */
	int (*tidy)(void *engine);

	/* Finds the runs and tasks that engines reported (told_runs, told_tasks) among those that
	 * agents saw. The runs of which that changed anything are settled no more; *ret_changed:
	 * there were any. */
	int (*link)(void *engine, bool *ret_changed, struct error *err);
	/* Adds what was stored since the last time to the sums that queries over all hosts read.
	 * The answer of no query depends on it, only the time that it takes. *ret_more: it stopped
	 * before the end, so that batches wait a short time only; call it again. */
	int (*roll_up)(void *engine, bool *ret_more, struct error *err);

	/* Settling runs: their answers to the queries of one run are stored, and these queries read
	 * them until the run is unsettled. Several runs at once take hardly longer than one. First
	 * the part `sums`, then `series`, each by
	 * the three operations, of which the second may take minutes: it is called by any thread
	 * while others write. What it sees is what was committed before settle_begin returned.
	 * -EEXIST: `sums`, and one of the runs is settled; -ENOENT: another part, and none is
	 * (those that are not are left out). */
	int (*settle_begin)(void *engine, const char *const *run_ids, size_t count,
			    const char *part, void **ret, struct error *err);
	int (*settle_write)(void *engine, void *settling, struct error *err);
	/* Makes it durable and visible, or nothing; frees what settle_begin returned. */
	int (*settle_end)(void *engine, void *settling, bool keep, struct error *err);
	/* Between begin and commit, or alone in a transaction: removes all that was stored of a
	 * settled run. One that is not settled is no error. */
	int (*unsettle)(void *engine, const char *run_id, bool alone, struct error *err);
	/* Stores a document about a settled run, in a transaction of its own, in place of the one
	 * of this kind. Of a run that is not settled nothing is stored. */
	int (*keep)(void *engine, const char *run_id, const char *kind, const char *maker,
		    const char *text, struct error *err);

	/* A change of store/change/store_change.h, in a transaction of its own. */
	int (*change)(void *engine, const char *name, const struct store_param *params,
		      size_t count, struct error *err);

	/* Importing a file (import/store_import.h). The first is called by any thread while others
	 * write, may take minutes, and makes a file of rows, which the caller frees and removes;
	 * the second stores these in a transaction of its own. */
	int (*import_read)(void *engine, const struct store_import *import, char **ret_rows,
			   struct error *err);
	int (*import_write)(void *engine, const struct store_import *import, const char *rows,
			    struct store_rows **ret, struct error *err);

	/* Answers a query. name is of named_query.h, params are as it asks for. The answer is built
	 * with rows.h and has the query's columns. -EMSGSIZE: larger than ROWS_LIMIT; -ETIMEDOUT:
	 * it took longer than options->query_limit_ns; -ECANCELED: stop was called. */
	int (*query)(void *engine, const char *name, const struct store_param *params, size_t count,
		     struct store_rows **ret, struct error *err);
	/* Ends the queries that run, and each that is begun from now on. A batch is stored to its
	 * end. */
	void (*stop)(void *engine);

	const struct store_upkeep *upkeep; /* upkeep/upkeep_operations.h */
};
