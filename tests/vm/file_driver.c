/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uses files in ways with known figures, which check.py compares: each process is one way, and its
 * last argument is "id=WAY".
 *
 *     file_driver all SCRATCH FULL     SCRATCH: a folder; FULL: one on a file system that is full
 *                                      after 64 KiB
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT 5 /* files that each way uses; as many hundred bytes are written to each */

static char block[100];

static void need(int condition, const char *what)
{
	if (condition)
		return;
	perror(what);
	_exit(99);
}

static int make(const char *folder, const char *way, int number, int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.%d", folder, way, number);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | flags, 0600);
	need(fd >= 0, path);
	for (int i = 0; i < COUNT; i++)
		need(write(fd, block, sizeof(block)) == sizeof(block), "write");
	return fd;
}

static void with_close(const char *folder)
{
	for (int i = 0; i < COUNT; i++)
		close(make(folder, "close", i, 0));
}

static void with_exit(const char *folder)
{
	for (int i = 0; i < COUNT; i++)
		make(folder, "exit", i, 0);
}

static void with_dup2(const char *folder)
{
	for (int i = 0; i < COUNT; i++)
		need(dup2(STDERR_FILENO, make(folder, "dup2", i, 0)) >= 0, "dup2");
}

static void with_range(const char *folder)
{
	int first = make(folder, "range", 0, 0);

	for (int i = 1; i < COUNT; i++)
		make(folder, "range", i, 0);
	need(syscall(SYS_close_range, first, first + COUNT - 1, 0) == 0, "close_range");
}

static void with_exec(const char *folder)
{
	for (int i = 0; i < COUNT; i++)
		make(folder, "exec", i, O_CLOEXEC);
	execl("/proc/self/exe", "file_driver", "nothing", folder, "id=nothing", NULL);
	need(0, "exec");
}

static void with_missing(const char *folder)
{
	for (int i = 0; i < COUNT; i++)
		need(open("/nowhere/file", O_RDONLY) < 0, "an open that should fail");
}

static void with_full(const char *folder)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/file", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	need(fd >= 0, path);
	while (write(fd, block, 64) > 0)
		;
	for (int i = 1; i < COUNT; i++)
		need(write(fd, block, 64) < 0, "a write that should fail");
	close(fd);
}

static void with_nothing(const char *folder)
{
}

static const struct {
	const char *name;
	void (*use)(const char *folder);
} ways[] = { { "close", with_close },     { "exit", with_exit }, { "dup2", with_dup2 },
	     { "range", with_range },     { "exec", with_exec }, { "missing", with_missing },
	     { "nothing", with_nothing }, { "full", with_full } };

#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void run(size_t way, const char *folder)
{
	char id[32];
	int status;
	pid_t pid = fork();

	snprintf(id, sizeof(id), "id=%s", ways[way].name);
	if (pid == 0)
		execl("/proc/self/exe", "file_driver", ways[way].name, folder, id, NULL);
	need(waitpid(pid, &status, 0) == pid && status == 0, ways[way].name);
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "all") == 0) {
		for (size_t i = 0; i < WAYS; i++)
			run(i, strcmp(ways[i].name, "full") == 0 ? argv[3] : argv[2]);
		return 0;
	}
	for (size_t i = 0; argc == 4 && i < WAYS; i++)
		if (strcmp(argv[1], ways[i].name) == 0)
			ways[i].use(argv[2]);
	return argc == 4 ? 0 : 2;
}
