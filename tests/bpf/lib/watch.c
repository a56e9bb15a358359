/* SPDX-License-Identifier: Apache-2.0 */
#include "watch.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

static void forget(struct watch *watch)
{
	for (size_t i = 0; i < watch->count; i++) {
		struct probe_image *image = &watch->records[i].image;

		free((char *)watch->records[i].kill.sender_comm);
		free((char *)watch->records[i].attempt.path);
		for (size_t j = 0; j < watch->records[i].opens.count; j++)
			free((char *)watch->records[i].opens.last[j].path);
		free((char *)watch->records[i].folder.path);
		free((char *)watch->records[i].file.path);
		free((char *)watch->records[i].io.device);
		if (watch->records[i].kind != WATCH_IMAGE)
			continue;
		for (size_t j = 0; j < image->argc; j++)
			free((char *)image->argv[j]);
		free((void *)image->argv);
		free((char *)image->exe);
		free((char *)image->cwd);
	}
	watch->count = 0;
	watch->known = 0;
}

static struct watch_record *add(struct watch *watch, enum watch_kind kind)
{
	struct watch_record *record;

	if (watch->count == watch->capacity) {
		watch->capacity = watch->capacity ? 2 * watch->capacity : 64;
		watch->records = reallocarray(watch->records, watch->capacity, sizeof(*record));
		assert_non_null(watch->records);
	}
	record = &watch->records[watch->count];
	memset(record, 0, sizeof(*record));
	record->kind = kind;
	record->order = watch->count++;
	return record;
}

static void on_fork(void *context, const struct probe_fork *fork)
{
	add(context, WATCH_FORK)->fork = *fork;
}

static const char *const *copy_argv(const struct probe_image *image)
{
	char **argv = calloc(image->argc + 1, sizeof(*argv));

	assert_non_null(argv);
	for (size_t i = 0; i < image->argc; i++)
		argv[i] = strdup(image->argv[i]);
	assert_null(image->argv[image->argc]);
	return (const char *const *)argv;
}

static void on_image(void *context, const struct probe_image *image)
{
	struct probe_image *kept = &add(context, WATCH_IMAGE)->image;

	*kept = *image;
	kept->exe = strdup(image->exe);
	kept->cwd = strdup(image->cwd);
	kept->argv = copy_argv(image);
	if (image->found && ((struct watch *)context)->found)
		((struct watch *)context)->found((pid_t)image->key.pid);
}

static void on_exit_record(void *context, const struct probe_exit *end)
{
	add(context, WATCH_EXIT)->exit = *end;
}

static void on_residual(void *context, const struct probe_residual *residual)
{
	add(context, WATCH_RESIDUAL)->residual = *residual;
}

static void on_network(void *context, const struct probe_network *network)
{
	add(context, WATCH_NETWORK)->network = *network;
}

static void on_alive(void *context, const struct probe_alive *alive)
{
	add(context, WATCH_ALIVE)->alive = *alive;
}

static void on_kill(void *context, const struct probe_kill *kill)
{
	struct probe_kill *kept = &add(context, WATCH_KILL)->kill;

	*kept = *kill;
	kept->sender_comm = strdup(kill->sender_comm);
}

static void on_attempt(void *context, const struct probe_attempt *attempt)
{
	struct probe_attempt *kept = &add(context, WATCH_ATTEMPT)->attempt;

	*kept = *attempt;
	kept->path = strdup(attempt->path);
}

static void on_file(void *context, const struct probe_file *file)
{
	struct probe_file *kept = &add(context, WATCH_FILE)->file;

	*kept = *file;
	kept->path = file->path ? strdup(file->path) : NULL;
}

static void on_io(void *context, const struct probe_io *io)
{
	struct probe_io *kept = &add(context, WATCH_IO)->io;

	*kept = *io;
	kept->device = strdup(io->device);
}

static void on_syscall(void *context, const struct probe_syscall *call)
{
	add(context, WATCH_SYSCALL)->syscall = *call;
}

static void on_opens_failed(void *context, const struct probe_opens *opens)
{
	struct probe_opens *kept = &add(context, WATCH_OPENS)->opens;

	*kept = *opens;
	for (size_t i = 0; i < kept->count; i++)
		kept->last[i].path = strdup(opens->last[i].path);
}

static void on_folder(void *context, const struct probe_folder *folder)
{
	struct probe_folder *kept = &add(context, WATCH_FOLDER)->folder;

	*kept = *folder;
	kept->path = strdup(folder->path);
}

static void on_connect_failed(void *context, const struct probe_connect_failure *failure)
{
	add(context, WATCH_CONNECT)->connect = *failure;
}

static bool is_known(void *context, const struct probe_key *key)
{
	const struct watch *watch = context;

	return key->pid == (uint32_t)watch->known;
}

struct watch *watch_new(const struct probe_options *options)
{
	struct watch *watch = calloc(1, sizeof(*watch));
	const struct probe_handler handler = { .on_fork = on_fork,
					       .on_image = on_image,
					       .on_exit = on_exit_record,
					       .on_residual = on_residual,
					       .on_network = on_network,
					       .on_alive = on_alive,
					       .on_kill = on_kill,
					       .on_attempt = on_attempt,
					       .on_file = on_file,
					       .on_io = on_io,
					       .on_syscall = on_syscall,
					       .on_folder = on_folder,
					       .on_connect_failed = on_connect_failed,
					       .on_opens_failed = on_opens_failed,
					       .is_known = is_known,
					       .context = watch };
	struct error err = { { 0 } };

