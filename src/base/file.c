/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include "base/buffer.h"
#include "base/cleanup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK      4096
#define TREE_DEPTH 128 /* levels; each holds one descriptor */

int file_read(int dirfd, const char *path, size_t limit, char **ret, size_t *ret_len)
{
	CLEANUP(closep) int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	CLEANUP(buffer_clear) struct buffer content = { 0 };
	char chunk[CHUNK];
	ssize_t got;

	buffer_init(&content, limit ? limit : 1);
	if (fd < 0)
		return -errno;
	while ((got = read(fd, chunk, sizeof(chunk))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if ((size_t)got > limit - content.len)
			return -EFBIG;
		buffer_append(&content, chunk, (size_t)got);
	}
	*ret_len = content.len;
	*ret = buffer_take(&content);
	return *ret ? 0 : -ENOMEM;
}

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t put = write(fd, bytes, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		bytes += put;
		len -= (size_t)put;
	}
	return 0;
}

static int sync_parent(const char *path)
{
	CLEANUP(closep) int fd = -1;
	CLEANUP(freep) char *folder = strdup(path);
	char *slash;

	if (!folder)
		return -ENOMEM;
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

static int write_temporary(int fd, const void *bytes, size_t len, mode_t mode)
{
	int r = write_all(fd, bytes, len);

	if (!r && (fchmod(fd, mode) < 0 || fsync(fd) < 0))
		r = -errno;
	return r;
}

int file_write(const char *path, const void *bytes, size_t len, mode_t mode, struct error *err)
{
	CLEANUP(freep) char *temporary = NULL;
	CLEANUP(closep) int fd = -1;
	int r;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return error_set(err, -ENOMEM, "cannot write %s: no memory", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return error_set(err, -errno, "cannot write %s: %s", path, strerror(errno));
	r = write_temporary(fd, bytes, len, mode);
	if (!r && rename(temporary, path) < 0)
		r = -errno;
	if (r)
		unlink(temporary);
	else
		r = sync_parent(path);
	if (r)
		return error_set(err, r, "cannot write %s: %s", path, strerror(-r));
	return 0;
}

static int make_one(const char *path, mode_t mode)
{
	struct stat info;

	if (mkdir(path, mode) == 0)
		return 0;
	if (errno != EEXIST)
		return -errno;
	if (stat(path, &info) < 0)
		return -errno;
	return S_ISDIR(info.st_mode) ? 0 : -ENOTDIR;
}

int file_make_folder(const char *path, mode_t mode, struct error *err)
{
	CLEANUP(freep) char *part = strdup(path);
	int r = part ? 0 : -ENOMEM;

	for (char *slash = part ? part + 1 : NULL; !r && slash && part[0]; slash++) {
		slash = strchrnul(slash, '/');
		if (!*slash)
			break;
		*slash = '\0';
		r = make_one(part, mode);
		*slash = '/';
	}
	if (!r)
		r = make_one(path, mode);
	return r ? error_set(err, r, "cannot make the folder %s: %s", path, strerror(-r)) : 0;
}

static int remove_at(int dirfd, const char *name, unsigned depth);

static int remove_entries(DIR *folder, unsigned depth)
{
	const struct dirent *entry;
	int r = 0;

	while (!r && (entry = readdir(folder))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			r = remove_at(dirfd(folder), entry->d_name, depth);
	}
	return r;
}

/* Each folder is opened with O_NOFOLLOW, so that a link put in its place during the walk is
 * removed, not entered. */
static int remove_at(int dirfd, const char *name, unsigned depth)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), r;
	DIR *folder;

	if (fd < 0) {
		if (errno == ENOTDIR || errno == ELOOP)
			return unlinkat(dirfd, name, 0) < 0 && errno != ENOENT ? -errno : 0;
		return errno == ENOENT ? 0 : -errno;
	}
	folder = fdopendir(fd);
	if (!folder) {
		close(fd);
		return -ENOMEM;
	}
	r = depth < TREE_DEPTH ? remove_entries(folder, depth + 1) : -ELOOP;
	closedir(folder);
	if (!r && unlinkat(dirfd, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		r = -errno;
	return r;
}

int file_remove_tree(const char *path)
{
	return remove_at(AT_FDCWD, path, 0);
}
