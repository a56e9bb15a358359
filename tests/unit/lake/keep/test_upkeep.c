/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_answers.h"

#include "base/buffer.h"
#include "lake/store/store_use.h"
#include "lake/store/upkeep/upkeep.h"
#include "wait.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Checking, compacting and copying a store while it is used. */

static const struct upkeep silent;

static void fill(struct lake *lake)
{
	lake_store_recording(lake, "runs/restarted.rec");
	lake_store_recording(lake, "runs/script_failed.rec");
}

static void assert_filled(struct lake *lake)
{
	assert_string_equal(lake_query(lake, "runs", "sort= status= pipeline= cursor= limit=2",
				       "name tasks executions"),
			    "broken.sh-fe601c 3 7\nalign.sh-3d9472 2 5\n");
}

static size_t faults_of(struct lake *lake, struct buffer *report)
{
	struct error err = { 0 };
	size_t faults = 0;

	buffer_init(report, 0);
	if (upkeep_check(lake->store, &silent, report, &faults, &err))
		fail_msg("check: %s", error_text(&err));
	return faults;
}

static void assert_sound(struct lake *lake)
{
	struct buffer report;

	if (faults_of(lake, &report))
		fail_msg("%s", report.data);
	buffer_clear(&report);
}

static void a_sound_store_has_no_faults(void **state)
{
	fill(*state);
	assert_sound(*state);
	lake_close(*state);
	lake_open(*state);
	assert_sound(*state);
}

static off_t size_of(const char *path)
{
	struct stat info;

	assert_int_equal(stat(path, &info), 0);
	return info.st_size;
}

/* Flips a byte in each block of 256 KiB from the given one on. */
static void damage(const char *path, off_t first)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	unsigned char byte;

	for (off_t at = 12288 + (first << 18) + 5000; at < size_of(path); at += 1 << 18) {
		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte ^= 0xff;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	}
	close(fd);
}

/* Where DuckDB put which table is its own affair, and some of it is in memory already. */
static void assert_a_query_meets_it(struct lake *lake)
{
	static const char *const ASKED[][2] = {
		{ "processes", "run=latest task= tool= status= cursor= limit=10" },
		{ "files", "run=latest task= tool= kind= cursor= limit=10" },
		{ "hosts", "host=" },
		{ "host_samples", "host= since_at=@0 until_at=@1000000000 interval_s=5" },
		{ "events", "run=latest limit=10" },
		{ "containers", "run=latest limit=10" },
	};
	int met = 0;

	for (size_t i = 0; i < sizeof(ASKED) / sizeof(ASKED[0]); i++) {
		struct store_rows *rows = NULL;
		struct error err = { 0 };
		int rc = lake_try_query(lake, ASKED[i][0], ASKED[i][1], &rows, &err);

		store_rows_free(rows);
		met += rc == -EIO;
		if (rc && !strstr(error_text(&err), "run tracer-lake check, and restore"))
			fail_msg("%s", error_text(&err));
	}
	assert_true(met > 0);
}

