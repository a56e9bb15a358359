/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/import/import_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cleanup.h"

#define PARQUET       "PAR1" /* the first and the last bytes: parquet.apache.org, File Format */
#define PARQUET_LEN   4
#define PARQUET_LEAST 12
#define CHUNK         (256u << 10)

static int open_file(const char *path, int *ret, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return error_set(err, -errno, "%s: %s", path, strerror(errno));
	*ret = fd;
	return 0;
}

/* Its first and last bytes; where it has fewer, all of them. */
static int read_ends(const char *path, char first[PARQUET_LEN + 1], char last[PARQUET_LEN + 1],
		     off_t *ret_size, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	struct stat info;
	int rc = open_file(path, &fd, err);
	size_t len;

	if (rc)
		return rc;
	if (fstat(fd, &info) < 0)
		return error_set(err, -errno, "the file cannot be read: %s", strerror(errno));
	len = info.st_size < PARQUET_LEN ? (size_t)info.st_size : PARQUET_LEN;
	if (pread(fd, first, len, 0) != (ssize_t)len ||
	    pread(fd, last, len, info.st_size - (off_t)len) != (ssize_t)len)
		return error_set(err, -EIO, "the file cannot be read");
	*ret_size = info.st_size;
	return 0;
}

int import_file_look(const char *path, enum import_file_type *ret, struct error *err)
{
	char first[PARQUET_LEN + 1] = "", last[PARQUET_LEN + 1] = "";
	off_t size = 0;
	int rc = read_ends(path, first, last, &size, err);

	if (rc)
		return rc;
	if (size == 0)
		return error_set(err, -EPROTO, "the file is empty");
	if (memcmp(first, PARQUET, PARQUET_LEN) == 0) {
		if (size < PARQUET_LEAST || memcmp(last, PARQUET, PARQUET_LEN) != 0)
			return error_set(err, -EPROTO,
					 "the Parquet file was cut: its last bytes are missing; "
					 "fetch it again");
		*ret = IMPORT_PARQUET;
		return 0;
	}
	if (last[(size < PARQUET_LEN ? size : PARQUET_LEN) - 1] != '\n')
		return error_set(err, -EPROTO,
				 "the file does not end with a line break, so it may have been "
				 "cut: fetch it again, or, where it is whole, add a line break");
	*ret = *first == '{' || *first == '[' ? IMPORT_JSON : IMPORT_CSV;
	return 0;
}

int import_file_is_packed(const char *path, bool *ret, struct error *err)
{
	char first[PARQUET_LEN + 1] = "", last[PARQUET_LEN + 1] = "";
	off_t size = 0;
	int rc = read_ends(path, first, last, &size, err);

	if (!rc)
		*ret = first[0] == '\x1f' && first[1] == '\x8b';
	return rc;
}

DEFINE_CLEANUP(gzFile, gzclose)

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t written = write(fd, bytes, len);

		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0) {
			bytes += written;
			len -= (size_t)written;
		}
	}
	return 0;
}

static int copy_unpacked(gzFile from, int to, uint64_t limit, struct error *err)
{
	CLEANUP(freep) char *chunk = malloc(CHUNK);
	uint64_t bytes = 0;
	int len, rc = 0, fault;

	if (!chunk)
		return error_set(err, -ENOMEM, "no memory to unpack the file");
	while ((len = gzread(from, chunk, CHUNK)) > 0) {
		bytes += (uint64_t)len;
		if (bytes > limit)
			return error_set(err, -EPROTO,
					 "the file has more than %llu MiB unpacked, which is as "
					 "much as it may have (bill-limit)",
					 (unsigned long long)limit >> 20);
		rc = write_all(to, chunk, (size_t)len);
		if (rc)
			return error_set(err, rc, "the file cannot be unpacked: %s", strerror(-rc));
	}
	gzerror(from, &fault);
	/* A file that was cut ends without an error of gzread, and with one of gzerror. */
	return len < 0 || fault != Z_OK
		       ? error_set(err, -EPROTO,
				   "the gzip file was cut or is damaged: fetch it again")
		       : 0;
}

int import_file_unpack(const char *path, const char *to, uint64_t limit, struct error *err)
{
	CLEANUP(gzclosep) gzFile from = gzopen(path, "rbe");
	CLEANUP(closep) int fd = -1;
	int rc;

	if (!from)
		return error_set(err, -EIO, "%s: %s", path, strerror(errno));
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_set(err, -errno, "%s: %s", to, strerror(errno));
	rc = copy_unpacked(from, fd, limit, err);
	if (rc)
		unlink(to);
	return rc;
}
