/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* Folders that a process makes, with paths like those that engines give to tasks. */

#define TASK "cdef0123456789abcdef0123456789"

static char base[] = "/tmp/tracer-folder.XXXXXX";

static const char *in(const char *name)
{
	static char paths[8][256];
	static unsigned next;
	char *path = paths[next++ % 8];

	(void)snprintf(path, sizeof(paths[0]), "%s/%s", base, name);
	return path;
}

static void folders_of_tasks_are_reported_as_they_are_made(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *first = in("ab/" TASK), *second = in("12/" TASK);
	const struct watch_record *record;
	uint64_t before_ns = clock_boot_ns();
	int status;
	pid_t pid = watch_run((const char *const[]){ "folders", in("ab"), in("12"), first, second,
						     first, in("ab/" TASK "0"), NULL },
			      &status, NULL);

	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_FOLDER, pid), 2);
	for (size_t i = 0; i < 2; i++) {
		record = watch_find(watch, WATCH_FOLDER, pid, i);
		assert_string_equal(record->folder.path, i ? second : first);
		assert_in_range(record->folder.at_ns, before_ns, clock_boot_ns());
	}
}

static void those_of_processes_that_are_not_tracked_are_not(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	int status;
	pid_t pid;

	assert_int_equal(mkdir(in("fe"), 0700), 0);
	assert_int_equal(mkdir(in("fe/" TASK), 0700), 0);
	pid = watch_run((const char *const[]){ "nothing", NULL }, &status, NULL);
	watch_until_exit(watch, pid);
	for (size_t i = 0; i < watch->count; i++)
		assert_int_not_equal(watch->records[i].kind, WATCH_FOLDER);
}

static int setup(void **state)
{
	return mkdtemp(base) ? 0 : -1;
}

static int teardown(void **state)
{
	static const char *const names[] = { "ab/" TASK, "ab/" TASK "0", "12/" TASK, "fe/" TASK,
					     "ab",       "12",           "fe",       "" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (rmdir(in(names[i])))
			return -1;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_of_tasks_are_reported_as_they_are_made),
		cmocka_unit_test(those_of_processes_that_are_not_tracked_are_not),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
