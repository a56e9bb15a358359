/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/logs/snakemake_log.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

#define FOLDER       "/.snakemake/log"
#define ENTRIES_MOST 100000
#define GRACE_S      60

/* Seconds since 1970 of "2026-11-27T06:26:28…Z"; none: it is no such text. */
static time_t time_of(const char *text, time_t none)
{
	struct tm utc = { 0 };

	return strptime(text, "%Y-%m-%dT%H:%M:%S", &utc) ? timegm(&utc) : none;
}

static DIR *open_folder(const char *path)
{
	int fd CLEANUP(closep) =
		open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (folder)
		(void)TAKE_FD(fd);
	return folder;
}

bool snakemake_log_find(const char *folder, const char *since, const char *until, char *path,
			size_t size)
{
	const time_t from = time_of(since, 0), to = time_of(until, LONG_MAX - GRACE_S) + GRACE_S;
	char logs[PATH_MAX];
	struct stat status;
	struct dirent *entry;
	time_t newest = 0;
	DIR *directory;

	if (folder[0] != '/' ||
	    (size_t)snprintf(logs, sizeof(logs), "%s" FOLDER, folder) >= sizeof(logs))
		return false;
	directory = open_folder(logs);
	if (!directory)
		return false;
	for (int i = 0; i < ENTRIES_MOST && (entry = readdir(directory)); i++) {
		if (!text_ends_with(entry->d_name, SNAKEMAKE_LOG) ||
		    fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(status.st_mode) || status.st_mtime < from || status.st_mtime > to ||
		    status.st_mtime < newest || strlen(logs) + 1 + strlen(entry->d_name) >= size)
			continue;
		(void)snprintf(path, size, "%s/%s", logs, entry->d_name);
		newest = status.st_mtime;
	}
	closedir(directory);
	return newest > 0;
}
