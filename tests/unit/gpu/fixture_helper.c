/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_helper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "wait.h"

void helper_folder(struct helper *helper)
{
	memset(helper, 0, sizeof(*helper));
	helper->out = -1;
	(void)snprintf(helper->folder, sizeof(helper->folder), "/tmp/tracer-gpu-XXXXXX");
	assert_non_null(mkdtemp(helper->folder));
}

void helper_fake(struct helper *helper, const char *age)
{
	char path[512], *bytes CLEANUP(freep) = NULL;
	size_t len;

	helper_folder(helper);
	(void)snprintf(path, sizeof(path), FAKES "/nvml-%s/libnvidia-ml.so.1", age);
	assert_int_equal(file_read(AT_FDCWD, path, 8 << 20, &bytes, &len), 0);
	(void)snprintf(path, sizeof(path), "%s/libnvidia-ml.so.1", helper->folder);
	assert_int_equal(file_write(path, bytes, len, 0755, NULL), 0);
}

void helper_state(const struct helper *helper, const char *text)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/state", helper->folder);
	assert_int_equal(file_write(path, text, strlen(text), 0644, NULL), 0);
}

void helper_start(struct helper *helper, const char *program, const char *const *arguments)
{
	char *argv[16] = { (char *)(uintptr_t)program }, *none[] = { NULL };
	posix_spawn_file_actions_t files;
	int ends[2];

	for (int i = 0; arguments[i] && i < 14; i++)
		argv[i + 1] = (char *)(uintptr_t)arguments[i];
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
	assert_int_equal(posix_spawn(&helper->pid, program, &files, NULL, argv, none), 0);
	posix_spawn_file_actions_destroy(&files);
	close(ends[1]);
	helper->out = ends[0];
	helper->len = 0;
}

/* More bytes; false: its output is closed. */
static bool more(struct helper *helper)
{
	struct pollfd out = { .fd = helper->out, .events = POLLIN };
	ssize_t got;

	assert_true(helper->len < sizeof(helper->buffer));
	if (poll(&out, 1, WAIT_MS) != 1)
		fail_msg("waited %d s for a line of tracer-gpu", WAIT_S);
	got = read(helper->out, helper->buffer + helper->len, sizeof(helper->buffer) - helper->len);
	assert_true(got >= 0);
	helper->len += (size_t)got;
	return got > 0;
}

bool helper_line(struct helper *helper, struct gpu_line *ret)
{
	const char *end;
	size_t len;

	while (!(end = memchr(helper->buffer, '\n', helper->len))) {
		if (!more(helper))
			return false;
	}
	len = (size_t)(end - helper->buffer);
	if (gpu_line_read(helper->buffer, len, ret) < 0)
		fail_msg("not a line: '%.*s'", (int)len, helper->buffer);
	helper->len -= len + 1;
	memmove(helper->buffer, end + 1, helper->len);
	return true;
}

void helper_until(struct helper *helper, enum gpu_line_kind kind, struct gpu_line *ret)
{
	do {
		assert_true(helper_line(helper, ret));
	} while (ret->kind != kind);
}

uint64_t process_status(pid_t pid, const char *field)
{
	char path[64], *text CLEANUP(freep) = NULL;
	const char *line;
	size_t len;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
	assert_int_equal(file_read(-1, path, 1 << 16, &text, &len), 0);
	line = strstr(text, field);
	assert_non_null(line);
	return strtoull(line + strlen(field) + 1, NULL, 16);
}

bool may_drop_bounding(void)
{
	return process_status(getpid(), "CapEff") & 1 << CAP_SETPCAP;
}

int helper_end(struct helper *helper)
{
	int status;

	assert_int_equal(waitpid(helper->pid, &status, 0), helper->pid);
	helper->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void helper_clear(struct helper *helper)
{
	if (helper->pid > 0) {
		kill(helper->pid, SIGKILL);
		helper_end(helper);
	}
	if (helper->out >= 0)
		close(helper->out);
	file_remove_tree(helper->folder);
}
