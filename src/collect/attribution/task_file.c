/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/task_file.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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

struct question {
	uint32_t pid;
	char cwd[4096], name[256];
};

static int answer(const void *about, int folder, void *text, size_t size, int *ret_fd)
{
	const struct question *question = about;

	return task_file_read(question->pid, question->cwd, question->name, text);
}

int task_file_ask(struct file_helper *helper, uint32_t pid, const char *cwd, const char *name,
		  char text[TASK_FILE_BYTES + 1])
{
	struct question question = { .pid = pid };

	if (strlen(cwd) >= sizeof(question.cwd) || strlen(name) >= sizeof(question.name))
		return -ENAMETOOLONG;
	memcpy(question.cwd, cwd, strlen(cwd));
	memcpy(question.name, name, strlen(name));
	return file_helper_ask(helper,
			       &(struct file_helper_question){ .read = answer,
							       .about = &question,
							       .len = sizeof(question),
							       .folder = -1,
							       .place = file_helper_place(cwd) },
			       text, TASK_FILE_BYTES + 1, NULL);
}
