/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

static char folder[] = "/tmp/tracer-test-file-XXXXXX";
static char path[128];

static const char *in_folder(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int make(void **state)
{
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	return mkdtemp(folder) ? 0 : -1;
}

static int destroy(void **state)
{
	return file_remove_tree(folder);
}

static void what_was_written_is_read(void **state)
{
	CLEANUP(freep) char *bytes = NULL;
	struct stat info;
	size_t len = 0;

	assert_int_equal(file_write(in_folder("a"), "x\0y", 3, 0600, NULL), 0);
	assert_int_equal(file_write(path, "z\0", 2, 0640, NULL), 0);
	assert_int_equal(file_read(AT_FDCWD, path, 2, &bytes, &len), 0);
	assert_int_equal(len, 2);
	assert_memory_equal(bytes, "z\0", 3);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
}

static void a_file_of_the_limit_is_read_and_one_more_byte_is_too_big(void **state)
{
	static char bytes[10000];
	CLEANUP(freep) char *read = NULL;
	size_t len = 0;

	memset(bytes, 'x', sizeof(bytes));
	file_write(in_folder("a"), bytes, sizeof(bytes), 0600, NULL);
	assert_int_equal(file_read(AT_FDCWD, path, 9999, &read, &len), -EFBIG);
	assert_null(read);
	assert_int_equal(file_read(AT_FDCWD, path, 10000, &read, &len), 0);
	assert_int_equal(len, 10000);
}

static void an_empty_file_is_an_empty_text_at_any_limit(void **state)
{
	CLEANUP(freep) char *read = NULL;
	size_t len = 1;

	file_write(in_folder("a"), "", 0, 0600, NULL);
	assert_int_equal(file_read(AT_FDCWD, path, 0, &read, &len), 0);
	assert_string_equal(read, "");
	assert_int_equal(len, 0);
}

static void files_of_the_kernel_that_say_no_size_are_read(void **state)
{
	CLEANUP(freep) char *read = NULL;
	size_t len = 0;

	assert_int_equal(file_read(AT_FDCWD, "/proc/self/status", 1 << 20, &read, &len), 0);
	assert_int_equal(strncmp(read, "Name:", 5), 0);
}

static void what_cannot_be_read_says_why(void **state)
{
	char *read = NULL;
	size_t len;

	assert_int_equal(file_read(AT_FDCWD, in_folder("none"), 10, &read, &len), -ENOENT);
	assert_int_equal(file_read(AT_FDCWD, folder, 10, &read, &len), -EISDIR);
	assert_null(read);
}

static void a_path_is_relative_to_the_folder_given(void **state)
{
	CLEANUP(freep) char *read = NULL;
	CLEANUP(closep) int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t len;

	file_write(in_folder("a"), "hello", 5, 0600, NULL);
	assert_int_equal(file_read(fd, "a", 10, &read, &len), 0);
	assert_string_equal(read, "hello");
}

static size_t entries(void)
{
	DIR *open_folder = opendir(folder);
	size_t count = 0;

	while (readdir(open_folder))
		count++;
	closedir(open_folder);
	return count - 2; /* "." and ".." */
}

static void a_write_that_fails_leaves_the_old_file_and_no_other(void **state)
{
	CLEANUP(freep) char *read = NULL;
	struct rlimit limit;
	struct error err;
	size_t len;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(file_write(in_folder("a"), "old", 3, 0600, NULL), 0);
	{
		CLEANUP(freep) char *large = calloc(1, 1 << 20);

		limit.rlim_cur = 64 << 10;
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		assert_int_equal(file_write(path, large, 1 << 20, 0600, &err), -EFBIG);
		limit.rlim_cur = limit.rlim_max;
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	}
	assert_non_null(strstr(err.text, path));
	assert_int_equal(file_read(AT_FDCWD, path, 10, &read, &len), 0);
	assert_string_equal(read, "old");
	assert_int_equal(entries(), 1);
}

static void writing_where_no_folder_is_fails_in_words(void **state)
{
	struct error err;

	assert_int_equal(file_write(in_folder("no/a"), "x", 1, 0600, &err), -ENOENT);
	assert_non_null(strstr(err.text, "No such file"));
}

static void folders_are_made_with_those_above_them(void **state)
{
	struct stat info;

	assert_int_equal(file_make_folder(in_folder("a/b//c/"), 0700, NULL), 0);
	assert_int_equal(file_make_folder(path, 0700, NULL), 0);
	assert_int_equal(stat(in_folder("a/b/c"), &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	assert_int_equal(stat(in_folder("a"), &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
}

static void a_file_in_the_way_of_a_folder_is_said(void **state)
{
	struct error err;

	file_write(in_folder("a"), "", 0, 0600, NULL);
	assert_int_equal(file_make_folder(path, 0700, &err), -ENOTDIR);
	assert_int_equal(file_make_folder(in_folder("a/b"), 0700, &err), -ENOTDIR);
	assert_non_null(strstr(err.text, "Not a directory"));
}

static void a_tree_is_removed_and_links_are_not_followed(void **state)
{
	CLEANUP(freep) char *read = NULL;
	char link[128];
	size_t len;

	file_make_folder(in_folder("keep"), 0700, NULL);
	file_write(in_folder("keep/a"), "x", 1, 0600, NULL);
	file_make_folder(in_folder("tree/b/c"), 0700, NULL);
	file_write(in_folder("tree/b/d"), "x", 1, 0600, NULL);
	snprintf(link, sizeof(link), "%s/tree/b/link", folder);
	assert_int_equal(symlink(in_folder("keep"), link), 0);
	assert_int_equal(file_remove_tree(in_folder("tree")), 0);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(file_read(AT_FDCWD, in_folder("keep/a"), 1, &read, &len), 0);
}

static void removing_what_is_not_there_is_fine_and_a_link_goes_itself(void **state)
{
	CLEANUP(freep) char *target = strdup(in_folder("keep"));

	assert_int_equal(file_remove_tree(in_folder("none")), 0);
	file_make_folder(target, 0700, NULL);
	assert_int_equal(symlink(target, in_folder("link")), 0);
	assert_int_equal(file_remove_tree(path), 0);
	assert_int_equal(access(target, F_OK), 0);
}

static void a_tree_deeper_than_the_cap_is_refused(void **state)
{
	CLEANUP(closep) int top = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int at = dup(top);

	for (int i = 0; i < 140; i++) {
		int next;

		assert_int_equal(mkdirat(at, "d", 0700), 0);
		next = openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(at);
		at = next;
	}
	close(at);
	assert_int_equal(file_remove_tree(in_folder("d")), -ELOOP);
	/* Brought within the cap from above, it goes. */
	assert_int_equal(renameat(top, "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d", top, "e"), 0);
	assert_int_equal(file_remove_tree(in_folder("e")), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_written_is_read, make, destroy),
		cmocka_unit_test_setup_teardown(
			a_file_of_the_limit_is_read_and_one_more_byte_is_too_big, make, destroy),
		cmocka_unit_test_setup_teardown(an_empty_file_is_an_empty_text_at_any_limit, make,
						destroy),
		cmocka_unit_test_setup_teardown(files_of_the_kernel_that_say_no_size_are_read, make,
						destroy),
		cmocka_unit_test_setup_teardown(what_cannot_be_read_says_why, make, destroy),
		cmocka_unit_test_setup_teardown(a_path_is_relative_to_the_folder_given, make,
						destroy),
		cmocka_unit_test_setup_teardown(a_write_that_fails_leaves_the_old_file_and_no_other,
						make, destroy),
		cmocka_unit_test_setup_teardown(writing_where_no_folder_is_fails_in_words, make,
						destroy),
		cmocka_unit_test_setup_teardown(folders_are_made_with_those_above_them, make,
						destroy),
		cmocka_unit_test_setup_teardown(a_file_in_the_way_of_a_folder_is_said, make,
						destroy),
		cmocka_unit_test_setup_teardown(a_tree_is_removed_and_links_are_not_followed, make,
						destroy),
		cmocka_unit_test_setup_teardown(
			removing_what_is_not_there_is_fine_and_a_link_goes_itself, make, destroy),
		cmocka_unit_test_setup_teardown(a_tree_deeper_than_the_cap_is_refused, make,
						destroy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
