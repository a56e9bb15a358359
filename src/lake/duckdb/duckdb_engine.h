/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdbool.h>

#include "lake/duckdb/duckdb_sql.h"
#include "lake/store/storage_engine.h"
#include "lake/store/table.h"

/*
 * DuckDB as the storage engine (lake/store/storage_engine.h): one database file, one connection
 * that writes, a connection for each query. "words" below are messages for people in struct error.
 */
struct duckdb_mark;
struct duckdb_watch;
struct duckdb_writer;

struct duckdb_engine {
	duckdb_database database;
	duckdb_connection checkpointer; /* of the thread that writes; NULL: not made yet */
	int file;                       /* the database, open as long as DuckDB has it open */
	bool log_is_long;               /* and that was logged */
	struct duckdb_writer *writer;
	struct duckdb_watch *watch;
	struct duckdb_mark *mark;
	char *archive; /* its folder; NULL: there is none */
};

/* Runs statements without an answer. The words of a failure are `what` and DuckDB's message. */
int duckdb_run(duckdb_connection connection, const char *sql, const char *what, struct error *err);
/* Runs the statements of a list, one after the other; the words name the file. */
int duckdb_run_all(duckdb_connection connection, const struct duckdb_sql *list, struct error *err);
/* -errno for a kind of failure: -ENOMEM; -EPROTO: the data cannot be stored; -ENOTRECOVERABLE: the
 * database must be opened again; -EIO. */
int duckdb_errno(duckdb_error_type type);
/* Prepares one statement. */
int duckdb_prepare_sql(duckdb_connection connection, const char *sql,
		       duckdb_prepared_statement *ret, struct error *err);

/* Adds to the tables of an older file the columns that it lacks of those that the statements make;
 * in its rows they have the value that says "unknown" for their type. views: more statements, some
 * of which make tables of what a view answers (settled_*); NULL: none. */
int duckdb_widen(duckdb_connection connection, const struct duckdb_sql *tables,
		 const struct duckdb_sql *views, struct error *err);

/* Shortens texts that an earlier version stored and that are longer than their bounds. */
int duckdb_shorten(duckdb_connection connection, struct error *err);

/* Creates tables and views, unless the file has those of this program: to create them takes most of
 * the time of opening a store. A file of an earlier version is migrated first
 * (migrate/duckdb_migrate.h). */
int duckdb_layout_open(duckdb_connection connection, struct error *err);

/* The connection that writes batches. Opening it brings the schema up to date. -EINVAL with words:
 * a table and its message differ. */
int duckdb_writer_open(struct duckdb_writer **ret, duckdb_database database, struct error *err);
void duckdb_writer_close(struct duckdb_writer *writer); /* NULL is fine */
/* The operations of struct store_operations with these names. */
int duckdb_writer_begin(struct duckdb_writer *writer, struct error *err);
int duckdb_writer_write(struct duckdb_writer *writer, const Signal__Batch *const *batches,
			size_t count, const struct merged_runs *merged, struct error *err);
int duckdb_writer_read(struct duckdb_writer *writer, const char *name,
		       const struct store_param *params, size_t count, struct store_rows **ret,
		       struct error *err);
int duckdb_writer_join(struct duckdb_writer *writer, const struct run_join *joins, size_t count,
		       struct error *err);
int duckdb_writer_mark_lost(struct duckdb_writer *writer, struct error *err);
/* *ret_batches: of the transaction. */
int duckdb_writer_commit(struct duckdb_writer *writer, size_t *ret_batches, struct error *err);
void duckdb_writer_rollback(struct duckdb_writer *writer);
/* Samples were removed on another connection. */
void duckdb_writer_samples_removed(struct duckdb_writer *writer);
int duckdb_writer_roll_up(struct duckdb_writer *writer, bool *ret_more, struct error *err);
int duckdb_writer_link(struct duckdb_writer *writer, bool *ret_changed, struct error *err);
/* For what else writes between batches, on the same thread. */
duckdb_connection duckdb_writer_connection(const struct duckdb_writer *writer);

/* Runs one statement on a connection of its own, for as long as a query may take. Any thread.
 * Errors as of store_query. */
int duckdb_engine_query(struct duckdb_engine *engine, const char *sql,
			const struct store_param *params, size_t count, struct store_rows **ret,
			struct error *err);
/* The same on this connection, without a limit of time. */
int duckdb_query_rows(duckdb_connection connection, const char *sql,
		      const struct store_param *params, size_t count, struct store_rows **ret,
		      struct error *err);
/* The same with those of the parameters that the statement names ($NAME, also in a comment). */
int duckdb_query_named(duckdb_connection connection, const char *sql,
		       const struct store_param *params, size_t count, struct store_rows **ret,
		       struct error *err);

/* The parameter of this name, or NULL. */
const struct store_param *duckdb_find_param(const struct store_param *params, size_t count,
					    const char *name);

/* Whether the first parameter of a query is `run_ids`, a JSON array, which the query reads as the
 * variable `runs`: DuckDB plans with its value. */
bool duckdb_has_runs(const struct store_param *params, size_t count);
/* Sets the variable, in the transaction of the query, before it. */
int duckdb_set_runs(duckdb_connection connection, const struct store_param *runs,
		    struct error *err);
/* Whether the named query reads the figures of one run, $run, or of $run_ids, and of no other. */
bool duckdb_reads_one_run(const char *query);
/* In the transaction of such a query, before it: sets the schemas in which the connection finds
 * views, which is used for no other query. */
int duckdb_choose_views(duckdb_connection connection, const struct store_param *params,
			size_t count, struct error *err);

/* The operation join, on this connection. */
int duckdb_join(duckdb_connection connection, const struct run_join *joins, size_t count,
		struct error *err);

extern const struct store_operations duckdb_operations;
extern const struct store_upkeep duckdb_upkeep; /* keep/duckdb_upkeep.c */
