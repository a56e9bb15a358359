/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "collect/attribution/root_image_store.h"

static const char *const words[] = { "tracer", "run", "--name", "", "--", "bash", NULL };
static const struct probe_key key = { .pid = 12, .start_ns = 3400000000 };

struct place_of_test {
	char folder[64], file[128], other[128];
	struct root_image_store *store;
};

static void open_again(struct place_of_test *test)
{
	root_image_store_close(test->store);
	test->store = NULL;
	assert_int_equal(root_image_store_open(&test->store, test->folder, NULL), 0);
}

static void begin(struct place_of_test *test)
{
	*test = (struct place_of_test){ .folder = "/tmp/tracer-begun-XXXXXX" };
	assert_non_null(mkdtemp(test->folder));
	(void)snprintf(test->file, sizeof(test->file), "%s/begun/12-3400000000", test->folder);
	(void)snprintf(test->other, sizeof(test->other), "%s/other", test->folder);
	open_again(test);
}

static void end(struct place_of_test *test)
{
	root_image_store_close(test->store);
	file_remove_tree(test->folder);
}

static struct tree_image image_of(uint32_t pid, const char *const *argv, size_t argc)
{
	return (struct tree_image){ .pid = pid,
				    .ppid = 7,
				    .start_ns = 3400000000,
				    .image_seq = 9,
				    .exe = "/usr/bin/tracer",
				    .cwd = "/data",
				    .argv = argv,
				    .argc = argc,
				    .uid = 1000,
				    .root_kind = RUN_ROOT_SESSION,
				    .started_at = -5 };
}

static void keep(struct place_of_test *test)
{
	const struct tree_image image = image_of(12, words, 6);

	assert_int_equal(root_image_store_keep(test->store, &image), 0);
}

