/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <inttypes.h>
#include <linux/fuse.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "fuse_server.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* The part of disk_ns that was spent on a FUSE file system. */

#define DELAY_MS 50

static char folder[64];
static struct fuse_server *server;

/* A call, and the request that is kept. */
struct row {
	const char *call, *name;
	uint32_t opcode;
};

/* The figures of the driver while its server holds back this request. */
static const struct probe_figures *wait_for(struct watch *watch, const struct row *row)
{
	const struct probe_figures *figures;
	char path[128];
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/%s", folder, row->name);
	fuse_server_delay(server, row->opcode, DELAY_MS);
	pid = watch_run((const char *const[]){ "wait", row->call, path, NULL }, &status, NULL);
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	if (!fuse_server_kept_ns(server))
		fail_msg("%s made no request %u", row->call, row->opcode);
	figures = watch_final(watch, pid);
	/* The caller waited while its request was held back, and for requests before it. */
	if (figures->disk_ns < fuse_server_kept_ns(server) / 2)
		fail_msg("%s (request %u): disk %" PRIu64 " ns, pipe_read %" PRIu64
			 " ns, lock %" PRIu64 " ns, other %" PRIu64
			 " ns; the request of process %d (not %d?) was kept for %" PRIu64 " ns",
			 row->call, row->opcode, figures->disk_ns, figures->pipe_read_ns,
			 figures->lock_ns, figures->other_ns, fuse_server_kept_pid(server), pid,
			 fuse_server_kept_ns(server));
	assert_true(figures->disk_fuse_ns <= figures->disk_ns);
	assert_int_equal(figures->disk_shared_ns, 0);
	return figures;
}

static void a_call_on_a_descriptor_or_a_walk_of_a_path_is_fuses(void **state)
{
	static const struct row rows[] = {
		{ "read", "file", FUSE_READ },     { "fsync", "file", FUSE_FSYNC },
		{ "fsync", ".", FUSE_FSYNCDIR },   { "getdents", ".", FUSE_READDIR },
		{ "fstat", "file", FUSE_GETATTR }, { "fstatat", "file", FUSE_GETATTR },
		{ "close", "file", FUSE_FLUSH },   { "ftruncate", "file", FUSE_SETATTR },
		{ "open", "file", FUSE_OPEN },     { "open", ".", FUSE_OPENDIR },
		{ "open", "file", FUSE_LOOKUP },   { "stat", "file", FUSE_LOOKUP },
	};
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct probe_figures *figures = wait_for(watch, &rows[i]);

		if (figures->disk_fuse_ns < fuse_server_kept_ns(server) / 2)
			fail_msg("%s (request %u): FUSE %" PRIu64 " ns of disk %" PRIu64 " ns",
				 rows[i].call, rows[i].opcode, figures->disk_fuse_ns,
				 figures->disk_ns);
	}
}

/* Once a path walk is over, the thread has no trace of the path: the wait is for disk, with an
 * unknown file system. */
static void what_is_done_at_the_end_of_a_path_is_the_disks(void **state)
{
	static const struct row rows[] = {
		{ "stat", "file", FUSE_GETATTR },
		{ "unlink", "file", FUSE_UNLINK },
	};
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct probe_figures *figures = wait_for(watch, &rows[i]);

		assert_true(figures->disk_ns - figures->disk_fuse_ns >=
			    fuse_server_kept_ns(server) / 2);
	}
}

/* A mount namespace, and what is mounted in it, of this test's own. */
static int setup(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/probe_fuse.%d", getpid());
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mkdir(folder, 0700))
		return -1;
	server = fuse_server_new(folder);
	return 0;
}

static int teardown(void **state)
{
	fuse_server_free(server);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_on_a_descriptor_or_a_walk_of_a_path_is_fuses),
		cmocka_unit_test(what_is_done_at_the_end_of_a_path_is_the_disks),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
