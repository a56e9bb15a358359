/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_lake.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <jansson.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "new_store.h"
#include "wait.h"

#define ARGUMENTS_MAX  32
#define RESPONSE_LIMIT (64u << 20)

static void read_text(const char *folder, const char *name, char *text, size_t size)
{
	char path[128];
	char *bytes;
	size_t len;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(file_read(AT_FDCWD, path, size - 1, &bytes, &len), 0);
	snprintf(text, size, "%.*s", (int)strcspn(bytes, "\n"), bytes);
	free(bytes);
}

static void make_new_store(const struct lake *lake)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/lake", lake->folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/lake/tracer.duckdb", lake->folder);
	new_store_copy(path);
}

void lake_make(struct lake *lake)
{
	memset(lake, 0, sizeof(*lake));
	lake->pid = -1;
	snprintf(lake->folder, sizeof(lake->folder), "/tmp/tracer-lake-test-XXXXXX");
	assert_non_null(mkdtemp(lake->folder));
	make_new_store(lake);
}

/* In the child: never returns. The program itself, and not a copy of this one: what a sanitizer's
 * own thread holds during a fork is held for ever in the copy. */
static void become(struct lake *lake, const char *const *arguments)
{
	char *argv[ARGUMENTS_MAX + 2] = { "tracer-lake" };
	char path[128];
	int argc = 1, fd;

	snprintf(path, sizeof(path), "%s/err", lake->folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	dup2(fd, STDERR_FILENO);
	while (arguments[argc - 1]) {
		argv[argc] = (char *)arguments[argc - 1];
		argc++;
	}
	execv(TRACER_LAKE, argv);
	_exit(127);
}

static void spawn(struct lake *lake, const char *const *arguments)
{
	lake->pid = fork();
	assert_true(lake->pid >= 0);
	if (lake->pid == 0)
		become(lake, arguments);
}

static void show_log(const struct lake *lake)
{
	char path[128];
	char *text;
	size_t len;

	snprintf(path, sizeof(path), "%s/err", lake->folder);
	if (file_read(AT_FDCWD, path, 1 << 20, &text, &len))
		return;
	fprintf(stderr, "tracer-lake said:\n%s\n", text);
	free(text);
}

static bool has_ended(const struct lake *lake)
{
	int status;

	if (waitpid(lake->pid, &status, WNOHANG) == 0)
		return false;
	show_log(lake);
	return true;
}

/* The file is there before the server is ready, and empty. */
static bool has_url(const char *url_file)
{
	struct stat info;

	return stat(url_file, &info) == 0 && info.st_size > 0;
}

static void wait_for_url(const struct lake *lake, const char *url_file)
{
	WAIT_FOR(has_url(url_file) || has_ended(lake), "tracer-lake's URL");
	if (!has_url(url_file))
		fail_msg("tracer-lake did not start");
}

void lake_start(struct lake *lake, const char *const *extra)
{
	const char *arguments[ARGUMENTS_MAX] = { NULL };
	char data[96], tokens[96], url_file[96];
	size_t count = 0;

	snprintf(data, sizeof(data), "--data-folder=%s/lake", lake->folder);
	snprintf(tokens, sizeof(tokens), "--tokens-folder=%s/tokens", lake->folder);
	snprintf(url_file, sizeof(url_file), "--url-file=%s/url", lake->folder);
	arguments[count++] = data;
	arguments[count++] = tokens;
	arguments[count++] = url_file;
	arguments[count++] = "--listen=127.0.0.1:0";
	arguments[count++] = "--memory-limit=256M";
	while (extra && *extra)
		arguments[count++] = *extra++;
	unlink(url_file + strlen("--url-file="));
	spawn(lake, arguments);
	wait_for_url(lake, url_file + strlen("--url-file="));
	read_text(lake->folder, "url", lake->url, sizeof(lake->url));
	read_text(lake->folder, "tokens/ingest", lake->ingest, sizeof(lake->ingest));
	read_text(lake->folder, "tokens/read", lake->read, sizeof(lake->read));
	read_text(lake->folder, "tokens/admin", lake->admin, sizeof(lake->admin));
	lake->port = (unsigned short)strtoul(strrchr(lake->url, ':') + 1, NULL, 10);
}

static int wait_for_end(struct lake *lake)
{
	int status;

	assert_int_equal(waitpid(lake->pid, &status, 0), lake->pid);
	lake->pid = -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int lake_try(struct lake *lake, const char *const *arguments, struct buffer *ret_err)
{
	char path[128];
	char *text;
	size_t len;
	int status;

	spawn(lake, arguments);
	status = wait_for_end(lake);
	snprintf(path, sizeof(path), "%s/err", lake->folder);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, &len), 0);
	buffer_init(ret_err, 0);
	buffer_append(ret_err, text, len);
	free(text);
	return status;
}

/* One that was stopped has no pid but -1, which would be every process there is. */
static void send_signal(const struct lake *lake, int number)
{
	assert_true(lake->pid > 0);
	kill(lake->pid, number);
}

int lake_stop(struct lake *lake)
{
	int status;

	send_signal(lake, SIGTERM);
	status = wait_for_end(lake);
	if (status)
		show_log(lake);
	return status;
}

void lake_reap(struct lake *lake)
{
	wait_for_end(lake);
}

void lake_forget(struct lake *lake)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/lake", lake->folder);
	assert_int_equal(file_remove_tree(path), 0);
}

void lake_kill(struct lake *lake)
{
	send_signal(lake, SIGKILL);
	wait_for_end(lake);
}

void lake_remove(struct lake *lake)
{
	if (lake->pid > 0)
		lake_kill(lake);
	file_remove_tree(lake->folder);
}

int lake_end(struct lake *lake)
{
	int status = lake->pid > 0 ? lake_stop(lake) : -1;

	lake_remove(lake);
	return status;
}
