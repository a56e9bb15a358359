/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/owned.h"
#include "lake/duckdb/duckdb_engine.h"

#define NUMBER    "%020" PRIu64 " batches were acknowledged\n"
#define LINE_SIZE 64

struct duckdb_mark {
	int fd;
	uint64_t batches;
	bool failed; /* to write, and that was logged */
	char *path, *log_path, *mark_path;
};

void duckdb_mark_close(struct duckdb_mark *mark)
{
	if (!mark)
		return;
	closep(&mark->fd);
	free(mark->path);
	free(mark->log_path);
	free(mark->mark_path);
	free(mark);
}

DEFINE_CLEANUP(struct duckdb_mark *, duckdb_mark_close)

/* The folder of the database, which holds all files beside it, too. */
static int check_folder(const char *path, struct error *err)
{
	CLEANUP(freep) char *folder = strdup(path);
	char *slash = folder ? strrchr(folder, '/') : NULL;

	if (!folder)
		return error_set(err, -ENOMEM, "no memory to open the store");
	if (!slash || slash == folder)
		return 0;
	*slash = '\0';
	return owned_check(folder, OWNED_FOLDER, err);
}

static int check_files(const struct duckdb_mark *mark, struct error *err)
{
	int rc = check_folder(mark->path, err);

	if (!rc)
		rc = owned_check(mark->path, OWNED_FILE, err);
	if (!rc)
		rc = owned_check(mark->log_path, OWNED_FILE, err);
	return rc ? rc : owned_check(mark->mark_path, OWNED_FILE, err);
}

/* What is no such file (a torn one, after a power failure) counts as 0. */
static void read_number(struct duckdb_mark *mark)
{
	char line[LINE_SIZE] = "";
	ssize_t len = pread(mark->fd, line, sizeof(line) - 1, 0);
	char *rest = line;
	uint64_t number = len > 0 ? strtoull(line, &rest, 10) : 0;

	mark->batches = strncmp(rest, " batches", 8) == 0 ? number : 0;
}

/* DuckDB would make a new database, and drop the log of the old one. */
static int check_missing(const struct duckdb_mark *mark, struct error *err)
{
	if (access(mark->path, F_OK) == 0 || (!mark->batches && access(mark->log_path, F_OK) < 0))
		return 0;
	return error_set(err, -ENODATA,
			 "the store %s is missing, and files beside it are there. Put it back, or "
			 "restore the last backup: tracer-lake restore FILE (docs/operate.md). To "
			 "begin with an empty store, remove %s and %s",
			 mark->path, mark->log_path, mark->mark_path);
}

int duckdb_mark_open(struct duckdb_mark **ret, const char *path, struct error *err)
{
	CLEANUP(duckdb_mark_closep) struct duckdb_mark *mark = calloc(1, sizeof(*mark));
	int rc;

	if (!mark)
		return error_set(err, -ENOMEM, "no memory to open the store");
	mark->fd = -1;
	mark->path = strdup(path);
	if (!mark->path || asprintf(&mark->log_path, "%s.wal", path) < 0 ||
	    asprintf(&mark->mark_path, "%s.batches", path) < 0)
		return error_set(err, -ENOMEM, "no memory to open the store");
	rc = check_files(mark, err);
	if (rc)
		return rc;
	mark->fd =
		open(mark->mark_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
	if (mark->fd < 0)
		return error_set(err, -errno, "cannot open %s: %s", mark->mark_path,
				 strerror(errno));
	read_number(mark);
	rc = check_missing(mark, err);
	if (!rc)
		*ret = TAKE_PTR(mark);
	return rc;
}

static void write_number(struct duckdb_mark *mark)
{
	char line[LINE_SIZE];
	int len = snprintf(line, sizeof(line), NUMBER, mark->batches);
	bool failed = pwrite(mark->fd, line, (size_t)len, 0) != len;

	if (failed && !mark->failed)
		log_warning("cannot write %s: %s", mark->mark_path, strerror(errno));
	mark->failed = failed;
}

static uint64_t count_batches(duckdb_connection connection)
{
	duckdb_result result;
	int64_t count = 0;

	if (duckdb_query(connection, "SELECT count(*) FROM ledger", &result) == DuckDBSuccess)
		count = duckdb_value_int64(&result, 0, 0);
	duckdb_destroy_result(&result);
	return (uint64_t)count;
}

int duckdb_mark_check(struct duckdb_mark *mark, duckdb_connection connection, struct error *err)
{
	uint64_t there = count_batches(connection);

	if (there >= mark->batches) {
		mark->batches = there;
		write_number(mark);
		return 0;
	}
	return error_set(err, -ENODATA,
			 "the store %s has %" PRIu64 " batches, and %" PRIu64
			 " were acknowledged: its log (%s) is missing, cut or of another file, or "
			 "it is an older copy. Put back the files that belong together, or restore "
			 "the last backup: tracer-lake restore FILE. To go on with what is there, "
			 "remove %s",
			 mark->path, there, mark->batches, mark->log_path, mark->mark_path);
}

void duckdb_mark_add(struct duckdb_mark *mark, uint64_t batches)
{
	mark->batches += batches;
	write_number(mark);
}

void duckdb_mark_lower(struct duckdb_mark *mark, uint64_t batches)
{
	mark->batches = batches;
	write_number(mark);
}

uint64_t duckdb_mark_log_bytes(const struct duckdb_mark *mark)
{
	struct stat info;

	return stat(mark->log_path, &info) < 0 ? 0 : (uint64_t)info.st_size;
}

const char *duckdb_mark_path(const struct duckdb_mark *mark)
{
	return mark->path;
}
