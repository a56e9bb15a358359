/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/attribution/task_file.h"

#define NAME ".command.run"
#define GONE 0x7fffffffU /* no process */

static char folder[] = "/tmp/tracer-task-file.XXXXXX";
static char text[TASK_FILE_BYTES + 1];

static int setup(void **state)
{
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	(void)unlink(NAME);
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void write_file(const char *bytes, size_t len)
{
	int fd = open(NAME, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

static void the_file_is_read_beside_the_process_and_after_it(void **state)
{
	write_file("### name: 'A'\n", 14);
	assert_int_equal(task_file_read((uint32_t)getpid(), "", NAME, text), 0);
	assert_string_equal(text, "### name: 'A'\n");
	memset(text, 0, sizeof(text));
	assert_int_equal(task_file_read(GONE, folder, NAME, text), 0);
	assert_string_equal(text, "### name: 'A'\n");
	assert_int_equal(task_file_read(GONE, "", NAME, text), -ENOENT);
	assert_int_equal(task_file_read(GONE, "relative", NAME, text), -ENOENT);
}

static void of_a_long_one_the_head_is_read(void **state)
{
	static char bytes[TASK_FILE_BYTES * 2];

	memset(bytes, 'x', sizeof(bytes));
	write_file(bytes, sizeof(bytes));
	assert_int_equal(task_file_read((uint32_t)getpid(), "", NAME, text), 0);
	assert_int_equal(strlen(text), TASK_FILE_BYTES);
}

static void what_is_no_plain_file_is_not_read(void **state)
{
	(void)unlink(NAME);
	assert_int_equal(task_file_read((uint32_t)getpid(), "", NAME, text), -ENOENT);
	assert_int_equal(symlink("/etc/passwd", NAME), 0);
	assert_int_equal(task_file_read((uint32_t)getpid(), "", NAME, text), -ELOOP);
	unlink(NAME);
	assert_int_equal(mkfifo(NAME, 0600), 0);
	assert_int_equal(task_file_read((uint32_t)getpid(), "", NAME, text), -EINVAL);
	unlink(NAME);
	assert_int_equal(mkdir(NAME, 0700), 0);
	assert_int_equal(task_file_read((uint32_t)getpid(), "", NAME, text), -EINVAL);
	rmdir(NAME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_is_read_beside_the_process_and_after_it),
		cmocka_unit_test(of_a_long_one_the_head_is_read),
		cmocka_unit_test(what_is_no_plain_file_is_not_read),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
