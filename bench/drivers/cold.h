/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/*
 * A file that is in no cache.
 */
#include <fcntl.h>

#include "waited.h"

#define COLD_BYTES (96u << 20)
#define COLD_STEP  (64u << 10) /* to be read at once */

static void cold_make(const char *path)
{
	static char bytes[COLD_STEP];
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	need(fd >= 0, path);
	while (lseek(fd, 0, SEEK_END) < (off_t)COLD_BYTES)
		need(write(fd, bytes, sizeof(bytes)) == sizeof(bytes), "write");
	need(!fdatasync(fd), path);
}

/* Its descriptor. Another process makes it the first time, so that to write it is none of the
 * waiter's waits. */
static int cold_file(const char *scratch, int flags)
{
	char path[4096];
	pid_t pid;
	int fd;

	snprintf(path, sizeof(path), "%s/cold", scratch);
	if (access(path, F_OK) != 0) {
		pid = fork();
		need(pid >= 0, "fork");
		if (!pid) {
			cold_make(path);
			_exit(0);
		}
		need(waitpid(pid, NULL, 0) == pid, "waitpid");
	}
	fd = open(path, flags);
	need(fd >= 0 && !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), path);
	return fd;
}
