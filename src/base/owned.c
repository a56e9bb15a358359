/* SPDX-License-Identifier: Apache-2.0 */
#include "base/owned.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"

static int refuse_kind(const char *path, const struct stat *info, enum owned_kind kind,
		       struct error *err)
{
	if (S_ISLNK(info->st_mode))
		return error_set(err, -EPERM,
				 "%s is a symbolic link: put the %s itself there, or let the "
				 "setting name the real place",
				 path, kind == OWNED_FILE ? "file" : "folder");
	return error_set(err, -EPERM, "%s is no %s: move it away", path,
			 kind == OWNED_FILE ? "regular file" : "folder");
}

int owned_check(const char *path, enum owned_kind kind, struct error *err)
{
	struct stat info;

	if (lstat(path, &info) < 0)
		return errno == ENOENT ? 0
				       : error_set(err, -errno, "cannot look at %s: %s", path,
						   strerror(errno));
	if (kind == OWNED_FILE ? !S_ISREG(info.st_mode) : !S_ISDIR(info.st_mode))
		return refuse_kind(path, &info, kind, err);
	if (info.st_uid != geteuid() && info.st_uid != 0)
		return error_set(err, -EPERM,
				 "%s belongs to user %u, and this runs as user %u: start it as "
				 "that user, or chown %u %s",
				 path, info.st_uid, geteuid(), geteuid(), path);
	if (info.st_mode & (S_IWGRP | S_IWOTH))
		return error_set(err, -EPERM, "%s can be written by others: chmod go-w %s", path,
				 path);
	return 0;
}

static int check_entry(const char *folder, const char *name, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer path = { 0 };
	struct stat info;

	buffer_init(&path, 0);
	buffer_printf(&path, "%s/%s", folder, name);
	if (!path.failed && lstat(path.data, &info) == 0 && S_ISDIR(info.st_mode))
		return 0;
	return path.failed ? error_set(err, -ENOMEM, "out of memory")
			   : owned_check(path.data, OWNED_FILE, err);
}

int owned_check_files(const char *folder, struct error *err)
{
	DIR *stream = opendir(folder);
	const struct dirent *entry;
	int rc = 0;

	if (!stream)
		return errno == ENOENT ? 0
				       : error_set(err, -errno, "cannot read %s: %s", folder,
						   strerror(errno));
	while (!rc &&
	       (entry = readdir(stream))) // NOLINT(concurrency-mt-unsafe): the stream is ours
		if (entry->d_name[0] != '.')
			rc = check_entry(folder, entry->d_name, err);
	closedir(stream);
	return rc;
}