static void damaged_blocks_are_found_in_a_store_that_runs(void **state)
{
	struct lake *lake = *state;
	struct buffer report;
	pid_t pid;
	int status;

	fill(lake);
	lake_close(lake);
	lake_open(lake);
	pid = fork(); /* another process: closing the file here would end DuckDB's lock */
	if (!pid) {
		damage(lake->path, 2);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(faults_of(lake, &report) > 0);
	if (!strstr(report.data, "has a wrong checksum; it holds rows of "))
		fail_msg("%s", report.data);
	buffer_clear(&report);
	assert_a_query_meets_it(lake);
}

static void backup(struct lake *lake, char path[256])
{
	struct error err = { 0 };
	char *made = NULL;

	if (upkeep_backup(lake->store, &silent, &made, &err))
		fail_msg("backup: %s", error_text(&err));
	snprintf(path, 256, "%s", made);
	free(made);
}

static void a_backup_of_a_store_that_runs_answers_as_the_store(void **state)
{
	struct lake *lake = *state, copy;
	char path[256], *answers;
	uint64_t batches = 0;

	fill(lake);
	answers = lake_answers(lake);
	backup(lake, path);
	lake_store_recording(lake, "runs/tool.rec"); /* not in the copy */
	lake_make(&copy);
	lake_close(&copy);
	assert_int_equal(upkeep_verify(path, &silent, &batches, NULL), 0);
	assert_true(batches > 0);
	assert_int_equal(rename(path, copy.path), 0);
	lake_open(&copy);
	assert_answers(&copy, answers);
	assert_sound(&copy);
	lake_remove(&copy);
	free(answers);
}

static void a_damaged_copy_is_no_backup(void **state)
{
	struct lake *lake = *state;
	struct error err = { 0 };
	char path[256];
	uint64_t batches;

	fill(lake);
	backup(lake, path);
	damage(path, 1);
	assert_int_equal(upkeep_verify(path, &silent, &batches, &err), -EIO);
	assert_non_null(strstr(error_text(&err), "have a wrong checksum"));
}

static void a_compacted_store_answers_as_before_and_goes_on(void **state)
{
	struct upkeep_sizes sizes = { 0 };
	struct lake *lake = *state;
	struct error err = { 0 };
	char *answers;

	fill(lake);
	answers = lake_answers(lake);
	if (upkeep_compact(lake->store, &silent, &sizes, &err))
		fail_msg("compact: %s", error_text(&err));
	assert_true(sizes.before_bytes > 0);
	assert_int_equal(sizes.after_bytes, size_of(lake->path));
	assert_answers(lake, answers);
	assert_sound(lake);
	lake_store_recording(lake, "runs/tool.rec");
	lake_close(lake);
	lake_open(lake);
	assert_sound(lake);
	free(answers);
}

static off_t log_of(const struct lake *lake)
{
	struct stat info;
	char path[128];

	snprintf(path, sizeof(path), "%s.wal", lake->path);
	return stat(path, &info) ? 0 : info.st_size;
}

static void release(struct lake *lake)
{
	struct error err = { 0 };

	if (upkeep_release(lake->store, &err))
		fail_msg("release: %s", error_text(&err));
}

static void an_idle_store_empties_its_log_and_answers_as_before(void **state)
{
	struct lake *lake = *state;
	char *answers;

	lake_store_recording(lake, "runs/demo.rec");
	lake_store_recording(lake, "runs/nextflow_failed.rec");
	assert_true(log_of(lake) >= 256 << 10);
	answers = lake_answers(lake);
	release(lake);
	assert_true(log_of(lake) < 1 << 10);
	assert_answers(lake, answers);
	lake_store_recording(lake, "runs/tool.rec");
	assert_sound(lake);
	free(answers);
}

static void a_store_in_use_stays_open_when_its_memory_is_freed(void **state)
{
	struct lake *lake = *state;
	struct error err = { 0 };
	void *engine = lake->store->engine;

	lake_store_recording(lake, "runs/tool.rec");
	assert_int_equal(store_begin_use(lake->store, &err), 0);
	release(lake);
	assert_ptr_equal(lake->store->engine, engine);
	assert_true(log_of(lake) > 1 << 10); /* a short log stays */
	assert_int_equal(store_end_use(lake->store, 0), 0);
	release(lake);
	assert_true(log_of(lake) < 1 << 10);
	assert_sound(lake);
}

static void a_store_that_is_stopped_stays_so_when_its_memory_is_freed(void **state)
{
	struct lake *lake = *state;
	struct store_rows *rows = NULL;

	store_stop(lake->store);
	release(lake);
	WAIT_FOR((store_rows_free(rows), rows = NULL,
		  lake_try_query(lake, "run", "run=run", &rows, NULL)) == -ECANCELED,
		 "a query to be refused");
	assert_null(rows);
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_ends_a_copy_and_leaves_the_store(void **state)
{
	struct upkeep_sizes sizes;
	struct lake *lake = *state;
	struct error err = { 0 };
	char *made = NULL, left[160];

	fill(lake);
	limit_files(300000);
	assert_int_equal(upkeep_backup(lake->store, &silent, &made, &err), -EIO);
	assert_int_equal(upkeep_compact(lake->store, &silent, &sizes, &err), -EIO);
	limit_files(RLIM_INFINITY);
	snprintf(left, sizeof(left), "%s.work/backup.duckdb", lake->path);
	assert_int_equal(access(left, F_OK), -1);
	assert_filled(lake);
	lake_store_recording(lake, "runs/tool.rec");
	assert_sound(lake);
	assert_int_equal(upkeep_backup(lake->store, &silent, &made, &err), 0);
	free(made);
}

/* The child: copies and compacts again and again, until it is killed. */
static void work_until_killed(const char *path, int begun)
{
	struct store_options options = { .path = path, .threads = 2 };
	struct store *store;

	if (store_open(&store, &options, NULL) || write(begun, "", 1) != 1)
		_exit(1);
	for (;;) {
		struct upkeep_sizes sizes;
		char *made = NULL;

		if (upkeep_backup(store, &silent, &made, NULL) ||
		    upkeep_compact(store, &silent, &sizes, NULL))
			_exit(2);
		free(made);
	}
}

static void a_store_that_is_killed_while_it_is_copied_is_whole(void **state)
{
	struct lake *lake = *state;

	fill(lake);
	for (useconds_t i = 0; i < 4; i++) {
		int fds[2], status;
		char byte;
		pid_t pid;

		lake_close(lake);
		assert_int_equal(pipe(fds), 0);
		pid = fork();
		if (!pid)
			work_until_killed(lake->path, fds[1]);
		close(fds[1]);
		assert_int_equal(read(fds[0], &byte, 1), 1);
		usleep(50000 + i * 150000);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		close(fds[0]);
		lake_open(lake);
		assert_sound(lake);
	}
	assert_filled(lake);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_sound_store_has_no_faults),
		TEST(damaged_blocks_are_found_in_a_store_that_runs),
		TEST(a_backup_of_a_store_that_runs_answers_as_the_store),
		TEST(a_damaged_copy_is_no_backup),
		TEST(a_compacted_store_answers_as_before_and_goes_on),
		TEST(an_idle_store_empties_its_log_and_answers_as_before),
		TEST(a_store_in_use_stays_open_when_its_memory_is_freed),
		TEST(a_store_that_is_stopped_stays_so_when_its_memory_is_freed),
		TEST(a_full_disk_ends_a_copy_and_leaves_the_store),
		TEST(a_store_that_is_killed_while_it_is_copied_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
