#pragma once
/*
 * A file that is in no cache.
 */
#include <fcntl.h>

#include "waited.h"

#define COLD_BYTES (96u << 20)
#define COLD_STEP  (64u << 10) /* to be read at once */

/* Its descriptor. Another process makes it, so that to write it is none of the waiter's waits. */
static int cold_file(const char *scratch, int flags)
{
	static char bytes[COLD_STEP];
	char path[4096];
	pid_t pid;
	int fd;

	snprintf(path, sizeof(path), "%s/cold", scratch);
	pid = fork();
	need(pid >= 0, "fork");
	if (!pid) {
		fd = open(path, O_RDWR | O_CREAT, 0600);
		need(fd >= 0, path);
		while (lseek(fd, 0, SEEK_END) < (off_t)COLD_BYTES)
			need(write(fd, bytes, sizeof(bytes)) == sizeof(bytes), "write");
		need(!fdatasync(fd) && !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), path);
		_exit(0);
	}
	need(waitpid(pid, NULL, 0) == pid, "waitpid");
	fd = open(path, flags);
	need(fd >= 0, path);
	return fd;
}
