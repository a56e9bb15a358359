/* SPDX-License-Identifier: Apache-2.0 */
/* A process with a known use of files: see driver.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "driver.h"

static void move(int fd, unsigned long bytes, bool writes)
{
	static char room[1000];

	while (bytes) {
		size_t part = bytes < sizeof(room) ? bytes : sizeof(room);
		ssize_t n = writes ? write(fd, room, part) : read(fd, room, part);

		need(n == (ssize_t)part, writes ? "write" : "read");
		bytes -= part;
	}
}

static int open_it(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	need(fd >= 0, path);
	return fd;
}

static void map_it(const char *path, unsigned long bytes)
{
	int fd = open_it(path, O_RDONLY);
	volatile char *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);

	need(memory != MAP_FAILED, "mmap");
	(void)*memory;
	close(fd);
}

static void make_many(const char *folder, unsigned long count)
{
	char path[4096];

	for (unsigned long i = 0; i < count; i++) {
		int fd;

		snprintf(path, sizeof(path), "%s/%lu", folder, i);
		fd = open_it(path, O_WRONLY | O_CREAT);
		move(fd, 10, true);
		close(fd);
	}
}

static void fail_to_open(const char *path, unsigned long times)
{
	while (times--)
		need(open(path, O_RDONLY) < 0, "an open that should fail");
}

static void fill(const char *path, unsigned long times)
{
	static char room[4096];
	int fd = open_it(path, O_WRONLY | O_CREAT | O_TRUNC);

	while (write(fd, room, sizeof(room)) > 0)
		;
	while (--times)
		need(write(fd, room, sizeof(room)) < 0, "a write that should fail");
	close(fd);
}

/* Writes data that fails only when it is written back; returns the errno of fsync(). */
static int store(const char *path, unsigned long bytes)
{
	int fd = open_it(path, O_WRONLY | O_CREAT | O_TRUNC);

	move(fd, bytes, true);
	need(fsync(fd) < 0, "an fsync that should fail");
	return errno;
}

static void hold_many(const char *path, unsigned long count)
{
	struct rlimit limit;

	need(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
	if (limit.rlim_max < count + 64)
		limit.rlim_max = count + 64;
	limit.rlim_cur = limit.rlim_max;
	need(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit");
	while (count--)
		open_it(path, O_RDONLY);
}

/* Many short writes and closes: samples on another CPU fall between and into them. */
static void write_bytes(const char *path, unsigned long rounds)
{
	while (rounds--) {
		int fd = open_it(path, O_WRONLY | O_TRUNC);

		for (int i = 0; i < 1000; i++)
			move(fd, 1, true);
		close(fd);
	}
}

static int status;

/* One step: a letter, a path, a number. */
static void use(char letter, const char *path, unsigned long count)
{
	int fd;

	switch (letter) {
	case 'r': /* reads so many bytes */
		fd = open_it(path, O_RDONLY);
		move(fd, count, false);
		close(fd);
		break;
	case 'w': /* writes a new file of so many */
		fd = open_it(path, O_WRONLY | O_CREAT | O_TRUNC);
		move(fd, count, true);
		close(fd);
		break;
	case 'k': /* the same, and never closes it */
		move(open_it(path, O_WRONLY | O_CREAT | O_TRUNC), count, true);
		break;
	case 'd': /* writes it, and removes it before it closes it */
		fd = open_it(path, O_WRONLY | O_CREAT | O_TRUNC);
		move(fd, count, true);
		unlink(path);
		close(fd);
		break;
	case 'm': /* maps so many bytes, closed at once */
		map_it(path, count);
		break;
	case 'p': /* writes to the descriptor of this number */
		move((int)number(path), count, true);
		break;
	case 'n': /* makes so many files in a folder, ten bytes each */
		make_many(path, count);
		break;
	case 'h': /* opens it so many times, without a close */
		hold_many(path, count);
		break;
	case 'x': /* fails to open it, so many times */
		fail_to_open(path, count);
		break;
	case 'b': /* writes a file so many times, 1000 single bytes each */
		write_bytes(path, count);
		break;
	case 'f': /* writes until there is no space, then so many more times */
		fill(path, count);
		break;
	case 'y': /* writes so many bytes that cannot be stored; ends with that errno */
		status = store(path, count);
		break;
	case 'e': /* once standard input has ended */
		until_input_ends();
		break;
	}
}

/* files LETTER PATH COUNT …: step by step; see use() */
int files(char **arguments)
{
	for (; arguments[0] && arguments[1] && arguments[2]; arguments += 3)
		use(arguments[0][0], arguments[1], number(arguments[2]));
	return status;
}

/* folders PATH…: made one after the other, by mkdir and by mkdirat in turns; some cannot be */
int folders(char **arguments)
{
	for (size_t i = 0; arguments[i]; i++)
		(void)(i % 2 ? syscall(SYS_mkdirat, AT_FDCWD, arguments[i], 0700)
			     : mkdir(arguments[i], 0700));
	return 0;
}
