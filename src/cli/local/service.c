/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "cli/local/service.h"

extern char **environ;

#define PATH_SIZE 4096

static void path_of(char *path, const char *data, const char *name, const char *ending)
{
	snprintf(path, PATH_SIZE, "%s/%s%s", data, name, ending);
}

/* Field 22 of /proc/PID/stat (proc(5)): start time in ticks after boot. 0: no such process, or a
 * zombie. */
static uint64_t start_ticks(pid_t pid)
{
	char path[64], *text CLEANUP(freep) = NULL;
	const char *field;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (file_read(AT_FDCWD, path, 4096, &text, &len) < 0)
		return 0;
	/* The name in parentheses can contain any byte, also ')'; after it come fields 3 (state)
	 * to 22. */
	field = strrchr(text, ')');
	if (!field || field[1] != ' ' || field[2] == 'Z')
		return 0;
	for (int number = 2; field && number < 22; number++)
		field = strchr(field + 1, ' ');
	return field ? strtoull(field + 1, NULL, 10) : 0;
}

pid_t service_find(const char *data, const char *name)
{
	char path[PATH_SIZE], *text CLEANUP(freep) = NULL, *rest;
	uint64_t ticks;
	size_t len;
	long pid;

	path_of(path, data, name, ".pid");
	if (file_read(AT_FDCWD, path, 128, &text, &len) < 0)
		return 0;
	pid = strtol(text, &rest, 10);
	ticks = strtoull(rest, NULL, 10);
	if (pid <= 0 || pid > INT_MAX || ticks == 0)
		return 0;
	return start_ticks((pid_t)pid) == ticks ? (pid_t)pid : 0;
}

static int spawn(const char *log, char *const *argv, pid_t *ret)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none;
	int status;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	posix_spawn_file_actions_adddup2(&files, 1, 2);
	posix_spawn_file_actions_addclosefrom_np(&files, 3); /* a caller's lock is not its */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	status = posix_spawn(ret, argv[0], &files, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return -status;
}

int service_start(const char *data, const char *name, char *const *argv, pid_t *ret,
		  struct error *err)
{
	char path[PATH_SIZE], text[64];
	int len, status;

	path_of(path, data, name, ".log");
	status = spawn(path, argv, ret);
	if (status < 0)
		return error_set(err, status, "cannot start %s: %s", argv[0], strerror(-status));
	len = snprintf(text, sizeof(text), "%d %" PRIu64 "\n", *ret, start_ticks(*ret));
	path_of(path, data, name, ".pid");
	return file_write(path, text, (size_t)len, 0600, err);
}

bool service_alive(pid_t pid)
{
	waitpid(pid, NULL, WNOHANG);
	return start_ticks(pid) != 0;
}

int service_stop(const char *data, const char *name, uint64_t timeout_ns)
{
	uint64_t until = clock_monotonic_ns() + timeout_ns;
	pid_t pid = service_find(data, name);
	char path[PATH_SIZE];
	int status = 0;

	if (pid > 0 && kill(pid, SIGTERM) < 0 && errno == EPERM)
		return -EPERM;
	while (pid > 0 && service_alive(pid)) {
		if (status == 0 && clock_monotonic_ns() > until) {
			kill(pid, SIGKILL);
			status = -ETIME;
		}
		usleep(20000);
	}
	path_of(path, data, name, ".pid");
	unlink(path);
	return status;
}

char *service_last_words(const char *data, const char *name, char *text, size_t size)
{
	char path[PATH_SIZE], tail[2048], *line;
	int fd CLEANUP(closep) = -1;
	ssize_t len;

	text[0] = '\0';
	path_of(path, data, name, ".log");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return text;
	if (lseek(fd, -(off_t)(sizeof(tail) - 1), SEEK_END) < 0)
		lseek(fd, 0, SEEK_SET);
	len = read(fd, tail, sizeof(tail) - 1);
	if (len <= 0)
		return text;
	while (len > 0 && tail[len - 1] == '\n')
		len--;
	tail[len] = '\0';
	line = strrchr(tail, '\n');
	snprintf(text, size, "%s", line ? line + 1 : tail);
	return text;
}
