/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "fuse_server.h"
#include "loop_disk.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* Disks that fail: at once, and when data is written back. */

#define DISK_BYTES (16L << 20)

static char folder[64]; /* on a tmpfs of this test's own, with room for half of the disk */

static const char *in(const char *name)
{
	static char paths[8][128];
	static size_t next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

/* The last record of the file; exactly one record has the error, with the path. */
static struct probe_file broken(const struct watch *watch, pid_t pid, const char *path, int error)
{
	struct probe_file last = { 0 };
	const struct watch_record *record;
	size_t told = 0;

	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++) {
		if (record->file.error_is_new) {
			assert_string_equal(record->file.path, path);
			assert_int_equal(record->file.error, error);
			last.id = record->file.id;
			told++;
		}
	}
	assert_int_equal(told, 1);
	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++)
		if (record->file.id == last.id && !record->file.path)
			last = record->file;
	assert_int_equal(last.error, error);
	return last;
}

static void a_write_that_the_file_system_refuses_is_reported_with_its_file(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct fuse_server *server;
	const char *path = in("fuse/file");
	int status;
	pid_t pid;

	assert_int_equal(mkdir(in("fuse"), 0700), 0);
	server = fuse_server_new(in("fuse"));
	fuse_server_refuse(server, FUSE_WRITE, EIO);
	pid = watch_run((const char *const[]){ "files", "f", path, "3", NULL }, &status, NULL);
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	fuse_server_free(server);
	assert_int_equal(broken(watch, pid, path, EIO).failures, 3);
}

static void make_file_system(const char *device)
{
	char *const argv[] = { "mkfs.ext2", "-q", "-F", (char *)(uintptr_t)device, NULL };
	char *const environment[] = { "PATH=/usr/sbin:/sbin:/usr/bin:/bin", NULL };
	int status;
	pid_t pid;

	assert_int_equal(posix_spawnp(&pid, "mkfs.ext2", NULL, NULL, argv, environment), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Nothing more can be stored on the tmpfs. */
static void fill_up(void)
{
	static const char room[65536];
	CLEANUP(closep) int fd = open(in("filler"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	while (write(fd, room, sizeof(room)) > 0)
		;
	assert_int_equal(errno, ENOSPC);
}

/* The write itself succeeds: fsync() returns its error. */
static void a_disk_error_shows_at_fsync_and_as_a_failed_request(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	CLEANUP(closep) int backing = open(in("backing"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	const char *path = in("at/file");
	const struct watch_record *record;
	struct loop_disk disk;
	uint64_t failed = 0;
	int status, error;
	pid_t pid;

	assert_int_equal(ftruncate(backing, DISK_BYTES), 0);
	assert_int_equal(loop_disk_over(&disk, backing), 0);
	make_file_system(disk.path);
	fill_up();
	assert_int_equal(mount(disk.path, in("at"), "ext2", 0, NULL), 0);
	pid = watch_run((const char *const[]){ "files", "y", path, "40000", NULL }, &status, NULL);
	watch_until_exit(watch, pid);
	unlink(in("filler"));
	umount2(in("at"), MNT_DETACH);
	loop_disk_remove(&disk);
	assert_true(WIFEXITED(status));
	error = WEXITSTATUS(status);
	assert_true(error == EIO || error == ENOSPC);
	assert_int_equal(broken(watch, pid, path, error).failures, 1);
	for (size_t i = 0; (record = watch_find(watch, WATCH_IO, pid, i)); i++)
		if (!strcmp(record->io.device, disk.name) && !strcmp(record->io.operation, "write"))
			failed += record->io.failures;
	assert_true(failed > 0);
}

/* A mount namespace of this test's own. */
static int setup(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/probe_disk_error.%d", getpid());
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
			       mkdir(folder, 0700) ||
			       mount("small", folder, "tmpfs", 0, "size=8m") ||
			       mkdir(in("at"), 0700)
		       ? -1
		       : 0;
}

static int teardown(void **state)
{
	umount2(folder, MNT_DETACH);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_write_that_the_file_system_refuses_is_reported_with_its_file),
		cmocka_unit_test(a_disk_error_shows_at_fsync_and_as_a_failed_request),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
