/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/gpu/gpu_helper.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

#define NAME       "tracer-gpu"
#define PATH_SIZE  4096
#define INPUT_SIZE 16384

struct gpu_helper {
	struct gpu_helper_options options;
	struct event_base *base;
	struct event *readable; /* NULL: its pipe is closed */
	pid_t pid;              /* 0: none; kept until it is reaped */
	int out;
	char input[INPUT_SIZE];
	size_t len;
	bool refused;
	unsigned ran_s, silent_s, wait_s, next_wait_s;
	size_t second_bytes;
	uint64_t starts;
	char words[GPU_NOTE_SIZE];
};

struct gpu_helper *gpu_helper_new(struct event_base *base, const struct gpu_helper_options *options)
{
	struct gpu_helper *helper = calloc(1, sizeof(*helper));

	if (!helper)
		return NULL;
	helper->options = *options;
	helper->base = base;
	helper->out = -1;
	helper->next_wait_s = GPU_RESTART_S;
	return helper;
}

static bool may_write(const struct stat *seen, uid_t own)
{
	return (seen->st_uid == 0 || seen->st_uid == geteuid() || seen->st_uid == own) &&
	       !(seen->st_mode & (S_IWGRP | S_IWOTH));
}

int gpu_helper_find(const char *program, char *ret, size_t size, struct error *err)
{
	struct stat self, seen;
	char path[PATH_SIZE];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	path[len > 0 ? len : 0] = '\0';
	slash = strrchr(path, '/');
	if (*program)
		(void)snprintf(ret, size, "%s", program);
	else
		(void)snprintf(ret, size, "%.*s/" NAME, slash ? (int)(slash - path) : 0, path);
	if (stat("/proc/self/exe", &self) < 0 || stat(ret, &seen) < 0)
		return error_set(err, -ENOENT, "no %s: GPUs are not read", ret);
	if (!may_write(&seen, self.st_uid))
		return error_set(err, -EPERM, "%s is not started: others may write it", ret);
	return 0;
}

/* The pipe is closed and the process killed; it is reaped as soon as it has gone, which may take
 * long where a driver holds it. */
static void end(struct gpu_helper *helper, const char *words)
{
	if (!helper->readable)
		return;
	event_free(TAKE_PTR(helper->readable));
	close(TAKE_FD(helper->out));
	kill(helper->pid, SIGKILL);
	if (*words && !*helper->words)
		(void)snprintf(helper->words, sizeof(helper->words), "%s", words);
	helper->wait_s = helper->ran_s >= GPU_SETTLED_S ? GPU_RESTART_S : helper->next_wait_s;
	helper->next_wait_s =
		helper->wait_s * 2 < GPU_RESTARTS_S ? helper->wait_s * 2 : GPU_RESTARTS_S;
	if (!*words)
		helper->wait_s = 0;
	helper->options.on_end(helper->options.context, *words ? helper->words : "");
}

void gpu_helper_refuse(struct gpu_helper *helper, const char *words)
{
	helper->refused = true;
	(void)snprintf(helper->words, sizeof(helper->words), "it made no sense: %s", words);
}

static void take_line(struct gpu_helper *helper, const char *text, size_t len)
{
	struct gpu_line line;

	if (gpu_line_read(text, len, &line) < 0) {
		gpu_helper_refuse(helper, "not a line");
		return;
	}
	if (line.kind == GPU_LINE_NOTE)
		memcpy(helper->words, line.note, sizeof(helper->words));
	helper->options.on_line(helper->options.context, &line);
}

static void take_input(struct gpu_helper *helper)
{
	char *at = helper->input, *newline;
	size_t left = helper->len;

	while (!helper->refused && (newline = memchr(at, '\n', left))) {
		take_line(helper, at, (size_t)(newline - at));
		left -= (size_t)(newline + 1 - at);
		at = newline + 1;
	}
	if (left > GPU_LINE_MAX)
		gpu_helper_refuse(helper, "a line without an end");
	memmove(helper->input, at, left);
	helper->len = left;
}

