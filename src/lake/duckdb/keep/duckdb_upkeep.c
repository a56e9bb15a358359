/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/keep/duckdb_check.h"
#include "lake/duckdb/keep/duckdb_copy.h"
#include "lake/duckdb/keep/duckdb_expire.h"
#include "lake/duckdb/keep/duckdb_forget.h"
#include "lake/duckdb/keep/duckdb_log.h"
#include "lake/store/upkeep/upkeep_operations.h"

/* The operations of struct store_upkeep. */

static int check(void *engine, const struct upkeep *upkeep, struct buffer *report,
		 size_t *ret_faults, struct error *err)
{
	return duckdb_check(engine, upkeep, report, ret_faults, err);
}

static int backup(void *engine, const struct upkeep *upkeep, char **ret_path, struct error *err)
{
	return duckdb_copy(engine, "backup.duckdb", false, upkeep, ret_path, err);
}

static int compact(void *engine, const struct upkeep *upkeep, char **ret_path, struct error *err)
{
	return duckdb_copy(engine, "compact.duckdb", true, upkeep, ret_path, err);
}

static int forget(void *engine, const struct upkeep_subject *subject, bool dry,
		  struct upkeep_counts *ret, struct error *err)
{
	return duckdb_forget(engine, subject, dry, ret, err);
}

static int expire(void *engine, const struct upkeep_expire *expire_, bool *ret_more,
		  struct error *err)
{
	return duckdb_expire(engine, expire_, ret_more, err);
}

static int used(void *engine, uint64_t *ret_bytes, struct error *err)
{
	return duckdb_used(engine, ret_bytes, err);
}

static uint64_t size_of(const char *path)
{
	struct stat info;

	return stat(path, &info) < 0 ? 0 : (uint64_t)info.st_size;
}

static int sync_folder(const char *path)
{
	CLEANUP(freep) char *folder = strdup(path);
	CLEANUP(closep) int fd = -1;
	char *slash = folder ? strrchr(folder, '/') : NULL;

	if (!folder)
		return -ENOMEM;
	if (slash)
		*slash = '\0';
	fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

/* A log that is left when the database was closed has batches that the new file may lack. */
static int replace(const struct store_options *options, const char *path, struct upkeep_sizes *ret,
		   struct error *err)
{
	CLEANUP(freep) char *log = NULL;
	uint64_t before = size_of(options->path);
	int rc;

	if (asprintf(&log, "%s.wal", options->path) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	if (access(log, F_OK) == 0) {
		unlink(path);
		return error_set(err, -EIO,
				 "the store's log cannot be emptied into %s: is the disk "
				 "full? The store is as it was",
				 options->path);
	}
	if (rename(path, options->path) < 0) {
		rc = -errno;
		unlink(path);
		return error_set(err, rc, "cannot replace %s: %s", options->path, strerror(-rc));
	}
	rc = sync_folder(options->path);
	*ret = (struct upkeep_sizes){ .before_bytes = before,
				      .after_bytes = size_of(options->path) };
	return rc ? error_set(err, rc, "cannot write the folder of %s: %s", options->path,
			      strerror(-rc))
		  : 0;
}

static int release(void *engine, struct error *err)
{
	return duckdb_release(engine, err);
}

const struct store_upkeep duckdb_upkeep = {
	.check = check,
	.backup = backup,
	.compact = compact,
	.replace = replace,
	.forget = forget,
	.expire = expire,
	.used = used,
	.release = release,
	.verify = duckdb_verify,
};
