/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "lake/duckdb/archive/duckdb_archive.h"
#include "lake/duckdb/duckdb_sql.h"
#include "lake/duckdb/duckdb_watch.h"
#include "lake/duckdb/import/duckdb_import.h"
#include "lake/duckdb/change/duckdb_change.h"
#include "lake/duckdb/keep/duckdb_copy.h"
#include "lake/duckdb/keep/duckdb_log.h"
#include "lake/duckdb/keep/duckdb_mark.h"
#include "lake/duckdb/keep/duckdb_open.h"
#include "lake/duckdb/settle/duckdb_settle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void engine_close(void *context)
{
	struct duckdb_engine *engine = context;

	if (!engine)
		return;
	duckdb_watch_close(engine->watch);
	duckdb_writer_close(engine->writer);
	duckdb_disconnect(&engine->checkpointer);
	duckdb_close(&engine->database); /* checkpoints */
	closep(&engine->file);           /* behind DuckDB's own: keep/duckdb_blocks.h */
	duckdb_mark_close(engine->mark);
	free(engine->archive);
	free(engine);
}

DEFINE_CLEANUP(void *, engine_close)

int duckdb_errno(duckdb_error_type type)
{
	switch (type) {
	case DUCKDB_ERROR_OUT_OF_MEMORY:
		return -ENOMEM;
	case DUCKDB_ERROR_FATAL:
	case DUCKDB_ERROR_INTERNAL:
		return -ENOTRECOVERABLE;
	case DUCKDB_ERROR_CONSTRAINT:
	case DUCKDB_ERROR_CONVERSION:
	case DUCKDB_ERROR_OUT_OF_RANGE:
	case DUCKDB_ERROR_INVALID_INPUT:
		return -EPROTO;
	default:
		return -EIO;
	}
}

int duckdb_run(duckdb_connection connection, const char *sql, const char *what, struct error *err)
{
	duckdb_result result;
	int rc = 0;

	if (duckdb_query(connection, sql, &result) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)), "%s: %s", what,
			       duckdb_result_error(&result));
	duckdb_destroy_result(&result);
	return rc;
}

int duckdb_run_all(duckdb_connection connection, const struct duckdb_sql *list, struct error *err)
{
	int rc = 0;

	for (; list->name && !rc; list++)
		rc = duckdb_run(connection, list->text, list->name, err);
	return rc;
}

int duckdb_prepare_sql(duckdb_connection connection, const char *sql,
		       duckdb_prepared_statement *ret, struct error *err)
{
	duckdb_prepared_statement statement;

	if (duckdb_prepare(connection, sql, &statement) == DuckDBError) {
		error_set(err, -EIO, "the store does not understand its own query: %s",
			  duckdb_prepare_error(statement));
		duckdb_destroy_prepare(&statement);
		return -EIO;
	}
	*ret = statement;
	return 0;
}

