/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/task_file.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_folder(uint32_t pid, const char *cwd)
{
	char path[64];
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%u/cwd", pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && *cwd == '/') /* it ended */
		fd = open(cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd;
}

int task_file_read(uint32_t pid, const char *cwd, const char *name, char text[TASK_FILE_BYTES + 1])
{
	CLEANUP(closep) int folder = open_folder(pid, cwd), fd = -1;
	struct stat facts;
	ssize_t len;

	if (folder < 0)
		return -errno;
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &facts) < 0)
		return -errno;
	if (!S_ISREG(facts.st_mode))
		return -EINVAL;
	len = pread(fd, text, TASK_FILE_BYTES, 0);
	if (len < 0)
		return -errno;
	text[len] = '\0';
	return 0;
}
