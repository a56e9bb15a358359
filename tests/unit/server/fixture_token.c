/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_token.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "wait.h"

#define ARGUMENTS_MAX 24

/* In the child: never returns. */
static void become(const struct lake *lake, const char *const *arguments)
{
	char *argv[ARGUMENTS_MAX + 5] = { "tracer-lake", "token" };
	char data[96], tokens[96], path[96];
	int argc = 2, fd;

	snprintf(data, sizeof(data), "--data-folder=%s/lake", lake->folder);
	snprintf(tokens, sizeof(tokens), "--tokens-folder=%s/tokens", lake->folder);
	for (size_t i = 0; arguments[i] && argc < ARGUMENTS_MAX; i++)
		argv[argc++] = (char *)(uintptr_t)arguments[i];
	argv[argc++] = data;
	argv[argc++] = tokens;
	for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++) {
		snprintf(path, sizeof(path), "%s/token-%d", lake->folder, i);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		dup2(fd, i);
	}
	execv(TRACER_LAKE, argv);
	_exit(127);
}

static void read_output(const struct lake *lake, int number, struct buffer *ret)
{
	char path[96], *text;
	size_t len;

	snprintf(path, sizeof(path), "%s/token-%d", lake->folder, number);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, &len), 0);
	buffer_init(ret, 0);
	buffer_append(ret, text, len);
	buffer_append_text(ret, "");
	free(text);
}

int token_command(const struct lake *lake, const char *const *arguments, struct buffer *ret_out,
		  struct buffer *ret_err)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0)
		become(lake, arguments);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	read_output(lake, STDOUT_FILENO, ret_out);
	read_output(lake, STDERR_FILENO, ret_err);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int token_get(const struct lake *lake, const char *secret, const char *path)
{
	struct answer answer;
	int status;

	lake_ask(lake, "GET", path, secret, NULL, NULL, 0, &answer);
	status = answer.status;
	answer_clear(&answer);
	return status;
}

void token_make(const struct lake *lake, const char *const *arguments,
		char secret[TOKEN_SECRET_SIZE], char id[TOKEN_SECRET_SIZE])
{
	struct buffer out, err;
	int status = token_command(lake, arguments, &out, &err);

	if (status)
		fail_msg("token create: %d: %s", status, err.data);
	snprintf(secret, TOKEN_SECRET_SIZE, "%.*s", (int)strcspn(out.data, "\n"), out.data);
	if (id)
		assert_int_equal(sscanf(err.data, "token %79s", id), 1);
	buffer_clear(&out);
	buffer_clear(&err);
	kill(lake->pid, SIGHUP);
	WAIT_FOR(token_get(lake, secret, "/api/v1/runs") != 401, "a new token");
}

void token_drop(const struct lake *lake, const char *id, const char *secret)
{
	const char *const arguments[] = { "revoke", id, NULL };
	struct buffer out, err;

	assert_int_equal(token_command(lake, arguments, &out, &err), 0);
	buffer_clear(&out);
	buffer_clear(&err);
	kill(lake->pid, SIGHUP);
	WAIT_FOR(token_get(lake, secret, "/api/v1/runs") == 401, "a revoked token");
}
