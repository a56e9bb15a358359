/* SPDX-License-Identifier: Apache-2.0 */
#include "ship/spool_rejected.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define NAME_SIZE 32

static void write_file(int folder, const char *name, const void *bytes, size_t len)
{
	CLEANUP(closep)
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0 && write(fd, bytes, len) != (ssize_t)len)
		unlinkat(folder, name, 0);
}

/* Finds the oldest file: names are orders in hexadecimal, so it is the first by name. Returns the
 * number of files. */
static size_t find_oldest(int folder, char oldest[NAME_SIZE])
{
	size_t count = 0;
	const struct dirent *item;
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *items = fd < 0 ? NULL : fdopendir(fd);
	if (!items) {
		closep(&fd);
		return 0;
	}
	while ((item = readdir(items))) {
		if (item->d_name[0] == '.' || strlen(item->d_name) >= NAME_SIZE)
			continue;
		if (count++ == 0 || strcmp(item->d_name, oldest) < 0)
			memcpy(oldest, item->d_name, strlen(item->d_name) + 1);
	}
	closedir(items);
	return count;
}

void spool_rejected_keep(int folder, uint64_t order, const void *bytes, size_t len)
{
	char name[NAME_SIZE];
	mkdirat(folder, "rejected", 0700);
	CLEANUP(closep)
	int rejected = openat(folder, "rejected", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (rejected < 0)
		return;
	snprintf(name, sizeof(name), "%016" PRIx64, order);
	write_file(rejected, name, bytes, len);
	while (find_oldest(rejected, name) > SPOOL_REJECTED_KEPT)
		if (unlinkat(rejected, name, 0) < 0)
			return;
}
