/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/logs/log_tail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/terminal/print.h"

#define INDENT "    "

/* Opens a regular file; *ret_size: its length. */
static int open_regular(const char *path, off_t *ret_size)
{
	int fd CLEANUP(closep) = -1;
	struct stat status;

	if (path[0] != '/')
		return -EINVAL;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EBADF;
	*ret_size = status.st_size;
	return TAKE_FD(fd);
}

/* Reads the last bytes, and a NUL. Returns their count. */
static ssize_t read_tail(int fd, off_t size, char *bytes)
{
	off_t at = size > LOG_TAIL_BYTES ? size - LOG_TAIL_BYTES : 0;
	ssize_t len = 0, got;

	while (len < LOG_TAIL_BYTES &&
	       (got = pread(fd, bytes + len, (size_t)(LOG_TAIL_BYTES - len), at + len)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		len += got;
	}
	bytes[len] = '\0';
	return len;
}

/* The start of the last lines. A part of a line, where the file was read from its middle, is none.
 */
static size_t start_of_lines(const char *bytes, size_t len, bool from_middle)
{
	size_t at = len, lines = 0, first = 0;

	if (from_middle) {
		const char *end = memchr(bytes, '\n', len);

		first = end && (size_t)(end - bytes) + 1 < len ? (size_t)(end - bytes) + 1 : 0;
	}
	while (at > first) {
		if (bytes[at - 1] == '\n' && at < len && ++lines == LOG_TAIL_LINES)
			return at;
		at--;
	}
	return first;
}

/* One line, without its line feed, is at most all that was read. A tabulator is a blank, and of a
 * line that a program drew again (a progress bar's '\r') the last state counts. */
static void print_line(FILE *out, char *line, size_t len)
{
	char *last;

	while (len > 0 && line[len - 1] == '\r')
		len--;
	line[len] = '\0';
	for (size_t i = 0; i < len; i++)
		if (line[i] == '\0')
			line[i] = '?';
		else if (line[i] == '\t')
			line[i] = ' ';
	last = strrchr(line, '\r');
	fputs(INDENT, out);
	print_text(out, last ? last + 1 : line);
	putc('\n', out);
}

static void print_lines(FILE *out, char *bytes, size_t len)
{
	char *end;

	for (size_t at = 0; at < len; at = (size_t)(end - bytes) + 1) {
		end = memchr(bytes + at, '\n', len - at);
		if (!end)
			end = bytes + len;
		print_line(out, bytes + at, (size_t)(end - bytes) - at);
	}
}

int log_tail_print(FILE *out, const char *path)
{
	char *bytes CLEANUP(freep) = NULL;
	int fd CLEANUP(closep) = -1;
	off_t size = 0;
	size_t start;
	ssize_t len;

	fd = open_regular(path, &size);
	if (fd < 0)
		return fd;
	bytes = malloc(LOG_TAIL_BYTES + 1);
	if (!bytes)
		return -ENOMEM;
	len = read_tail(fd, size, bytes);
	if (len <= 0)
		return len < 0 ? (int)len : -ENODATA;
	fputs("  ", out);
	print_text(out, path);
	fputs(":\n", out);
	start = start_of_lines(bytes, (size_t)len, size > LOG_TAIL_BYTES);
	print_lines(out, bytes + start, (size_t)len - start);
	return 0;
}
