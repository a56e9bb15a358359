/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/archive/duckdb_archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/rows.h"

/*
 * DuckDB writes files with the ending NEW into their folders. Then they are synced, get the ending
 * of a whole file, and their folders are synced: rows are deleted only from there on.
 */
#define NEW         "new"
#define WHOLE       "parquet"
#define FOLDER_MODE 0700

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

static const char what[] = "rows are not archived";

struct archive {
	duckdb_connection connection;
	const char *folder, *run_id;
	char hash[DUCKDB_ARCHIVE_HASH_SIZE]; /* of run_id, which may have any character */
};

int duckdb_archive_check_folder(const char *folder, struct error *err)
{
	return strpbrk(folder, "'*?[\\")
		       ? error_set(err, -EINVAL,
				   "archive-folder: %s has one of the characters ' * ? [ \\: name "
				   "another folder",
				   folder)
		       : 0;
}

static int sync_path(const char *path, struct error *err)
{
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	return fd < 0 || fsync(fd) < 0
		       ? error_set(err, -errno, "%s: %s: %s", what, path, strerror(errno))
		       : 0;
}

/* The folders of the path, up to that of the archive. */
static int sync_folders(const struct archive *archive, const char *path, struct error *err)
{
	CLEANUP(freep) char *above = strdup(path);
	char *slash;
	int rc = 0;

	if (!above)
		return error_set(err, -ENOMEM, "out of memory");
	while (!rc && (slash = strrchr(above, '/')) && slash >= above + strlen(archive->folder)) {
		*slash = '\0';
		rc = sync_path(above, err);
	}
	return rc;
}

/* (The values of day and host are encoded in paths.) */
static int list(const struct archive *archive, const char *kind, const char *name, int64_t count,
		struct error *err)
{
	const struct store_param params[] = {
		{ .name = "run", .type = STORE_TEXT, .text = archive->run_id },
		{ .name = "kind", .type = STORE_TEXT, .text = kind },
		{ .name = "name", .type = STORE_TEXT, .text = name },
		{ .name = "rows", .type = STORE_I64, .i64 = count },
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;

	return duckdb_query_rows(archive->connection,
				 "INSERT INTO archived SELECT $run, "
				 "url_decode(regexp_extract($name, '/host=([^/]*)/', 1)), $kind, "
				 "$name, $rows",
				 params, 4, &rows, err);
}

/* A file that DuckDB wrote. */
static int take(const struct archive *archive, const char *kind, const char *path, int64_t count,
		struct error *err)
{
	CLEANUP(freep) char *whole = NULL;
	int rc;

	if (asprintf(&whole, "%.*s" WHOLE, (int)(strlen(path) - strlen(NEW)), path) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	rc = sync_path(path, err);
	if (!rc && rename(path, whole) < 0)
		rc = error_set(err, -errno, "%s: %s: %s", what, whole, strerror(errno));
	if (!rc)
		rc = sync_folders(archive, whole, err);
	return rc ? rc : list(archive, kind, whole + strlen(archive->folder) + 1, count, err);
}

static int take_all(const struct archive *archive, const char *kind, duckdb_result *files,
		    struct error *err)
{
	int rc = 0;

	for (idx_t i = 0; !rc && i < duckdb_row_count(files); i++) {
		char *path = duckdb_value_varchar(files, 0, i);

		rc = path ? take(archive, kind, path, duckdb_value_int64(files, 1, i), err)
			  : error_set(err, -ENOMEM, "out of memory");
		duckdb_free(path);
	}
	return rc;
}

static int write_part(const struct archive *archive, const struct duckdb_archive_part *part,
		      struct error *err)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };
	duckdb_result files;
	int rc;

	buffer_init(&sql, 0);
	buffer_printf(&sql,
		      "COPY (%s) TO '%s/%s' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (day, "
		      "host), FILENAME_PATTERN 'run_%s_{i}', FILE_EXTENSION '" NEW
		      "', OVERWRITE_OR_IGNORE true, RETURN_STATS true)",
		      part->rows, archive->folder, part->kind, archive->hash);
	if (sql.failed)
		return error_set(err, -ENOMEM, "out of memory");
	if (duckdb_query(archive->connection, sql.data, &files) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&files)), "%s: %s", what,
			       duckdb_result_error(&files));
	else
		rc = take_all(archive, part->kind, &files, err);
	duckdb_destroy_result(&files);
	return rc;
}

static int hash_run(struct archive *archive, struct error *err)
{
	const struct store_param run = { .name = "run",
					 .type = STORE_TEXT,
					 .text = archive->run_id };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = duckdb_query_rows(archive->connection, "SELECT md5($run)", &run, 1, &rows, err);

	if (!rc && store_next(rows))
		snprintf(archive->hash, sizeof(archive->hash), "%s", store_text(rows, 0));
	return rc;
}

int duckdb_archive_write(duckdb_connection connection, const char *folder, const char *run_id,
			 const struct duckdb_archive_part *parts, size_t count, struct error *err)
{
	struct archive archive = { .connection = connection, .folder = folder, .run_id = run_id };
	int rc = duckdb_archive_check_folder(folder, err);

	if (!rc)
		rc = file_make_folder(folder, FOLDER_MODE, err);
	if (!rc)
		rc = hash_run(&archive, err);
	for (size_t i = 0; !rc && i < count; i++)
		rc = write_part(&archive, &parts[i], err);
	return rc;
}
