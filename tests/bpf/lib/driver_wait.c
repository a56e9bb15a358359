/* SPDX-License-Identifier: Apache-2.0 */
/* A process that makes one call on a file and has to wait for it: see driver.c. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#include "driver.h"

/* 0: done */
static int open_it(int fd, const char *path)
{
	return open(path, O_RDONLY) < 0;
}

static int read_it(int fd, const char *path)
{
	char byte;

	return read(fd, &byte, 1) != 1;
}

static int list_it(int fd, const char *path)
{
	static char entries[1024];

	return syscall(SYS_getdents64, fd, entries, sizeof(entries)) <= 0;
}

/* C libraries differ in which of the two calls they make. */
static int fstat_it(int fd, const char *path)
{
	struct stat stat;

	return (int)syscall(SYS_fstat, fd, &stat);
}

static int fstat_at_it(int fd, const char *path)
{
	static char room[1024]; /* the kernel's own struct stat */

	return (int)syscall(SYS_newfstatat, fd, "", room, AT_EMPTY_PATH);
}

static int stat_it(int fd, const char *path)
{
	struct stat of;

	return stat(path, &of);
}

static int sync_it(int fd, const char *path)
{
	return fsync(fd);
}

static int cut_it(int fd, const char *path)
{
	return ftruncate(fd, 100);
}

static int close_it(int fd, const char *path)
{
	return close(fd);
}

static int remove_it(int fd, const char *path)
{
	return unlink(path);
}

static const struct {
	const char *name;
	int (*make)(int fd, const char *path);
} calls_made[] = {
	{ "open", open_it },     { "read", read_it },   { "getdents", list_it },
	{ "fstat", fstat_it },   { "stat", stat_it },   { "fstatat", fstat_at_it },
	{ "fsync", sync_it },    { "close", close_it }, { "ftruncate", cut_it },
	{ "unlink", remove_it },
};

/* wait CALL PATH: makes the call on it, or on its descriptor */
int wait_in(char **arguments)
{
	int fd = open(arguments[1], O_RDWR);

	if (fd < 0)
		fd = open(arguments[1], O_RDONLY); /* a folder */
	need(fd >= 0, arguments[1]);
	for (size_t i = 0; i < sizeof(calls_made) / sizeof(calls_made[0]); i++)
		if (!strcmp(calls_made[i].name, arguments[0])) {
			need(calls_made[i].make(fd, arguments[1]) == 0, arguments[0]);
			return 0;
		}
	return 2;
}