	assert_non_null(watch);
	if (probe_open(&watch->probe, options, &handler, &err))
		fail_msg("%s", error_text(&err));
	return watch;
}

static struct watch *shared;

void watch_driver_done(void)
{
	struct watch *watch = shared;

	shared = NULL;
	watch_free(watch);
}

struct watch *watch_driver(void)
{
	const char *const names[] = { watch_driver_name() };

	if (shared) {
		watch_poll(shared); /* records of the test before */
		forget(shared);
		return shared;
	}
	shared = watch_new(&(struct probe_options){
		.names = names, .name_count = 1, .hold_syscall_tracepoints = true });
	return shared;
}

void watch_free(struct watch *watch)
{
	if (!watch)
		return;
	forget(watch);
	if (watch == shared)
		return;
	probe_close(watch->probe, false);
	free(watch->records);
	free(watch);
}

void watch_poll(struct watch *watch)
{
	int count = probe_poll(watch->probe, 0);

	if (count < 0)
		fail_msg("probe_poll: %s", strerror(-count));
}

static uint32_t pid_of(const struct watch_record *record)
{
	switch (record->kind) {
	case WATCH_FORK:
		return record->fork.key.pid;
	case WATCH_IMAGE:
		return record->image.key.pid;
	case WATCH_EXIT:
		return record->exit.key.pid;
	case WATCH_RESIDUAL:
		return record->residual.key.pid;
	case WATCH_KILL:
		return record->kill.key.pid;
	case WATCH_ATTEMPT:
		return record->attempt.key.pid;
	case WATCH_NETWORK:
		return record->network.key.pid;
	case WATCH_FILE:
		return record->file.key.pid;
	case WATCH_IO:
		return record->io.key.pid;
	case WATCH_SYSCALL:
		return record->syscall.key.pid;
	case WATCH_OPENS:
		return record->opens.key.pid;
	case WATCH_FOLDER:
		return record->folder.key.pid;
	case WATCH_CONNECT:
		return record->connect.key.pid;
	default:
		return record->alive.key.pid;
	}
}

const struct watch_record *watch_find(const struct watch *watch, enum watch_kind kind, pid_t pid,
				      size_t nth)
{
	for (size_t i = 0; i < watch->count; i++) {
		const struct watch_record *record = &watch->records[i];

		if (record->kind == kind && pid_of(record) == (uint32_t)pid && nth-- == 0)
			return record;
	}
	return NULL;
}

size_t watch_count(const struct watch *watch, enum watch_kind kind, pid_t pid)
{
	size_t count = 0;

	while (watch_find(watch, kind, pid, count))
		count++;
	return count;
}

const struct watch_record *watch_child(const struct watch *watch, pid_t parent, size_t nth)
{
	for (size_t i = 0; i < watch->count; i++) {
		const struct watch_record *record = &watch->records[i];

		if (record->kind == WATCH_IMAGE && record->image.parent.pid == (uint32_t)parent &&
		    nth-- == 0)
			return record;
	}
	return NULL;
}

const struct probe_figures *watch_final(const struct watch *watch, pid_t pid)
{
	const struct watch_record *residual = watch_find(watch, WATCH_RESIDUAL, pid, 0);
	const struct watch_record *end = watch_find(watch, WATCH_EXIT, pid, 0);

	assert_non_null(end);
	return residual ? &residual->residual.figures : &end->exit.figures;
}

static char path[64]; /* of the link */

static void remove_path(void)
{
	unlink(path);
}

const char *watch_driver_path(void)
{
	const char *driver = getenv("PROBE_DRIVER");

	if (path[0])
		return path;
	if (!driver)
		fail_msg("set PROBE_DRIVER to the path of probe_driver (ctest does)");
	snprintf(path, sizeof(path), "/tmp/probe_driver.%d", getpid());
	unlink(path);
	if (symlink(driver, path))
		fail_msg("cannot link %s: %s", path, strerror(errno));
	atexit(remove_path);
	return path;
}

const char *watch_driver_name(void)
{
	return text_basename(watch_driver_path());
}

pid_t watch_spawn(const char *const *argv, int in, int out)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	if (in < 0)
		in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (out < 0)
		out = open("/dev/null", O_WRONLY | O_CLOEXEC);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execv(argv[0], (char *const *)argv);
	_exit(127);
}

pid_t watch_start(const char *const *argv, int *ret_hold)
{
	int in[2] = { -1, -1 }, out[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	if (ret_hold)
		assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	pid = watch_spawn(argv, in[0], out[1]);
	close(out[1]);
	if (ret_hold) {
		close(in[0]);
		*ret_hold = in[1];
	}
	assert_int_equal(read(out[0], &byte, 1), 1);
	close(out[0]);
	return pid;
}

pid_t watch_run(const char *const *arguments, int *ret_status, struct rusage *ret_usage)
{
	const char *argv[64] = { watch_driver_path() };
	pid_t pid;

	for (size_t i = 0; arguments[i] && i < 62; i++)
		argv[i + 1] = arguments[i];
	pid = watch_spawn(argv, -1, -1);
	assert_int_equal(wait4(pid, ret_status, 0, ret_usage), pid);
	return pid;
}
