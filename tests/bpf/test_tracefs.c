/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "probe/load/tracefs.h"

static size_t mounts(void)
{
	CLEANUP(fclosep) FILE *file = fopen("/proc/self/mountinfo", "re");
	char line[4096];
	size_t count = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		count++;
	return count;
}

static void ids_of_system_calls_are_found_without_a_mount_to_be_seen(void **state)
{
	size_t before = mounts();
	CLEANUP(closep) int folder = tracefs_open();
	int execve_id, openat_id;

	assert_true(folder >= 0);
	execve_id = tracefs_id(folder, "syscalls", "sys_exit_execve");
	openat_id = tracefs_id(folder, "syscalls", "sys_exit_openat");
	assert_true(execve_id > 0);
	assert_true(openat_id > 0);
	assert_int_not_equal(execve_id, openat_id);
	assert_int_equal(mounts(), before);
}

static void a_name_that_the_kernel_does_not_have_is_reported(void **state)
{
	CLEANUP(closep) int folder = tracefs_open();

	assert_int_equal(tracefs_id(folder, "syscalls", "sys_exit_nothing"), -ENOENT);
	assert_int_equal(tracefs_id(-1, "syscalls", "sys_exit_execve"), -EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_of_system_calls_are_found_without_a_mount_to_be_seen),
		cmocka_unit_test(a_name_that_the_kernel_does_not_have_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
