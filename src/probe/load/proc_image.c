/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/load/proc_image.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

struct proc_image *proc_image_new(void)
{
	struct proc_image *image = calloc(1, sizeof(*image));

	if (image)
		image->argv = image->texts;
	return image;
}

void proc_image_free(struct proc_image *image)
{
	free(image);
}

/* Reads a link under /proc/PID, without the " (deleted)" that the kernel appends for a removed
 * file. */
static int read_link(int folder, const char *name, char text[4096 + 16])
{
	ssize_t len = readlinkat(folder, name, text, 4096 + 15);

	text[len > 0 ? len : 0] = '\0';
	if (len < 0)
		return -errno;
	if (text_ends_with(text, " (deleted)"))
		text[len - (ssize_t)strlen(" (deleted)")] = '\0';
	return 0;
}

#define ARGV_READ (8u << 20) /* a process may claim to have terabytes of arguments */

/* Reads on after the buffer is full, to count the missing bytes. */
static int read_argv(struct proc_image *image, int folder)
{
	CLEANUP(closep) int fd = openat(folder, "cmdline", O_RDONLY | O_CLOEXEC);
	char rest[4096];
	size_t len = 0;
	ssize_t n = 1;

	if (fd < 0)
		return -errno;
	while (len < PROCESS_ARGV_MAX && n > 0) {
		n = read(fd, image->bytes + len, PROCESS_ARGV_MAX - len);
		len += n > 0 ? (size_t)n : 0;
	}
	image->bytes[len] = '\0';
	image->argv_missing_bytes = 0;
	while (n > 0 && image->argv_missing_bytes < ARGV_READ &&
	       (n = read(fd, rest, sizeof(rest))) > 0)
		image->argv_missing_bytes += (uint32_t)n;
	image->argc = 0;
	for (size_t at = 0; at < len; at += strlen(image->bytes + at) + 1)
		image->texts[image->argc++] = image->bytes + at;
	image->texts[image->argc] = NULL;
	return n < 0 ? -errno : 0;
}

DEFINE_CLEANUP(DIR *, closedir)

/* The folder of a thread that still has its memory, for a process in which the leader ended before
 * other threads; -1: there is none. */
static int open_thread(int folder, struct proc_image *image)
{
	int tasks = openat(folder, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closedirp) DIR *list = tasks < 0 ? NULL : fdopendir(tasks);
	const struct dirent *entry;

	if (!list)
		closep(&tasks);
	while (list && (entry = readdir(list))) {
		CLEANUP(closep)
		int thread = openat(dirfd(list), entry->d_name, O_DIRECTORY | O_PATH | O_CLOEXEC);

		if (entry->d_name[0] != '.' && thread >= 0 && !read_link(thread, "exe", image->exe))
			return TAKE_FD(thread);
	}
	return -1;
}

int proc_image_read(struct proc_image *image, uint32_t pid)
{
	char path[32];
	CLEANUP(closep) int folder = -1, thread = -1;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	folder = open(path, O_DIRECTORY | O_PATH | O_CLOEXEC);
	if (folder < 0)
		return -errno;
	if (read_link(folder, "exe", image->exe))
		thread = open_thread(folder, image);
	if (thread < 0)
		thread = TAKE_FD(folder);
	(void)read_link(thread, "cwd", image->cwd);
	return read_argv(image, thread);
}

/* How an interpreter names its program: after an option, else as the first argument that is no
 * option. `text` is the letter of the option that is followed by the program's text itself. */
struct interpreter {
	const char *name; /* a version may follow */
	const char *option;
	char text;
	const char *valued[4]; /* options with a value in the next argument */
};

static const struct interpreter interpreters[] = {
	{ "python", "-m", 'c', { "-W", "-X" } },
	{ "pypy", "-m", 'c', { "-W", "-X" } },
	{ "java", "-jar", 0, { "-cp", "-classpath", "--class-path" } },
	{ "bash", NULL, 'c', { "-o", "-O", "--rcfile" } },
	{ "dash", NULL, 'c', { "-o" } },
	{ "sh", NULL, 'c', { "-o" } },
	{ "zsh", NULL, 'c', { "-o" } },
	{ "ksh", NULL, 'c', { "-o" } },
	{ "perl", NULL, 'e', { "-I" } },
	{ "ruby", NULL, 'e', { "-I", "-r" } },
	{ "Rscript", NULL, 'e', { NULL } },
	{ "node", NULL, 'e', { "-r" } },
	{ "julia", NULL, 'e', { NULL } },
	{ "groovy", NULL, 'e', { "-cp" } },
};

static bool is_version(const char *text)
{
	while (isdigit((unsigned char)*text) || *text == '.')
		text++;
	return !*text;
}

static const struct interpreter *interpreter_of(const char *name)
{
	for (size_t i = 0; i < sizeof(interpreters) / sizeof(interpreters[0]); i++)
		if (text_starts_with(name, interpreters[i].name) &&
		    is_version(name + strlen(interpreters[i].name)))
			return &interpreters[i];
	return NULL;
}

static bool takes_value(const struct interpreter *interpreter, const char *option)
{
	for (size_t i = 0; i < 4 && interpreter->valued[i]; i++)
		if (!strcmp(option, interpreter->valued[i]))
			return true;
	return false;
}

/* "-c", "-ec": short options, one of which is followed by the text of the program. */
static bool takes_text(const struct interpreter *interpreter, const char *option)
{
	return interpreter->text && option[1] != '-' && strchr(option, interpreter->text);
}

static const char *script_of(const struct interpreter *interpreter, const char *const *argv,
			     size_t argc)
{
	for (size_t i = 1; i < argc; i++) {
		if (argv[i][0] != '-')
			return text_basename(argv[i]);
		if (interpreter->option && !strcmp(argv[i], interpreter->option))
			return i + 1 < argc ? text_basename(argv[i + 1]) : "";
		if (takes_value(interpreter, argv[i]))
			i++;
		else if (takes_text(interpreter, argv[i]))
			return "";
	}
	return "";
}

const char *proc_image_script(const struct proc_image *image)
{
	const struct interpreter *interpreter = interpreter_of(text_basename(image->exe));

	if (!interpreter && image->argc)
		interpreter = interpreter_of(text_basename(image->argv[0]));
	return interpreter ? script_of(interpreter, image->argv, image->argc) : "";
}

static uint32_t pipe_at(uint32_t pid, int fd)
{
	char path[64], target[64];
	ssize_t len;

	(void)snprintf(path, sizeof(path), "/proc/%u/fd/%d", pid, fd);
	len = readlink(path, target, sizeof(target) - 1);
	if (len < 0)
		return 0;
	target[len] = '\0';
	return text_starts_with(target, "pipe:[")
		       ? (uint32_t)strtoul(target + strlen("pipe:["), NULL, 10)
		       : 0;
}

static uint32_t pipe_own(uint32_t pid, uint32_t parent, int fd)
{
	uint32_t pipe = pipe_at(pid, fd);

	return pipe && pipe != pipe_at(parent, fd) ? pipe : 0;
}

void proc_pipes(uint32_t pid, uint32_t parent, uint32_t ret[2])
{
	ret[0] = pipe_own(pid, parent, STDIN_FILENO);
	ret[1] = pipe_own(pid, parent, STDOUT_FILENO);
	if (!ret[1])
		ret[1] = pipe_own(pid, parent, STDERR_FILENO);
}
