/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "cli/report/logs/snakemake_log.h"

static char folder[] = "/tmp/tracer-log.XXXXXX";

/* A log that was last written at an instant. */
static void make(const char *name, time_t at)
{
	const struct timespec times[2] = { { .tv_sec = at }, { .tv_sec = at } };
	char path[128];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/.snakemake/log/%s", folder, name);
	fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(futimens(fd, times), 0);
	assert_int_equal(close(fd), 0);
}

static int make_folder(void **state)
{
	char path[64];

	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/.snakemake/log", folder);
	return file_make_folder(path, 0700, NULL);
}

static int remove_folder(void **state)
{
	return file_remove_tree(folder);
}

static void finds(const char *since, const char *until, const char *expected)
{
	char path[128] = "";
	bool found = snakemake_log_find(folder, since, until, path, sizeof(path));

	assert_int_equal(found, *expected != '\0');
	if (found)
		assert_string_equal(strrchr(path, '/') + 1, expected);
}

static void the_newest_log_of_the_time_of_the_run_is_found(void **state)
{
	make("1.snakemake.log", 1000000000); /* 2001-09-09T01:46:40 */
	make("2.snakemake.log", 1000000100);
	make("3.snakemake.log", 1000000300);
	make("4.log", 1000000050);
	finds("2001-09-09T01:46:00.5Z", "2001-09-09T01:46:41Z", "1.snakemake.log");
	finds("2001-09-09T01:46:00Z", "2001-09-09T01:48:00Z", "2.snakemake.log");
	finds("2001-09-09T01:46:00Z", "", "3.snakemake.log");
	finds("2001-09-09T01:52:00Z", "", "");
	finds("2001-09-09T01:40:00Z", "2001-09-09T01:41:00Z", "");
}

static void links_and_missing_folders_are_none(void **state)
{
	char path[128], link_path[128];

	(void)snprintf(link_path, sizeof(link_path), "%s/.snakemake/log/9.snakemake.log", folder);
	assert_int_equal(symlink("/etc/passwd", link_path), 0);
	finds("2020-01-01T00:00:00Z", "", "");
	assert_false(snakemake_log_find("", "", "", path, sizeof(path)));
	assert_false(snakemake_log_find("relative", "", "", path, sizeof(path)));
	assert_false(snakemake_log_find("/nonexistent", "", "", path, sizeof(path)));
	assert_false(snakemake_log_find(folder, "2001-09-09T01:46:00Z", "", path, 10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_log_of_the_time_of_the_run_is_found),
		cmocka_unit_test(links_and_missing_folders_are_none),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
