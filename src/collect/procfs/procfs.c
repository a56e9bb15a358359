/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/procfs/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "collect/procfs/fields.h"

#define ARGUMENTS_BYTES (32u << 10)
#define ARGUMENTS_READ  (8u << 20) /* a process may say that it has terabytes of them */
#define PATH_BYTES      4096
#define BEFORE_TTY      2  /* fields from ppid (the 4th) to tty_nr (the 7th) */
#define BEFORE_START    14 /* and on to starttime (the 22nd) */

static int open_folder(uint32_t pid)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "/proc/%" PRIu32, pid);
	return open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static uint64_t tick_ns(void)
{
	return NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
}

bool procfs_same_start(uint64_t procfs_ns, uint64_t start_ns)
{
	return procfs_ns / tick_ns() == start_ns / tick_ns();
}

/* pid (comm) state ppid pgrp … starttime is the 22nd field (proc(5)); comm may hold anything, so
 * what counts lies behind the last ')'. */
static int read_stat(int folder, struct procfs_process *ret)
{
	CLEANUP(closep) int fd = openat(folder, "stat", O_RDONLY | O_CLOEXEC);
	char text[2048], *comm_end;
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *rest;
	uint64_t ppid, tty, ticks;

	if (len <= 0)
		return -ESRCH;
	text[len] = '\0';
	comm_end = strrchr(text, ')');
	if (!comm_end)
		return -ESRCH;
	rest = comm_end + 1;
	if (!fields_skip(&rest, 1) || !fields_u64(&rest, &ppid) ||
	    !fields_skip(&rest, BEFORE_TTY) || !fields_u64(&rest, &tty) ||
	    !fields_skip(&rest, BEFORE_START) || !fields_u64(&rest, &ticks))
		return -ESRCH;
	ret->ppid = (uint32_t)ppid;
	ret->terminal = tty != 0;
	ret->start_ns = ticks * tick_ns();
	return 0;
}

static int append_link(int folder, const char *name, struct buffer *texts)
{
	char path[PATH_BYTES];
	ssize_t len = readlinkat(folder, name, path, sizeof(path) - 1);

	if (len < 0)
		return -errno;
	path[len] = '\0';
	if (len > 10 && strcmp(path + len - 10, " (deleted)") == 0)
		path[len - 10] = '\0';
	buffer_append(texts, path, strlen(path) + 1);
	return 0;
}

/* The arguments: up to the limit, and how much lies beyond. */
static int append_arguments(int folder, struct procfs_process *ret)
{
	CLEANUP(closep) int fd = openat(folder, "cmdline", O_RDONLY | O_CLOEXEC);
	size_t start = ret->texts.len;
	char part[4096];
	ssize_t got = 0;

	if (fd < 0)
		return -errno;
	while (ret->argv_missing_bytes < ARGUMENTS_READ &&
	       (got = read(fd, part, sizeof(part))) > 0) {
		size_t have = ret->texts.len - start;
		size_t fits = have + (size_t)got <= ARGUMENTS_BYTES ? (size_t)got
								    : ARGUMENTS_BYTES - have;

		buffer_append(&ret->texts, part, fits);
		ret->argv_missing_bytes += (uint32_t)((size_t)got - fits);
	}
	if (ret->texts.len > start && ret->texts.data[ret->texts.len - 1])
		buffer_append_char(&ret->texts, '\0');
	for (size_t i = start; i < ret->texts.len; i++)
		ret->argc += !ret->texts.data[i];
	return got < 0 ? -errno : 0;
}

static int point_into_texts(struct procfs_process *process)
{
	const char *text = process->texts.data;

	process->argv = calloc(process->argc + 1, sizeof(*process->argv));
	if (!process->argv || process->texts.failed)
		return -ENOMEM;
	process->exe = text;
	process->cwd = text + strlen(text) + 1;
	text = process->cwd;
	for (size_t i = 0; i < process->argc; i++) {
		text += strlen(text) + 1;
		process->argv[i] = text;
	}
	return 0;
}

bool procfs_terminal(uint32_t pid)
{
	struct procfs_process process = { 0 };
	CLEANUP(closep) int folder = open_folder(pid);

	return folder >= 0 && read_stat(folder, &process) == 0 && process.terminal;
}

int procfs_started(uint32_t pid, uint64_t *ret_ns)
{
	struct procfs_process process = { 0 };
	CLEANUP(closep) int folder = open_folder(pid);

	if (folder < 0 || read_stat(folder, &process) < 0)
		return -ESRCH;
	*ret_ns = process.start_ns;
	return 0;
}

int procfs_read(uint32_t pid, struct procfs_process *ret)
{
	CLEANUP(closep) int folder = open_folder(pid);
	int result;

	*ret = (struct procfs_process){ 0 };
	buffer_init(&ret->texts, ARGUMENTS_BYTES + 2 * PATH_BYTES + 16);
	if (folder < 0)
		return -ESRCH;
	result = read_stat(folder, ret);
	if (result == 0)
		result = append_link(folder, "exe", &ret->texts);
	if (result == 0)
		result = append_link(folder, "cwd", &ret->texts);
	if (result == 0)
		result = append_arguments(folder, ret);
	if (result == 0)
		result = point_into_texts(ret);
	if (result < 0)
		procfs_clear(ret);
	return result == -ENOENT ? -ESRCH : result;
}

void procfs_clear(struct procfs_process *process)
{
	buffer_clear(&process->texts);
	free(process->argv);
	*process = (struct procfs_process){ 0 };
}
