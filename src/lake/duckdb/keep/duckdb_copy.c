/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/owned.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/keep/duckdb_mark.h"
#include "lake/duckdb/keep/duckdb_open.h"

/* The order of the rows of large tables: those of a run, and of an instant, lie together. Samples
 * stay in the order in which they came, in which those of a batch, with the same times, lie
 * together: they take least so, and those of runs that are not settled are the last. */
static const struct {
	const char *table, *columns;
} ORDERS[] = {
	{ "executions", "run_id, started_at, host_id, pid" },
	{ "tasks", "run_id, started_at" },
	{ "files", "run_id, first_at" },
	{ "networks", "run_id, host_id, pid" },
	{ "io_latencies", "run_id, host_id, pid" },
	{ "events", "run_id, happened_at" },
	{ "host_samples", "host_id, since_at" },
	{ "gpu_samples", "host_id, since_at" },
	{ "container_samples", "host_id, since_at" },
};

int duckdb_upkeep_say(const struct upkeep *upkeep, struct error *err, const char *format, ...)
{
	char words[160];
	va_list args;

	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	if (upkeep->stopped && upkeep->stopped(upkeep->context))
		return error_set(err, -ECANCELED, "the lake is being stopped");
	if (upkeep->say)
		upkeep->say(upkeep->context, words);
	return 0;
}

/* A copy in the making. */
struct copy {
	duckdb_connection connection;
	const struct upkeep *upkeep;
	char *path;
	bool ordered, attached;
	struct buffer statement;
};

static int run(struct copy *copy, const char *sql, struct error *err)
{
	return duckdb_run(copy->connection, sql, "the store is not copied", err);
}

static int run_buffer(struct copy *copy, struct error *err)
{
	int rc = copy->statement.failed ? error_set(err, -ENOMEM, "out of memory")
					: run(copy, copy->statement.data, err);

	buffer_reset(&copy->statement);
	return rc;
}

static int copy_table(struct copy *copy, const char *table, struct error *err)
{
	buffer_printf(&copy->statement, "INSERT INTO copy.\"%s\" FROM \"%s\"", table, table);
	for (size_t i = 0; copy->ordered && i < sizeof(ORDERS) / sizeof(ORDERS[0]); i++)
		if (strcmp(ORDERS[i].table, table) == 0)
			buffer_printf(&copy->statement, " ORDER BY %s", ORDERS[i].columns);
	return run_buffer(copy, err);
}

static int copy_tables(struct copy *copy, struct error *err)
{
	duckdb_result tables;
	idx_t count;
	int rc = 0;

	if (duckdb_query(copy->connection,
			 "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND "
			 "database_name = current_database() ORDER BY estimated_size",
			 &tables) == DuckDBError)
		rc = error_set(err, -EIO, "the store's tables are not listed: %s",
			       duckdb_result_error(&tables));
	count = rc ? 0 : duckdb_row_count(&tables);
	for (idx_t i = 0; !rc && i < count; i++) {
		char *table = duckdb_value_varchar(&tables, 0, i);

		rc = duckdb_upkeep_say(copy->upkeep, err, "copies %s (%llu of %llu tables)", table,
				       (unsigned long long)i + 1, (unsigned long long)count);
		if (!rc)
			rc = copy_table(copy, table, err);
		duckdb_free(table);
	}
	duckdb_destroy_result(&tables);
	return rc;
}

/* The database's name in DuckDB is that of its file. */
static int copy_schema(struct copy *copy, struct error *err)
{
	duckdb_result result;
	char *name = NULL;
	int rc;

	if (duckdb_query(copy->connection, "SELECT current_database()", &result) == DuckDBSuccess)
		name = duckdb_value_varchar(&result, 0, 0);
	buffer_printf(&copy->statement, "COPY FROM DATABASE \"%s\" TO copy (SCHEMA)",
		      name ? name : "");
	rc = run_buffer(copy, err);
	duckdb_free(name);
	duckdb_destroy_result(&result);
	return rc;
}

