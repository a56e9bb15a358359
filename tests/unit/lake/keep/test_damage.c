/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Files of a store that are damaged, missing, of another store, or not its own: it is refused with
 * words that say what to do, and nothing is dropped without a word. */

#define BATCHES 5

static void ingest(struct store *store, uint64_t sequence)
{
	struct made made;
	bool duplicate;

	made_init(&made, sequence);
	made_run(&made, "run", 0, -1);
	for (uint32_t i = 0; i < 500; i++)
		made_execution(&made, (uint32_t)sequence * 1000 + i, "t", "tool", 0, 1);
	if (store_ingest(store, &made.batch, &duplicate, NULL))
		_exit(2);
	made_clear(&made);
}

/* Batches that are in the log alone: the process ends without closing the store. */
static void ingest_and_die(const char *path, uint64_t first)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct store_options options = { .path = path, .threads = 2 };
		struct store *store;

		if (store_open(&store, &options, NULL))
			_exit(1);
		for (uint64_t i = 0; i < BATCHES; i++)
			ingest(store, first + i);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static char *name(const struct lake *lake, const char *suffix)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s%s", lake->path, suffix);
	return path;
}

/* A store of which the last batches are in its log. */
static int setup(void **state)
{
	lake_setup(state);
	ingest(((struct lake *)*state)->store, 1);
	lake_close(*state);
	ingest_and_die(((struct lake *)*state)->path, 2);
	assert_int_equal(access(name(*state, ".wal"), F_OK), 0);
	return 0;
}

static void flip(const char *path, off_t offset)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	unsigned char byte;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &byte, 1, offset), 1);
	byte ^= 0xff;
	assert_int_equal(pwrite(fd, &byte, 1, offset), 1);
	close(fd);
}

static off_t size_of(const char *path)
{
	struct stat info;

	assert_int_equal(stat(path, &info), 0);
	return info.st_size;
}

static void assert_refused(struct lake *lake, int code, const char *words)
{
	struct store_options options = { .path = lake->path };
	struct error err = { 0 };

	assert_int_equal(store_open(&lake->store, &options, &err), code);
	if (!strstr(error_text(&err), words))
		fail_msg("'%s' lacks '%s'", error_text(&err), words);
}

static void assert_whole(struct lake *lake)
{
	char expected[64];

	lake_open(lake);
	snprintf(expected, sizeof(expected), "%d %d\n", BATCHES + 1, (BATCHES + 1) * 500);
	assert_string_equal(lake_query(lake, "metrics", "", "batches executions"), expected);
}

static void a_store_that_was_killed_is_whole(void **state)
{
	assert_whole(*state);
}

static void a_missing_log_is_reported_and_its_return_makes_the_store_whole(void **state)
{
	char kept[128];

	snprintf(kept, sizeof(kept), "%s/kept", ((struct lake *)*state)->folder);
	assert_int_equal(rename(name(*state, ".wal"), kept), 0);
	assert_refused(*state, -ENODATA, "has 1 batches, and 6 were acknowledged");
	assert_refused(*state, -ENODATA, "tracer-lake restore FILE");
	assert_int_equal(rename(kept, name(*state, ".wal")), 0);
	assert_whole(*state);
}

static void a_store_without_its_log_opens_once_its_owner_says_so(void **state)
{
	unlink(name(*state, ".wal"));
	assert_refused(*state, -ENODATA, "remove ");
	unlink(name(*state, ".batches"));
	lake_open(*state);
	assert_string_equal(lake_query(*state, "metrics", "", "batches"), "1\n");
}

static void a_cut_log_is_reported(void **state)
{
	const char *path = name(*state, ".wal");

	assert_int_equal(truncate(path, size_of(path) / 2), 0);
	assert_refused(*state, -ENODATA, "were acknowledged");
}

static void a_damaged_log_is_refused_and_kept(void **state)
{
	off_t size = size_of(name(*state, ".wal"));

	flip(name(*state, ".wal"), size / 2);
	assert_refused(*state, -EIO, "is damaged");
	assert_refused(*state, -EIO, "restore FILE");
	assert_int_equal(size_of(name(*state, ".wal")), size);
}