static void on_readable(evutil_socket_t fd, short what, void *context)
{
	struct gpu_helper *helper = context;
	ssize_t got = read(fd, helper->input + helper->len, sizeof(helper->input) - helper->len);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		end(helper, "it ended");
		return;
	}
	helper->silent_s = 0;
	helper->len += (size_t)got;
	helper->second_bytes += (size_t)got;
	take_input(helper);
	if (helper->second_bytes > GPU_BYTES_S)
		gpu_helper_refuse(helper, "too much of it");
	if (helper->refused)
		end(helper, "it made no sense");
}

/* With nothing of ours: no environment, no descriptors but these, no signal held back. */
static int spawn(struct gpu_helper *helper, const char *path, int out)
{
	char *const argv[] = { (char *)(uintptr_t)path, (char *)(uintptr_t)helper->options.source,
			       (char[]){ "--library-folder" },
			       (char *)(uintptr_t)helper->options.library_folder, NULL };
	char *const environment[] = { (char[]){ "LC_ALL=C" }, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int status;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	status = posix_spawn(&helper->pid, path, &files, &attributes, argv, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	if (status)
		helper->pid = 0;
	return -status;
}

static int start(struct gpu_helper *helper, struct error *err)
{
	CLEANUP(closep) int in = -1;
	CLEANUP(closep) int out = -1;
	char path[PATH_SIZE];
	int ends[2], result = gpu_helper_find(helper->options.program, path, sizeof(path), err);

	if (result < 0)
		return result;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_set(err, -errno, "no pipe: %s", strerror(errno));
	in = ends[0];
	out = ends[1];
	(void)fcntl(in, F_SETFL, O_NONBLOCK);
	result = spawn(helper, path, out);
	if (result < 0)
		return error_set(err, result, "cannot start %s: %s", path, strerror(-result));
	helper->readable = event_new(helper->base, in, EV_READ | EV_PERSIST, on_readable, helper);
	if (!helper->readable || event_add(helper->readable, NULL) < 0)
		return error_set(err, -ENOMEM, "no memory");
	helper->out = TAKE_FD(in);
	return 0;
}

static void try_start(struct gpu_helper *helper)
{
	struct error err = { 0 };

	helper->len = helper->second_bytes = 0;
	helper->ran_s = helper->silent_s = 0;
	helper->refused = false;
	helper->words[0] = '\0';
	helper->starts++;
	if (start(helper, &err) == 0)
		return;
	if (helper->pid > 0)
		kill(helper->pid, SIGKILL);
	(void)snprintf(helper->words, sizeof(helper->words), "%.*s", GPU_NOTE_SIZE - 1,
		       error_text(&err));
	helper->wait_s = GPU_RESTARTS_S;
	helper->options.on_end(helper->options.context, helper->words);
}

void gpu_helper_tick(struct gpu_helper *helper, bool wanted)
{
	helper->second_bytes = 0;
	if (helper->readable) {
		helper->ran_s++;
		if (++helper->silent_s > GPU_SILENT_S)
			end(helper, "it hung");
		else if (!wanted)
			end(helper, "");
	}
	if (!helper->readable && helper->pid > 0 && waitpid(helper->pid, NULL, WNOHANG) != 0)
		helper->pid = 0;
	if (helper->readable || helper->pid > 0 || !wanted)
		return;
	if (helper->wait_s > 0)
		helper->wait_s--;
	else
		try_start(helper);
}

struct gpu_helper_status gpu_helper_status(const struct gpu_helper *helper)
{
	return (struct gpu_helper_status){ .running = helper->readable != NULL,
					   .starts = helper->starts,
					   .words = helper->words };
}

void gpu_helper_free(struct gpu_helper *helper)
{
	if (!helper)
		return;
	end(helper, "");
	free(helper);
}
