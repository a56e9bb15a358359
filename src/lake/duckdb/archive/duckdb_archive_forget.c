/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/archive/duckdb_archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/rows.h"

/*
 * Files go before the transaction is committed: a lake that is killed in between still lists them,
 * and forgetting is repeated. The other way round they would be left without a word.
 */
DEFINE_CLEANUP(struct store_rows *, store_rows_free)

#define LISTED                                                                                  \
	"SELECT name, rows FROM archived WHERE run_id IN (FROM forgotten_runs) OR host_id IN (" \
	"FROM forgotten_hosts)"

/* What a lake that was killed, or an earlier copy of the store, left: by the names of its folders
 * and files. */
#define UNLISTED                                                                           \
	"SELECT file FROM glob('%s/*/*/*/run_*') WHERE regexp_extract(file, "              \
	"'/run_([0-9a-f]{32})_[^/]*$', 1) IN (SELECT md5(run_id) FROM forgotten_runs) OR " \
	"url_decode(regexp_extract(file, '/host=([^/]*)/[^/]*$', 1)) IN (FROM forgotten_hosts)"

/* The folders of a day and host that are empty now go, too. */
static int remove_file(char *path, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	char *slash;
	int rc = unlink(path) < 0 && errno != ENOENT ? -errno : 0;

	if (rc)
		return error_set(err, rc, "nothing was forgotten: cannot remove %s: %s", path,
				 strerror(-rc));
	for (int i = 0; i < 3 && (slash = strrchr(path, '/')); i++) {
		*slash = '\0';
		if (i == 2 || rmdir(path) < 0)
			break;
	}
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return folder >= 0 && fsync(folder) < 0
		       ? error_set(err, -errno, "nothing was forgotten: %s: %s", path,
				   strerror(errno))
		       : 0;
}

static int remove_listed(const char *folder, struct store_rows *rows, struct error *err)
{
	int rc = 0;

	while (!rc && store_next(rows)) {
		CLEANUP(freep) char *path = NULL;

		rc = asprintf(&path, "%s/%s", folder, store_text(rows, 0)) < 0
			     ? error_set(err, -ENOMEM, "out of memory")
			     : remove_file(path, err);
	}
	return rc;
}

static int remove_unlisted(duckdb_connection connection, const char *folder, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(buffer_clear) struct buffer sql = { 0 };
	int rc;

	buffer_init(&sql, 0);
	buffer_printf(&sql, UNLISTED, folder);
	if (sql.failed)
		return error_set(err, -ENOMEM, "out of memory");
	rc = duckdb_query_rows(connection, sql.data, NULL, 0, &rows, err);
	while (!rc && store_next(rows)) {
		CLEANUP(freep) char *path = strdup(store_text(rows, 0));

		rc = path ? remove_file(path, err) : error_set(err, -ENOMEM, "out of memory");
	}
	return rc;
}

/* How many rows the files have that are listed. */
static int count_rows(duckdb_connection connection, uint64_t *ret_files, uint64_t *ret_rows,
		      struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = duckdb_query_rows(connection, LISTED, NULL, 0, &rows, err);

	*ret_files = *ret_rows = 0;
	while (!rc && store_next(rows)) {
		(*ret_files)++;
		*ret_rows += (uint64_t)store_i64(rows, 1);
	}
	return rc;
}

int duckdb_archive_forget(duckdb_connection connection, const char *folder, bool dry,
			  struct upkeep_counts *counts, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	uint64_t files, archived;
	int rc = count_rows(connection, &files, &archived, err);

	if (rc)
		return rc;
	if (files && !folder)
		return error_set(err, -EINVAL,
				 "nothing was forgotten: the archive has files of it, and "
				 "archive-folder does not say where (--config FILE, or "
				 "--archive-folder FOLDER)");
	counts->rows += archived;
	if (dry || !folder)
		return 0;
	rc = duckdb_query_rows(connection, LISTED, NULL, 0, &rows, err);
	if (!rc)
		rc = remove_listed(folder, rows, err);
	return rc ? rc : remove_unlisted(connection, folder, err);
}