/* Looks whether the database is complete, before anything is changed. */
static int check_complete(struct duckdb_engine *engine, struct error *err)
{
	duckdb_connection connection;
	int rc;

	if (duckdb_connect(engine->database, &connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	rc = duckdb_mark_check(engine->mark, connection, err);
	duckdb_disconnect(&connection);
	return rc;
}

static int take_archive(struct duckdb_engine *engine, const char *folder, struct error *err)
{
	if (!folder || !*folder)
		return 0;
	if (access(folder, W_OK) < 0 && errno == EACCES)
		log_warning("user %u cannot write archive-folder %s: old rows stay (chown -R %u "
			    "%s)",
			    geteuid(), folder, geteuid(), folder);
	engine->archive = strdup(folder);
	return engine->archive ? duckdb_archive_check_folder(folder, err)
			       : error_set(err, -ENOMEM, "no memory to open the store");
}

static int engine_open(void **ret_engine, const struct store_options *options, struct error *err)
{
	struct duckdb_engine *engine = calloc(1, sizeof(*engine));
	CLEANUP(engine_closep) void *owned = engine;
	int rc;

	if (!engine)
		return error_set(err, -ENOMEM, "no memory to open the store");
	engine->file = -1;
	rc = take_archive(engine, options->archive_folder, err);
	if (!rc)
		rc = duckdb_mark_open(&engine->mark, options->path, err);
	if (!rc)
		rc = duckdb_open_store(&engine->database, options, err);
	if (!rc)
		engine->file = open(options->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (!rc)
		rc = check_complete(engine, err);
	if (!rc)
		duckdb_work_clean(options->path);
	if (!rc)
		rc = duckdb_writer_open(&engine->writer, engine->database, err);
	if (!rc)
		rc = duckdb_run(duckdb_writer_connection(engine->writer),
				duckdb_sql_ingest_price_hosts, "price_hosts.sql", err);
	if (!rc)
		rc = duckdb_watch_open(&engine->watch,
				       options->query_limit_ns ? options->query_limit_ns
							       : STORE_QUERY_LIMIT_NS,
				       err);
	if (!rc)
		*ret_engine = TAKE_PTR(owned);
	return rc;
}

static int engine_begin(void *context, struct error *err)
{
	return duckdb_writer_begin(((struct duckdb_engine *)context)->writer, err);
}

static int engine_write(void *context, const Signal__Batch *const *batches, size_t count,
			const struct merged_runs *merged, struct error *err)
{
	return duckdb_writer_write(((struct duckdb_engine *)context)->writer, batches, count,
				   merged, err);
}

static int engine_read(void *context, const char *name, const struct store_param *params,
		       size_t count, struct store_rows **ret, struct error *err)
{
	return duckdb_writer_read(((struct duckdb_engine *)context)->writer, name, params, count,
				  ret, err);
}

static int engine_join(void *context, const struct run_join *joins, size_t count, struct error *err)
{
	return duckdb_writer_join(((struct duckdb_engine *)context)->writer, joins, count, err);
}

static int engine_mark_lost(void *context, struct error *err)
{
	struct duckdb_engine *engine = context;
	duckdb_result result;
	bool none = duckdb_query(duckdb_writer_connection(engine->writer),
				 duckdb_sql_ingest_find_lost, &result) == DuckDBSuccess &&
		    duckdb_row_count(&result) == 0;

	duckdb_destroy_result(&result);
	return none ? 0 : duckdb_writer_mark_lost(engine->writer, err);
}

static int engine_commit(void *context, struct error *err)
{
	struct duckdb_engine *engine = context;
	size_t batches;
	int rc = duckdb_writer_commit(engine->writer, &batches, err);

	if (!rc)
		duckdb_mark_add(engine->mark, batches);
	return rc;
}

static void engine_rollback(void *context)
{
	duckdb_writer_rollback(((struct duckdb_engine *)context)->writer);
}

static int engine_link(void *context, bool *ret_changed, struct error *err)
{
	struct duckdb_engine *engine = context;

	return duckdb_writer_link(engine->writer, ret_changed, err);
}

/* Where the query finds its macros and views. *ret_archived: rows in the archive, too. */
static int choose_views(const struct duckdb_engine *engine, duckdb_connection connection,
			const char *query, const struct store_param *params, size_t count,
			bool *ret_archived, struct error *err)
{
	bool settled;
	int rc = duckdb_choose_settled(connection, query, params, count, &settled, err);

	if (rc || settled)
		return rc;
	rc = duckdb_archive_choose(connection, engine->archive, query, params, count, ret_archived,
				   err);
	if (rc || *ret_archived || !duckdb_reads_one_run(query))
		return rc;
	return duckdb_choose_views(connection, params, count, err);
}

static int engine_roll_up(void *context, bool *ret_more, struct error *err)
{
	struct duckdb_engine *engine = context;

	return duckdb_writer_roll_up(engine->writer, ret_more, err);
}

/* `name`: of the query, or NULL. */
static int run_query(struct duckdb_engine *engine, const char *name, const char *sql,
		     const struct store_param *params, size_t count, struct store_rows **ret,
		     struct error *err)
{
	struct duckdb_watched query;
	duckdb_connection connection;
	size_t runs = duckdb_has_runs(params, count);
	bool archived = false;
	int rc;

	if (duckdb_connect(engine->database, &connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	/* One transaction for planning and running: a plan is valid for the rows that it was made
	 * for. */
	duckdb_watch_begin(engine->watch, &query, connection);
	rc = duckdb_run(connection, "BEGIN", "the store cannot begin", err);
	if (!rc && runs)
		rc = duckdb_set_runs(connection, params, err);
	if (!rc && name)
		rc = choose_views(engine, connection, name, params, count, &archived, err);
	if (!rc)
		rc = duckdb_query_named(connection, sql, params + runs, count - runs, ret, err);
	rc = duckdb_watch_end(engine->watch, &query, rc, err);
	duckdb_disconnect(&connection);
	return archived ? duckdb_archive_name_cure(rc, err) : duckdb_name_cure(rc, err);
}

int duckdb_engine_query(struct duckdb_engine *engine, const char *sql,
			const struct store_param *params, size_t count, struct store_rows **ret,
			struct error *err)
{
	return run_query(engine, NULL, sql, params, count, ret, err);
}

static int engine_query(void *context, const char *name, const struct store_param *params,
			size_t count, struct store_rows **ret, struct error *err)
{
	return run_query(context, name, duckdb_sql_query(name), params, count, ret, err);
}

static void engine_stop(void *context)
{
	struct duckdb_engine *engine = context;

	duckdb_watch_stop(engine->watch);
}

const struct store_operations duckdb_operations = {
	.name = "duckdb",
	.open = engine_open,
	.close = engine_close,
	.begin = engine_begin,
	.write = engine_write,
	.read = engine_read,
	.join = engine_join,
	.mark_lost = engine_mark_lost,
	.commit = engine_commit,
	.rollback = engine_rollback,
	.tidy = duckdb_tidy,
	.link = engine_link,
	.roll_up = engine_roll_up,
	.settle_begin = duckdb_settle_begin,
	.settle_write = duckdb_settle_write,
	.settle_end = duckdb_settle_end,
	.unsettle = duckdb_unsettle,
	.keep = duckdb_keep,
	.change = duckdb_change,
	.import_read = duckdb_import_read,
	.import_write = duckdb_import_write,
	.query = engine_query,
	.stop = engine_stop,
	.upkeep = &duckdb_upkeep,
};
