/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lake/store/machine_price.h"
#include "signal.pb-c.h"

/*
 * The store of the execution signal: batches go in, named queries are answered. One process holds a
 * database at a time. All functions but store_close may be called by any thread: one thread stores
 * batches, in groups; queries run at the same time. Which engine keeps the data is hidden behind
 * lake/store/storage_engine.h.
 */
struct store;
struct store_rows;

#define STORE_QUERY_LIMIT_NS (UINT64_C(30) * 1000000000) /* unless the options say otherwise */

struct store_options {
	const char *engine;    /* its name (storage_engines.h); NULL: the first */
	const char *path;      /* where the engine keeps its data; of DuckDB: the database file */
	uint64_t memory_limit; /* bytes for the engine; 0: 544 MiB */
	unsigned threads;      /* of the engine; 0: half of the CPUs, at most 4 */
	/* That the engine may write to, too; must outlive it. NULL, "": none. */
	const char *archive_folder;
	/* Of the log of batches that are acknowledged before they are in the database
	 * (store_delivery.packed); NULL: there is none, and they are acknowledged behind it. */
	const char *log_folder;
	uint64_t query_limit_ns;      /* how long a query may take; 0: STORE_QUERY_LIMIT_NS */
	struct machine_prices prices; /* its context must outlive the store */
};

/* Opens the database, or creates it. -EINVAL: there is no such engine, or another version made the
 * database and this one cannot use it; -EIO: it is no database, or another process holds it. */
int store_open(struct store **ret, const struct store_options *options, struct error *err);
void store_close(struct store *store); /* checkpoints; NULL is fine */

/* Stores the records of a batch and its key (host, agent, boot, sequence) in one transaction; on
 * return 0 they are durable. *ret_duplicate: a batch with this key was stored before, nothing was
 * written. -EPROTO: this batch can never be stored (words); -EAGAIN: too many batches wait;
 * -ECANCELED: store_drain; other errors: it may work later. */
int store_ingest(struct store *store, const Signal__Batch *batch, bool *ret_duplicate,
		 struct error *err);

/* Links what engines reported (told_runs, told_tasks) to the runs and tasks that agents saw. Where
 * these are not stored yet, a later call links them. Errors as of store_ingest. */
int store_link(struct store *store, struct error *err);
/* Adds what was stored since the last call to the sums from which queries over all hosts are
 * answered. Answers do not depend on it, only their time. *ret_more: there is more to add up than
 * batches should wait for; call it again. Errors as of store_ingest. */
int store_roll_up(struct store *store, bool *ret_more, struct error *err);

enum store_type {
	STORE_NULL,
	STORE_TEXT,
	STORE_I64,
	STORE_DOUBLE,
	STORE_BOOL,
	STORE_TIME,
	STORE_JSON
};

struct store_param {
	const char *name; /* as the query has it (named_query.h) */
	enum store_type type;
	union {
		const char *text;
		int64_t i64; /* also STORE_TIME: ns since the epoch */
		double number;
		bool flag;
	};
};

/* Answers a query of named_query.h from all that was acknowledged before; where that cannot be
 * stored now, from what is stored. Every parameter must be given, with a value of its type, or as
 * STORE_NULL where there is none. The caller frees the rows by store_rows_free. -ENOENT: there is
 * no such query; -EINVAL: a parameter is missing, unknown or of another type; -EMSGSIZE: the answer
 * does not fit into memory; -ETIMEDOUT: it took longer than query_limit_ns; -ECANCELED: store_stop.
 */
int store_query(struct store *store, const char *name, const struct store_param *params,
		size_t count, struct store_rows **ret, struct error *err);
void store_rows_free(struct store_rows *rows);
/* The same from what is stored: it does not wait. */
int store_query_stored(struct store *store, const char *name, const struct store_param *params,
		       size_t count, struct store_rows **ret, struct error *err);
/* Ends queries that run, and refuses new ones; a batch is stored to its end. */
void store_stop(struct store *store);
/* Refuses new batches (-ECANCELED), and returns once those that wait are stored. */
void store_drain(struct store *store);

size_t store_columns(const struct store_rows *rows);
const char *store_column_name(const struct store_rows *rows, size_t column);
enum store_type store_column_type(const struct store_rows *rows, size_t column);
/* -1: no such column. */
int store_column(const struct store_rows *rows, const char *name);
/* Moves to the next row (the first at the first call); false at the end. */
bool store_next(struct store_rows *rows);
/* Goes back before the first row. */
void store_rewind(struct store_rows *rows);
bool store_is_null(const struct store_rows *rows, size_t column);
/* Texts (STORE_TEXT, STORE_JSON; NULL for others and for null) are valid until store_rows_free.
 * STORE_TIME is ns since the epoch; sums beyond int64 are cut; numbers are converted into each
 * other; null is 0. */
const char *store_text(const struct store_rows *rows, size_t column);
int64_t store_i64(const struct store_rows *rows, size_t column);
double store_double(const struct store_rows *rows, size_t column);
bool store_bool(const struct store_rows *rows, size_t column);

/* A paged query takes $cursor and $limit and has a column of this name: its value in the last row
 * of a page is the $cursor of the next page (NULL: the first page). It is no part of an answer. */
#define STORE_CURSOR "cursor"