/* One transaction: all tables are as of one instant. */
static int copy_all(struct copy *copy, struct error *err)
{
	int rc;

	buffer_printf(&copy->statement, "ATTACH '%s' AS copy (STORAGE_VERSION 'latest')",
		      copy->path);
	rc = run_buffer(copy, err);
	copy->attached = !rc;
	if (!rc)
		rc = run(copy, "BEGIN", err);
	if (rc)
		return rc;
	rc = copy_schema(copy, err);
	if (!rc)
		rc = copy_tables(copy, err);
	if (!rc)
		rc = run(copy, "COMMIT", err);
	if (rc)
		duckdb_run(copy->connection, "ROLLBACK", "", NULL);
	return rc ? rc : run(copy, "CHECKPOINT copy", err);
}

static int sync_file(const char *path, struct error *err)
{
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 || fsync(fd) < 0
		       ? error_set(err, -errno, "cannot write %s: %s", path, strerror(errno))
		       : 0;
}

/* A copy needs the room of the file at most. */
static int check_room(const char *from, const char *folder, struct error *err)
{
	struct statvfs room;
	struct stat file;
	uint64_t free_bytes;

	if (stat(from, &file) < 0 || statvfs(folder, &room) < 0)
		return error_set(err, -errno, "cannot look at %s: %s", folder, strerror(errno));
	free_bytes = (uint64_t)room.f_bavail * room.f_frsize;
	if (free_bytes > (uint64_t)file.st_size)
		return 0;
	return error_set(
		err, -ENOSPC,
		"a copy of the store may take %llu MiB in %s, and %llu MiB are free there: "
		"make room, or move the data folder",
		(unsigned long long)file.st_size >> 20, folder,
		(unsigned long long)free_bytes >> 20);
}

static void remove_copy(const char *path)
{
	CLEANUP(freep) char *log = NULL;

	unlink(path);
	if (asprintf(&log, "%s.wal", path) >= 0)
		unlink(log);
}

void duckdb_work_clean(const char *path)
{
	CLEANUP(freep) char *folder = duckdb_work_folder(path);

	if (folder)
		file_remove_tree(folder);
}

static int prepare(struct duckdb_engine *engine, const char *name, char **ret_path,
		   struct error *err)
{
	const char *from = duckdb_mark_path(engine->mark);
	CLEANUP(freep) char *folder = duckdb_work_folder(from), *path = NULL;
	int rc;

	if (!folder || asprintf(&path, "%s/%s", folder, name) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	if (strchr(path, '\''))
		return error_set(err, -EINVAL,
				 "the path %s has a quotation mark: move the data "
				 "folder",
				 path);
	rc = owned_check(folder, OWNED_FOLDER, err);
	if (!rc)
		rc = file_make_folder(folder, 0700, err);
	if (!rc)
		rc = check_room(from, folder, err);
	if (rc)
		return rc;
	remove_copy(path);
	*ret_path = TAKE_PTR(path);
	return 0;
}

static void finish(struct copy *copy)
{
	if (copy->attached)
		duckdb_run(copy->connection, "DETACH copy", "", NULL);
	duckdb_disconnect(&copy->connection);
	buffer_clear(&copy->statement);
}

int duckdb_copy(struct duckdb_engine *engine, const char *name, bool ordered,
		const struct upkeep *upkeep, char **ret_path, struct error *err)
{
	CLEANUP(freep) char *path = NULL;
	struct copy copy = { .upkeep = upkeep, .ordered = ordered };
	uint64_t batches;
	int rc = prepare(engine, name, &path, err);

	if (rc || !path)
		return rc;
	if (duckdb_connect(engine->database, &copy.connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	copy.path = path;
	buffer_init(&copy.statement, 0);
	rc = copy_all(&copy, err);
	finish(&copy);
	if (!rc)
		rc = sync_file(path, err);
	if (!rc)
		rc = duckdb_verify(path, upkeep, &batches, err);
	if (rc)
		remove_copy(path);
	else
		*ret_path = TAKE_PTR(path);
	return rc;
}
