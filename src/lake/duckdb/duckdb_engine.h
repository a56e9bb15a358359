/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "lake/duckdb/duckdb_sql.h"
#include "lake/store/engine.h"
#include "lake/store/table.h"

/*
 * DuckDB as the store: one database file, one connection that writes, a connection for each query.
 */
struct duckdb_watch;
struct duckdb_writer;

struct duckdb_engine {
	duckdb_database database;
	struct duckdb_writer *writer;
	struct duckdb_watch *watch;
};

/* Runs statements that answer nothing. The words of a failure are DuckDB's, after `what`. */
int duckdb_run(duckdb_connection connection, const char *sql, const char *what, struct error *err);
/* Runs the statements of a list, one after the other; the words name the file. */
int duckdb_run_all(duckdb_connection connection, const struct duckdb_sql *list, struct error *err);
/* -errno for a kind of DuckDB's failures: -ENOMEM; -EPROTO what the data is to blame for;
 * -ENOTRECOVERABLE the database must be opened anew; -EIO. */
int duckdb_errno(duckdb_error_type type);
/* Prepares one statement. */
int duckdb_prepare_sql(duckdb_connection connection, const char *sql,
		       duckdb_prepared_statement *ret, struct error *err);

/* Tables of a file that an earlier version made get the columns that came since; what older rows
 * say there is what "unknown" is of its kind. */
int duckdb_widen(duckdb_connection connection, struct error *err);

/* Cuts texts that an earlier version stored beyond their bounds. */
int duckdb_shorten(duckdb_connection connection, struct error *err);

/* Makes tables and views, unless the file says that it has those of this program: to make them
 * takes most of the time that it takes to open a store. */
int duckdb_layout_open(duckdb_connection connection, struct error *err);

/* The writing side: batches into tables. Makes the schema where it is missing. -EINVAL with words:
 * a table and its message differ. */
int duckdb_writer_open(struct duckdb_writer **ret, duckdb_database database, struct error *err);
void duckdb_writer_close(struct duckdb_writer *writer); /* NULL is fine */
/* The operations of a batch, as engine.h has them. */
int duckdb_writer_begin(struct duckdb_writer *writer, const Signal__Batch *batch,
			bool *ret_duplicate, struct error *err);
int duckdb_writer_write(struct duckdb_writer *writer, const Signal__Batch *batch,
			const struct merged_runs *merged, struct error *err);
int duckdb_writer_read(struct duckdb_writer *writer, const char *name,
		       const struct store_param *params, size_t count, struct store_rows **ret,
		       struct error *err);
int duckdb_writer_join(struct duckdb_writer *writer, const struct run_join *join,
		       struct error *err);
int duckdb_writer_mark_lost(struct duckdb_writer *writer, struct error *err);
int duckdb_writer_commit(struct duckdb_writer *writer, const Signal__Batch *batch,
			 struct error *err);
void duckdb_writer_rollback(struct duckdb_writer *writer);
int duckdb_writer_link(struct duckdb_writer *writer, struct error *err);

/* Runs one statement on a connection of its own, for as long as a query may take. Any thread.
 * Errors as of store_query. */
int duckdb_engine_query(struct duckdb_engine *engine, const char *sql,
			const struct store_param *params, size_t count, struct store_rows **ret,
			struct error *err);
/* The same on this connection, for as long as it takes. */
int duckdb_query_rows(duckdb_connection connection, const char *sql,
		      const struct store_param *params, size_t count, struct store_rows **ret,
		      struct error *err);

/* Within a transaction. */
int duckdb_join(duckdb_connection connection, const struct run_join *join, struct error *err);

extern const struct store_operations duckdb_operations;
