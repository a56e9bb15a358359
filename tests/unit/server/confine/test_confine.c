/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <glob.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fixture_lake.h"
#include "server/confine/landlock.h"

#define OWNER  61998 /* no account has this number */
#define KILLED 1000  /* + the signal */

/* What the program tries from inside (attempt.c), and how it must end. */
static const struct {
	const char *what;
	int result; /* 0: it can; an errno; KILLED + a signal */
	int abi;    /* the version of Landlock that refuses it; 0: something else does */
} CASES[] = {
	{ "write_inside", 0, 0 },
	{ "work", 0, 0 },
	{ "read_shadow", EACCES, 1 },
	{ "write_outside", EACCES, 1 },
	{ "follow_link", EACCES, 1 },
	{ "rename_out", EACCES, 2 }, /* version 1 says EXDEV */
	{ "truncate_outside", EPERM, 0 },
	{ "make_link", EPERM, 0 },
	{ "make_device", EPERM, 0 },
	{ "connect_tcp", EPERM, 0 },
	{ "connect_tcp_landlock", EACCES, LANDLOCK_ABI_TCP },
	{ "connect_unix", EPERM, 0 },
	{ "make_link_landlock", EACCES, 1 },
	{ "open_tcp", EPERM, 0 },
	{ "send_packets", EPERM, 0 },
	{ "become_another_user", EPERM, 0 },
	{ "make_process", EPERM, 0 },
	{ "signal_another", KILLED + SIGSYS, 0 },
	{ "execute", KILLED + SIGSYS, 0 },
	{ "trace", KILLED + SIGSYS, 0 },
	{ "mount_over", KILLED + SIGSYS, 0 },
	{ "make_name_space", KILLED + SIGSYS, 0 },
	{ "lister_reads_shadow", EACCES, 1 },
	{ "lister_writes", EACCES, 1 },
	{ "lister_opens_tcp", 0, 0 },
	{ "lister_connects", ECONNREFUSED, 0 },
	{ "lister_listens", EPERM, 0 },
	{ "lister_reads_packets", EPERM, 0 },
	{ "lister_copies_itself", 0, 0 },
	{ "lister_executes", KILLED + SIGSYS, 0 },
	{ "lister_works", 0, 0 },
	{ "listing_reads", 0, 0 },
	{ "listing_reads_beside", EACCES, 1 },
	{ "listing_connects", ECONNREFUSED, 0 },
	{ "listing_copies_itself", EPERM, 0 },
	{ "listing_signals", KILLED + SIGSYS, 0 },
	{ "listing_executes", KILLED + SIGSYS, 0 },
	{ "listing_works", 0, 0 },
};

static int landlock_abi(void)
{
	return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static int attempt(const char *what, const char *folder)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		execl(ATTEMPT, "attempt", what, folder, NULL);
		_exit(255);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : KILLED + WTERMSIG(status);
}

/* A folder with a file `inside` and a link that leads out. */
static void fill(const char *folder)
{
	char path[128];

	assert_int_equal(file_make_folder(folder, 0700, NULL), 0);
	snprintf(path, sizeof(path), "%s/inside", folder);
	assert_int_equal(file_write(path, "x", 1, 0600, NULL), 0);
	snprintf(path, sizeof(path), "%s/link", folder);
	assert_int_equal(symlink("/etc/hostname", path), 0);
}

static void who_is_confined_cannot_leave(void **state)
{
	char folder[96];
	struct lake lake;

	lake_make(&lake);
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		int got;

		if (CASES[i].abi > landlock_abi())
			continue; /* this kernel does not know how to refuse it */
		snprintf(folder, sizeof(folder), "%s/%zu", lake.folder, i);
		fill(folder);
		got = attempt(CASES[i].what, folder);
		if (got != CASES[i].result)
			fail_msg("%s: %d, not %d", CASES[i].what, got, CASES[i].result);
	}
	lake_remove(&lake);
}

/* The hexadecimal value of a field of /proc/PID/status. */
static uint64_t process_status(pid_t pid, const char *field)
{
	char path[64], line[256];
	uint64_t value = UINT64_MAX;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		if (strncmp(line, field, strlen(field)) == 0 && line[strlen(field)] == ':')
			value = strtoull(line + strlen(field) + 1, NULL, 16);
	fclose(file);
	return value;
}

/* The text of a field of the status of each thread. */
static void expect_status(pid_t pid, const char *field, const char *text)
{
	char pattern[64], line[256];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "/proc/%d/task/*/status", pid);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		FILE *file = fopen(found.gl_pathv[i], "re");
		size_t len = strlen(field);

		while (file && fgets(line, sizeof(line), file))
			if (strncmp(line, field, len) == 0 && line[len] == ':')
				assert_string_equal(line + len + 1, text);
		if (file) /* a thread may have ended */
			fclose(file);
	}
	globfree(&found);
}

static void a_lake_that_serves_has_no_rights(void **state)
{
	static const char *const none[] = { "CapInh", "CapPrm", "CapEff", "CapAmb" };
	struct lake lake;

	lake_make(&lake);
	lake_start(&lake, NULL);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_int_equal(process_status(lake.pid, none[i]), 0);
	assert_int_equal(process_status(lake.pid, "NoNewPrivs"), 1);
	assert_int_equal(process_status(lake.pid, "Seccomp"), 2);
	if (geteuid() == 0)
		assert_int_equal(process_status(lake.pid, "CapBnd"), 0);
	assert_int_equal(lake_end(&lake), 0);
}

/* Root's lake is that of the owner of its folder, and so is what it writes. */
static void a_lake_that_root_starts_becomes_the_owner_of_its_folder(void **state)
{
	static const char *const files[] = { "lake/tracer.duckdb", "tokens/read", "url" };
	static const char *const folders[] = { "lake", "tokens" };
	char path[128];
	struct lake lake;
	struct stat info;

	if (geteuid() != 0) /* another user has no user to give the folder to */
		skip();
	lake_make(&lake);
	assert_int_equal(chmod(lake.folder, 0711), 0);
	lake_forget(&lake);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", lake.folder, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
		assert_int_equal(chown(path, OWNER, OWNER), 0);
	}
	lake_start(&lake, NULL);
	/* Its threads, too: all four ids of each. */
	snprintf(path, sizeof(path), "\t%d\t%d\t%d\t%d\n", OWNER, OWNER, OWNER, OWNER);
	expect_status(lake.pid, "Uid", path);
	expect_status(lake.pid, "Gid", path);
	expect_status(lake.pid, "Groups", "\t \n");
	assert_int_equal(process_status(lake.pid, "CapBnd"), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", lake.folder, files[i]);
		assert_int_equal(stat(path, &info), 0);
		assert_int_equal(info.st_uid, OWNER);
		assert_int_equal(info.st_mode & 077, 0);
	}
	assert_int_equal(lake_end(&lake), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_confined_cannot_leave),
		cmocka_unit_test(a_lake_that_serves_has_no_rights),
		cmocka_unit_test(a_lake_that_root_starts_becomes_the_owner_of_its_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