static void what_was_kept_is_there_after_a_restart(void **state)
{
	CLEANUP(end) struct place_of_test test;
	struct stored_image saved;
	struct stat info;

	begin(&test);
	keep(&test);
	keep(&test); /* one file a process */
	open_again(&test);
	assert_int_equal(root_image_store_count(test.store), 1);
	assert_true(root_image_store_has(test.store, &key));
	assert_int_equal(root_image_store_get(test.store, &key, &saved), 0);
	assert_int_equal(saved.image.pid, 12);
	assert_int_equal(saved.image.ppid, 7);
	assert_int_equal(saved.image.start_ns, 3400000000);
	assert_int_equal(saved.image.image_seq, 9);
	assert_int_equal(saved.image.uid, 1000);
	assert_int_equal(saved.image.started_at, -5);
	assert_int_equal(saved.image.root_kind, RUN_ROOT_SESSION);
	assert_string_equal(saved.image.exe, "/usr/bin/tracer");
	assert_string_equal(saved.image.cwd, "/data");
	assert_int_equal(saved.image.argc, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(saved.image.argv[i], words[i]);
	assert_null(saved.image.argv[6]);
	stored_image_clear(&saved);
	assert_int_equal(stat(test.file, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	root_image_store_settle(test.store);
	assert_true(root_image_store_has(test.store, &key));
}

static void what_has_ended_has_no_file(void **state)
{
	CLEANUP(end) struct place_of_test test;

	begin(&test);
	keep(&test);
	root_image_store_settle(test.store); /* kept since the start: it lives */
	assert_int_equal(access(test.file, F_OK), 0);
	root_image_store_forget(test.store, &key);
	assert_int_equal(access(test.file, F_OK), -1);
	assert_false(root_image_store_has(test.store, &key));

	keep(&test);
	open_again(&test);
	root_image_store_settle(test.store); /* not found since the start */
	assert_int_equal(access(test.file, F_OK), -1);
	assert_int_equal(root_image_store_count(test.store), 0);
}

static void another_process_with_the_same_pid_is_another(void **state)
{
	CLEANUP(end) struct place_of_test test;
	const struct probe_key later = { .pid = 12, .start_ns = 3400000001 };
	struct stored_image saved;

	begin(&test);
	keep(&test);
	assert_false(root_image_store_has(test.store, &later));
	assert_int_equal(root_image_store_get(test.store, &later, &saved), -ENOENT);
}

/* Every prefix, and every byte changed: given whole or not at all. */
static void a_damaged_file_is_removed_and_was_never_there(void **state)
{
	CLEANUP(end) struct place_of_test test;
	CLEANUP(freep) char *bytes = NULL;
	struct stored_image saved;
	size_t len, refused = 0;

	begin(&test);
	keep(&test);
	assert_int_equal(file_read(-1, test.file, ROOT_IMAGE_BYTES, &bytes, &len), 0);
	for (size_t cut = 0; cut < len; cut++) {
		assert_int_equal(file_write(test.file, bytes, cut, 0600, NULL), 0);
		open_again(&test);
		assert_int_equal(root_image_store_get(test.store, &key, &saved), -ENOENT);
		assert_int_equal(access(test.file, F_OK), -1);
	}
	for (size_t i = 0; i < len; i++) {
		bytes[i] = (char)~bytes[i];
		assert_int_equal(file_write(test.file, bytes, len, 0600, NULL), 0);
		bytes[i] = (char)~bytes[i];
		open_again(&test);
		if (root_image_store_get(test.store, &key, &saved) == 0)
			stored_image_clear(&saved);
		else
			refused++;
	}
	assert_true(refused >= 4 + 4 + 8 + 4 + 4 + 8); /* magic, pid, start, counts, every NUL */
}

static void a_link_a_foreign_name_and_a_long_file_are_removed(void **state)
{
	CLEANUP(end) struct place_of_test test;
	CLEANUP(freep) char *bytes = NULL, *zeros = calloc(1, ROOT_IMAGE_BYTES + 1);
	static const char *const names[] = { "012-5", "12", "-5", "12-5x", "4294967296-5", "new" };
	struct stored_image saved;
	char path[160];
	size_t len;

	begin(&test);
	keep(&test);
	assert_int_equal(file_read(-1, test.file, ROOT_IMAGE_BYTES, &bytes, &len), 0);
	assert_int_equal(rename(test.file, test.other), 0);
	assert_int_equal(symlink(test.other, test.file), 0);
	open_again(&test);
	assert_int_equal(root_image_store_get(test.store, &key, &saved), -ENOENT);
	assert_int_equal(access(test.file, F_OK), -1);
	assert_int_equal(access(test.other, F_OK), 0); /* what it led to is unharmed */
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		(void)snprintf(path, sizeof(path), "%s/begun/%s", test.folder, names[i]);
		assert_int_equal(file_write(path, bytes, len, 0600, NULL), 0);
		open_again(&test);
		assert_int_equal(root_image_store_count(test.store), 0);
		assert_int_equal(access(path, F_OK), -1);
	}
	assert_int_equal(file_write(test.file, zeros, ROOT_IMAGE_BYTES + 1, 0600, NULL), 0);
	assert_int_equal(mkfifo(path, 0600), 0); /* "new": no process waits for it */
	open_again(&test);
	assert_int_equal(root_image_store_get(test.store, &key, &saved), -ENOENT);
	keep(&test);
}

static void arguments_that_do_not_fit_are_left_out(void **state)
{
	CLEANUP(end) struct place_of_test test;
	CLEANUP(freep) char *big = calloc(1, ROOT_IMAGE_BYTES);
	const char *argv[] = { "tracer", "run", big, "behind", NULL };
	const struct tree_image image = image_of(12, argv, 4);
	struct stored_image saved;
	struct stat info;

	begin(&test);
	memset(big, 'x', ROOT_IMAGE_BYTES - 1);
	assert_int_equal(root_image_store_keep(test.store, &image), 0);
	assert_int_equal(stat(test.file, &info), 0);
	assert_true(info.st_size <= ROOT_IMAGE_BYTES);
	open_again(&test);
	assert_int_equal(root_image_store_get(test.store, &key, &saved), 0);
	assert_int_equal(saved.image.argc, 2);
	stored_image_clear(&saved);
}

static void there_is_a_limit_to_how_many_are_kept(void **state)
{
	CLEANUP(end) struct place_of_test test;
	struct tree_image image = image_of(0, words, 6);

	begin(&test);
	for (uint32_t pid = 1; pid <= ROOT_IMAGE_STORE_LIMIT; pid++) {
		image.pid = pid;
		assert_int_equal(root_image_store_keep(test.store, &image), 0);
	}
	image.pid++;
	assert_int_equal(root_image_store_keep(test.store, &image), -ENOSPC);
	assert_int_equal(root_image_store_count(test.store), ROOT_IMAGE_STORE_LIMIT);
	root_image_store_forget(test.store, &key);
	assert_int_equal(root_image_store_keep(test.store, &image), 0);
}

static void none_keeps_and_knows_nothing(void **state)
{
	const struct tree_image image = image_of(12, words, 6);
	struct stored_image saved;

	assert_int_equal(root_image_store_keep(NULL, &image), 0);
	assert_false(root_image_store_has(NULL, &key));
	assert_int_equal(root_image_store_get(NULL, &key, &saved), -ENOENT);
	root_image_store_forget(NULL, &key);
	root_image_store_settle(NULL);
	assert_int_equal(root_image_store_count(NULL), 0);
	root_image_store_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_kept_is_there_after_a_restart),
		cmocka_unit_test(what_has_ended_has_no_file),
		cmocka_unit_test(another_process_with_the_same_pid_is_another),
		cmocka_unit_test(a_damaged_file_is_removed_and_was_never_there),
		cmocka_unit_test(a_link_a_foreign_name_and_a_long_file_are_removed),
		cmocka_unit_test(arguments_that_do_not_fit_are_left_out),
		cmocka_unit_test(there_is_a_limit_to_how_many_are_kept),
		cmocka_unit_test(none_keeps_and_knows_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