static void the_log_of_another_store_is_refused_and_kept(void **state)
{
	struct lake *lake = *state, other;
	char command[512];

	lake_make(&other);
	lake_close(&other);
	/* Each file of lake_make is a copy of the first: this one is new. */
	unlink(other.path);
	unlink(name(&other, ".batches"));
	lake_open(&other);
	lake_close(&other);
	ingest_and_die(other.path, 2);
	snprintf(command, sizeof(command), "cp %s.wal %s.wal", other.path, lake->path);
	assert_int_equal(system(command), 0); // NOLINT(cert-env33-c)
	assert_refused(lake, -EIO, "is damaged");
	assert_int_equal(access(name(lake, ".wal"), F_OK), 0);
	lake_remove(&other);
}

static void a_damaged_head_is_refused(void **state)
{
	flip(((struct lake *)*state)->path, 20);
	assert_refused(*state, -EIO, "is damaged");
}

static void a_cut_database_is_refused(void **state)
{
	const char *path = ((struct lake *)*state)->path;

	assert_int_equal(truncate(path, size_of(path) / 2), 0);
	assert_refused(*state, -EIO, "is damaged");
}

static void a_missing_database_is_not_made_anew_beside_its_log(void **state)
{
	struct lake *lake = *state;

	unlink(lake->path);
	assert_refused(lake, -ENODATA, "is missing");
	unlink(name(lake, ".wal"));
	assert_refused(lake, -ENODATA, "is missing");
	assert_int_equal(access(lake->path, F_OK), -1);
}

static void a_link_in_place_of_the_database_is_refused(void **state)
{
	struct lake *lake = *state;
	char kept[128];

	snprintf(kept, sizeof(kept), "%s/kept", lake->folder);
	assert_int_equal(rename(lake->path, kept), 0);
	assert_int_equal(symlink(kept, lake->path), 0);
	assert_refused(lake, -EPERM, "is a symbolic link");
}

static void a_fifo_in_place_of_a_file_is_refused(void **state)
{
	static const char *const suffixes[] = { ".wal", ".batches", "" };

	for (size_t i = 0; i < 3; i++) {
		const char *path = name(*state, suffixes[i]);

		unlink(path);
		assert_int_equal(mkfifo(path, 0600), 0);
		assert_refused(*state, -EPERM, "is no regular file");
		unlink(path);
	}
}

static void files_that_others_may_write_are_refused(void **state)
{
	struct lake *lake = *state;

	assert_int_equal(chmod(lake->path, 0660), 0);
	assert_refused(lake, -EPERM, "can be written by others: chmod go-w");
	assert_int_equal(chmod(lake->path, 0600), 0);
	assert_int_equal(chmod(lake->folder, 0777), 0);
	assert_refused(lake, -EPERM, "can be written by others: chmod go-w");
	assert_int_equal(chmod(lake->folder, 0700), 0);
	assert_whole(lake);
}

static void files_of_another_user_are_refused(void **state)
{
	struct lake *lake = *state;

	if (geteuid() != 0)
		skip();
	assert_int_equal(chown(lake->path, 1234, 1234), 0);
	assert_refused(lake, -EPERM, "belongs to user 1234");
	assert_int_equal(chown(lake->path, 0, 0), 0);
	assert_whole(lake);
}

/* In a name space of mounts of its own. */
static void a_read_only_file_system_is_refused_with_its_reason(void **state)
{
	struct lake *lake = *state;
	int status;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	pid = fork();
	if (!pid) {
		struct store_options options = { .path = lake->path };
		struct error err = { 0 };

		if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount(lake->folder, lake->folder, NULL, MS_BIND, NULL) ||
		    mount(NULL, lake->folder, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL))
			_exit(2);
		_exit(store_open(&lake->store, &options, &err) == -EROFS &&
				      strstr(error_text(&err), "Read-only file system")
			      ? 0
			      : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_whole(lake);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_store_that_was_killed_is_whole),
		TEST(a_missing_log_is_reported_and_its_return_makes_the_store_whole),
		TEST(a_store_without_its_log_opens_once_its_owner_says_so),
		TEST(a_cut_log_is_reported),
		TEST(a_damaged_log_is_refused_and_kept),
		TEST(the_log_of_another_store_is_refused_and_kept),
		TEST(a_damaged_head_is_refused),
		TEST(a_cut_database_is_refused),
		TEST(a_missing_database_is_not_made_anew_beside_its_log),
		TEST(a_link_in_place_of_the_database_is_refused),
		TEST(a_fifo_in_place_of_a_file_is_refused),
		TEST(files_that_others_may_write_are_refused),
		TEST(files_of_another_user_are_refused),
		TEST(a_read_only_file_system_is_refused_with_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
