/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "lake/store/ingest/batch_log.h"
#include "signal/segment.h"

/* The log alone. Entry n is ENTRY_BYTES of n. */
#define ENTRY_BYTES (1u << 20)
#define MANY        20 /* of them are more than two files */

static char folder[64];
static char payload[ENTRY_BYTES];

static int make_folder(void **state)
{
	strcpy(folder, "/tmp/tracer-batch-log-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	return file_remove_tree(folder);
}

static struct batch_log *open_log(void)
{
	struct batch_log *log = NULL;
	struct error err = { "" };

	if (batch_log_open(&log, folder, &err))
		fail_msg("open: %s", error_text(&err));
	return log;
}

static int count_entry(const struct batch_log_entry *entry, void *context)
{
	uint64_t *expected = context;
	const unsigned char *bytes = entry->packed;

	assert_int_equal(entry->order, *expected);
	assert_int_equal(entry->len, ENTRY_BYTES);
	assert_int_equal(bytes[0], *expected);
	assert_int_equal(bytes[ENTRY_BYTES - 1], *expected);
	++*expected;
	return 0;
}

/* All entries from `first` to `last`, and no other. */
static void assert_entries(struct batch_log *log, uint64_t first, uint64_t last)
{
	uint64_t next = first;

	assert_int_equal(batch_log_visit(log, count_entry, &next, NULL), 0);
	assert_int_equal(next, last + 1);
}

static void append(struct batch_log *log, uint64_t first, uint64_t last)
{
	for (uint64_t i = first; i <= last; i++) {
		uint64_t order = 0;

		memset(payload, (int)i, sizeof(payload));
		assert_int_equal(batch_log_append(log, payload, sizeof(payload), &order, NULL), 0);
		assert_int_equal(order, i);
	}
	assert_int_equal(batch_log_sync(log, NULL), 0);
}

/* Of its files: how many, and the name of the last; their bytes. */
static size_t files(char name[300], size_t *ret_bytes)
{
	DIR *list = opendir(folder);
	size_t count = 0;

	assert_non_null(list);
	*ret_bytes = 0;
	name[0] = '\0';
	for (const struct dirent *entry; (entry = readdir(list));) {
		struct stat info;

		if (entry->d_name[0] == '.')
			continue;
		assert_int_equal(fstatat(dirfd(list), entry->d_name, &info, 0), 0);
		*ret_bytes += (size_t)info.st_size;
		if (strcmp(entry->d_name, name) > 0)
			(void)snprintf(name, 300, "%s", entry->d_name);
		count++;
	}
	closedir(list);
	return count;
}

static int open_last(void)
{
	char name[300], path[400];
	size_t bytes;
	int fd;

	assert_true(files(name, &bytes) > 0);
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

static void entries_come_back_in_order_from_several_files(void **state)
{
	struct batch_log *log = open_log();
	char name[300];
	size_t bytes;

	assert_entries(log, 1, 0);
	append(log, 1, MANY);
	assert_true(files(name, &bytes) > 2);
	batch_log_close(log);
	log = open_log();
	assert_entries(log, 1, MANY);
	append(log, MANY + 1, MANY + 2);
	batch_log_close(log);
	log = open_log();
	assert_entries(log, 1, MANY + 2);
	batch_log_close(log);
}

static void what_was_not_read_is_kept(void **state)
{
	struct batch_log *log = open_log();

	append(log, 1, 3);
	batch_log_close(log);
	log = open_log();
	batch_log_cut(log);
	batch_log_close(log);
	log = open_log();
	assert_entries(log, 1, 3);
	batch_log_close(log);
}

static void what_is_stored_goes(void **state)
{
	struct batch_log *log = open_log();
	char name[300];
	size_t bytes;

	append(log, 1, MANY);
	batch_log_release(log, MANY - 1);
	for (int i = 0; i < MANY; i++) /* removes a file each time */
		assert_int_equal(batch_log_sync(log, NULL), 0);
	assert_int_equal(files(name, &bytes), 1);
	batch_log_close(log);
	log = open_log();
	assert_entries(log, MANY - (bytes / ENTRY_BYTES - 1), MANY);
	batch_log_release(log, MANY);
	append(log, MANY + 1, MANY + 1);
	batch_log_release(log, MANY + 1);
	assert_int_equal(files(name, &bytes), 1);
	assert_int_equal(bytes, 0);
	batch_log_close(log);
	assert_int_equal(files(name, &bytes), 0);
}

static void a_torn_end_is_passed_over(void **state)
{
	struct batch_log *log = open_log();
	struct stat info;
	int fd;

	append(log, 1, 3);
	batch_log_close(log);
	fd = open_last();
	assert_int_equal(fstat(fd, &info), 0);
	assert_int_equal(ftruncate(fd, info.st_size - 1), 0);
	close(fd);
	log = open_log();
	assert_entries(log, 1, 2);
	append(log, 3, 3); /* its number is free again */
	batch_log_close(log);
	log = open_log();
	assert_entries(log, 1, 3);
	batch_log_close(log);
}

static int count_any(const struct batch_log_entry *entry, void *context)
{
	*(uint64_t *)context += entry->order;
	return 0;
}

static void entries_around_a_damaged_one_are_read(void **state)
{
	struct batch_log *log = open_log();
	uint64_t sum = 0;
	int fd;

	append(log, 1, 3);
	batch_log_close(log);
	fd = open_last();
	assert_int_equal(
		pwrite(fd, "damaged", 7, (off_t)segment_entry_size(ENTRY_BYTES) + ENTRY_BYTES / 2),
		7);
	close(fd);
	log = open_log();
	assert_int_equal(batch_log_visit(log, count_any, &sum, NULL), 0);
	assert_int_equal(sum, 1 + 3);
	batch_log_close(log);
}

static void a_link_in_its_place_is_refused(void **state)
{
	struct batch_log *log = NULL;
	char path[100];

	(void)snprintf(path, sizeof(path), "%s/%016x.log", folder, 1);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_int_equal(batch_log_open(&log, folder, NULL), -EPERM);
	assert_null(log);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
	const struct CMUnitTest tests[] = {
		TEST(entries_come_back_in_order_from_several_files),
		TEST(what_was_not_read_is_kept),
		TEST(what_is_stored_goes),
		TEST(a_torn_end_is_passed_over),
		TEST(entries_around_a_damaged_one_are_read),
		TEST(a_link_in_its_place_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
