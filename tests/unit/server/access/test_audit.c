/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/buffer.h"
#include "base/file.h"
#include "fixture_lake.h"
#include "server/access/audit.h"

static char folder[80];

static int make(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/tracer-audit-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int drop(void **state)
{
	return file_remove_tree(folder);
}

static void write_entry(const char *subject)
{
	const struct audit_entry entry = {
		.who = "uid 0", .action = "forget", .subject = subject, .result = "done"
	};

	assert_int_equal(audit_write(folder, &entry, NULL), 0);
}

/* Joins the subjects that are read. */
static int join(const struct audit_record *record, void *context)
{
	buffer_printf(context, "%s,", record->subject);
	return 0;
}

static void expect_subjects(size_t limit, const char *expected)
{
	struct buffer text;

	buffer_init(&text, 0);
	buffer_append_text(&text, "");
	assert_int_equal(audit_read(folder, limit, join, &text, NULL), 0);
	assert_string_equal(text.data ? text.data : "", expected);
	buffer_clear(&text);
}

static int look(const struct audit_record *record, void *context)
{
	assert_string_equal(record->who, "uid 0");
	assert_string_equal(record->action, "forget");
	assert_string_equal(record->subject, "a \"run\"\nof\x7f");
	assert_string_equal(record->from, "");
	assert_string_equal(record->result, "done");
	assert_true(record->at > 1577836800000000000);
	return 42;
}

static void an_entry_is_one_line_that_only_the_owner_reads(void **state)
{
	char path[112];
	struct stat status;
	char *text;
	size_t len;

	write_entry("a \"run\"\nof\x7f");
	snprintf(path, sizeof(path), "%s/audit.jsonl", folder);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	assert_int_equal(file_read(AT_FDCWD, path, 4096, &text, &len), 0);
	assert_ptr_equal(strchr(text, '\n'), text + len - 1);
	free(text);
	assert_int_equal(audit_read(folder, 10, look, NULL, NULL), 42);
}

static void the_newest_entries_come_first(void **state)
{
	expect_subjects(10, "");
	write_entry("a");
	write_entry("b");
	write_entry("c");
	expect_subjects(10, "c,b,a,");
	expect_subjects(2, "c,b,");
}

static void append_bytes(const char *bytes, size_t len)
{
	char path[112];
	int fd;

	snprintf(path, sizeof(path), "%s/audit.jsonl", folder);
	fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	close(fd);
}

static void a_torn_line_harms_no_other(void **state)
{
	write_entry("a");
	append_bytes("{\"at\":\"20", 9);
	write_entry("b");
	expect_subjects(10, "b,a,");
}

static void a_full_file_is_renamed_and_the_oldest_removed(void **state)
{
	const size_t full = AUDIT_FILE_BYTES;
	char path[112], name[8];
	struct stat status;

	for (int i = 0; i < AUDIT_FILES + 1; i++) {
		snprintf(name, sizeof(name), "%d", i);
		write_entry(name);
		snprintf(path, sizeof(path), "%s/audit.jsonl", folder);
		assert_int_equal(stat(path, &status), 0);
		assert_int_equal(truncate(path, (off_t)full), 0);
	}
	/* The lines are followed by zeros, which are no entry. */
	expect_subjects(100, "5,4,3,2,1,");
	snprintf(path, sizeof(path), "%s/audit.jsonl.%d", folder, AUDIT_FILES);
	assert_int_equal(access(path, F_OK), -1);
}

#define WRITERS 8
#define EACH    20

static int count(const struct audit_record *record, void *context)
{
	++*(size_t *)context;
	return 0;
}

static void processes_that_write_at_once_lose_nothing(void **state)
{
	size_t entries = 0;

	for (int i = 0; i < WRITERS; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			const struct audit_entry entry = { .action = "test" };
			int rc = 0;

			for (int j = 0; rc == 0 && j < EACH; j++)
				rc = audit_write(folder, &entry, NULL);
			_exit(rc != 0);
		}
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(audit_read(folder, 10000, count, &entries, NULL), 0);
	assert_int_equal(entries, WRITERS * EACH);
}

static void a_link_in_its_place_is_refused(void **state)
{
	const struct audit_entry entry = { .action = "test" };
	char path[112], other[112];
	struct error err;

	snprintf(path, sizeof(path), "%s/audit.jsonl", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	assert_int_equal(symlink(other, path), 0);
	assert_int_equal(audit_write(folder, &entry, &err), -ELOOP);
	assert_non_null(strstr(err.text, "audit.jsonl"));
	assert_int_equal(access(other, F_OK), -1);
}

static void the_lake_shows_it_to_an_administrator_alone(void **state)
{
	struct lake lake;
	struct answer answer;
	json_t *body;

	lake_make(&lake);
	lake_start(&lake, NULL);
	snprintf(folder, sizeof(folder), "%s/lake", lake.folder);
	write_entry("a run");
	lake_ask(&lake, "GET", "/api/v1/admin/audit?limit=1", lake.admin, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 200);
	body = json_loadb(answer.body.data, answer.body.len, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(json_object_get(body, "audit"), 0), "subject")),
			    "a run");
	json_decref(body);
	answer_clear(&answer);
	lake_ask(&lake, "GET", "/api/v1/admin/audit", lake.read, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 403);
	answer_clear(&answer);
	assert_int_equal(lake_end(&lake), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_entry_is_one_line_that_only_the_owner_reads,
						make, drop),
		cmocka_unit_test_setup_teardown(the_newest_entries_come_first, make, drop),
		cmocka_unit_test_setup_teardown(a_torn_line_harms_no_other, make, drop),
		cmocka_unit_test_setup_teardown(a_full_file_is_renamed_and_the_oldest_removed, make,
						drop),
		cmocka_unit_test_setup_teardown(processes_that_write_at_once_lose_nothing, make,
						drop),
		cmocka_unit_test_setup_teardown(a_link_in_its_place_is_refused, make, drop),
		cmocka_unit_test(the_lake_shows_it_to_an_administrator_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
