/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "collect/attribution/file_helper.h"
#include "collect/attribution/output_record.h"
#include "collect/attribution/task_file.h"

#define NAME ".command.run"
#define GONE 0x7fffffffU /* no process */

DEFINE_CLEANUP(struct file_helper *, file_helper_free)

static char folder[] = "/tmp/tracer-file-helper.XXXXXX";
static char hanging[64];
static char text[TASK_FILE_BYTES + 1];

/* A FUSE file system with a program that answers nothing: as NFS does without its server. */
static void mount_hanging(void)
{
	char options[128];
	int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	assert_true(fuse >= 0);
	(void)snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
	assert_int_equal(mount("hanging", hanging, "fuse", 0, options), 0);
}

static int setup(void **state)
{
	int fd;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(unshare(CLONE_NEWNS), 0);
	assert_int_equal(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	assert_int_equal(mount("tmpfs", folder, "tmpfs", 0, NULL), 0);
	(void)snprintf(hanging, sizeof(hanging), "%s/hanging", folder);
	assert_int_equal(mkdir(hanging, 0755), 0);
	mount_hanging();
	assert_int_equal(chdir(folder), 0);
	fd = open(NAME, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "### name: 'A'\n", 14), 14);
	close(fd);
	return 0;
}

static int teardown(void **state)
{
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(umount2(hanging, MNT_DETACH), 0);
	assert_int_equal(umount2(folder, MNT_DETACH), 0);
	return rmdir(folder);
}

static void a_file_is_read_beside_a_living_process(void **state)
{
	CLEANUP(file_helper_freep) struct file_helper *helper = file_helper_new();

	for (int i = 0; i < 3; i++) {
		assert_int_equal(task_file_ask(helper, (uint32_t)getpid(), "/", NAME, text), 0);
		assert_string_equal(text, "### name: 'A'\n");
	}
	assert_int_equal(task_file_ask(helper, (uint32_t)getpid(), "/", "none", text), -ENOENT);
}

static void a_hanging_file_system_holds_nobody(void **state)
{
	CLEANUP(file_helper_freep) struct file_helper *helper = file_helper_new();

	assert_int_equal(task_file_ask(helper, GONE, hanging, NAME, text), -ETIMEDOUT);
	assert_int_equal(task_file_ask(helper, GONE, hanging, NAME, text), -EAGAIN);
	assert_int_equal(task_file_ask(helper, (uint32_t)getpid(), "/", NAME, text), 0);
	assert_string_equal(text, "### name: 'A'\n");
}

static void a_record_in_one_holds_nobody(void **state)
{
	CLEANUP(file_helper_freep) struct file_helper *helper = file_helper_new();
	CLEANUP(closep) int place = open(hanging, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char rule[RULE_NAME_BYTES];

	assert_true(place >= 0);
	assert_int_equal(output_record_ask(helper, 1, place, ".snakemake/a", 0, 0, rule),
			 -ETIMEDOUT);
	assert_int_equal(output_record_ask(helper, 1, place, ".snakemake/a", 0, 0, rule), -EAGAIN);
}

/* More places than it keeps: the oldest is asked again, and gives no answer again. */
static void places_that_hang_are_bounded(void **state)
{
	CLEANUP(file_helper_freep) struct file_helper *helper = file_helper_new();
	CLEANUP(closep) int place = open(hanging, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char rule[RULE_NAME_BYTES];
	int result;

	for (uint64_t i = 1; i <= FILE_HELPER_PLACES + 1; i++) {
		do { /* those that were killed may not be gone yet */
			result = output_record_ask(helper, i, place, "a", 0, 0, rule);
		} while (result == -EBUSY);
		assert_int_equal(result, -ETIMEDOUT);
	}
	do {
		result = output_record_ask(helper, 1, place, "a", 0, 0, rule);
	} while (result == -EBUSY);
	assert_int_equal(result, -ETIMEDOUT);
	assert_int_equal(output_record_ask(helper, FILE_HELPER_PLACES + 1, place, "a", 0, 0, rule),
			 -EAGAIN);
}

static int answer_with_folder(const void *about, int given, void *answer, size_t size, int *ret_fd)
{
	*ret_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return 0;
}

static int die(const void *about, int given, void *answer, size_t size, int *ret_fd)
{
	_exit(1);
}

static void a_descriptor_is_handed_over_and_one_that_died_is_replaced(void **state)
{
	CLEANUP(file_helper_freep) struct file_helper *helper = file_helper_new();
	struct file_helper_question asked = {
		.read = answer_with_folder, .about = "", .len = 1, .folder = -1, .place = 1
	};
	struct stat got, wanted;
	char nothing;
	int fd;

	assert_int_equal(file_helper_ask(helper, &asked, &nothing, 1, &fd), 0);
	assert_int_equal(fstat(fd, &got), 0);
	assert_int_equal(stat(folder, &wanted), 0);
	assert_int_equal(got.st_ino, wanted.st_ino);
	close(fd);
	asked.read = die;
	assert_int_equal(file_helper_ask(helper, &asked, &nothing, 1, NULL), -EPIPE);
	asked.read = answer_with_folder;
	assert_int_equal(file_helper_ask(helper, &asked, &nothing, 1, NULL), 0);
	asked.len = FILE_HELPER_QUESTION + 1;
	assert_int_equal(file_helper_ask(helper, &asked, &nothing, 1, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_beside_a_living_process),
		cmocka_unit_test(a_hanging_file_system_holds_nobody),
		cmocka_unit_test(a_record_in_one_holds_nobody),
		cmocka_unit_test(places_that_hang_are_bounded),
		cmocka_unit_test(a_descriptor_is_handed_over_and_one_that_died_is_replaced),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
