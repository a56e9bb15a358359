/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* Runs the driver's steps to their end: its failed opens, or NULL. */
#define SEEN(watch, ...) seen_of(watch, (const char *const[]){ "opens", __VA_ARGS__, NULL })

static const struct probe_opens *seen_of(struct watch *watch, const char *const *arguments)
{
	const struct watch_record *record;
	int status;
	pid_t pid = watch_run(arguments, &status, NULL);

	watch_until_exit(watch, pid);
	assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 99);
	record = watch_find(watch, WATCH_OPENS, pid, 0);
	assert_true(watch_count(watch, WATCH_OPENS, pid) <= 1);
	if (!record)
		return NULL;
	assert_true(record->order < watch_find(watch, WATCH_EXIT, pid, 0)->order);
	return &record->opens;
}

/* Only this one. */
static const struct probe_open *only(const struct probe_opens *seen)
{
	assert_non_null(seen);
	assert_int_equal(seen->count, 1);
	return &seen->last[0];
}

static void a_missing_file_is_reported_when_the_process_fails(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	uint64_t before_ns = clock_boot_ns();
	const struct probe_open *open = only(SEEN(watch, "1", "/tmp/no/such"));

	assert_string_equal(open->path, "/tmp/no/such");
	assert_int_equal(open->error, ENOENT);
	assert_false(open->in_cwd);
	assert_in_range(open->at_ns, before_ns, clock_boot_ns());
}

static void a_process_that_succeeds_reports_nothing(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	assert_null(SEEN(watch, "0", "/tmp/no/such", "/dev/null"));
	assert_null(SEEN(watch, "1", "/dev/null"));
}

static void by_a_crash_it_is_reported_but_not_by_a_kill(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	assert_string_equal(only(SEEN(watch, "-6", "/tmp/no/such"))->path, "/tmp/no/such");
	assert_null(SEEN(watch, "-15", "/tmp/no/such"));
}

static void who_may_not_read_it_gets_eacces(void **state)
{
	char path[] = "/tmp/probe_open.XXXXXX";
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	int fd = mkstemp(path); /* 0600 */
	const struct probe_open *open;

	assert_true(fd >= 0);
	close(fd);
	open = only(SEEN(watch, "1", "uid:12345", path));
	assert_int_equal(open->error, EACCES);
	assert_string_equal(open->path, path);
	unlink(path);
}

static void every_call_that_opens_is_seen(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	assert_string_equal(only(SEEN(watch, "1", "creat:/tmp/no/such"))->path, "/tmp/no/such");
	assert_string_equal(only(SEEN(watch, "1", "thread:/tmp/no/such"))->path, "/tmp/no/such");
}

static void a_relative_path_is_of_the_first_folder_until_that_changes(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_opens *seen =
		SEEN(watch, "1", "no/such", "tmp:no/such", "cd:/proc", "no/such");

	assert_non_null(seen);
	assert_int_equal(seen->count, 3);
	for (size_t i = 0; i < seen->count; i++) {
		assert_string_equal(seen->last[i].path, "no/such");
		assert_int_equal(seen->last[i].in_cwd, i == 0);
	}
}

static void of_many_the_last_ones_are_kept_in_their_order(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_opens *seen = SEEN(watch, "1", "many:1003");
	char path[64];

	assert_non_null(seen);
	assert_int_equal(seen->count, PROBE_OPENS_MAX);
	for (int i = 0; i < PROBE_OPENS_MAX; i++) {
		snprintf(path, sizeof(path), "/tmp/no/such/%d", 1003 - PROBE_OPENS_MAX + i);
		assert_string_equal(seen->last[i].path, path);
	}
}

static void an_exec_begins_anew(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	assert_null(SEEN(watch, "1", "/tmp/no/such", "exec:leave,1"));
	assert_string_equal(
		only(SEEN(watch, "1", "/tmp/no/such", "exec:opens,1,/tmp/no/other"))->path,
		"/tmp/no/other");
}

static void what_libraries_look_for_displaces_nothing(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_opens *seen =
		SEEN(watch, "1", "/lib/no", "/tmp/no", "/usr/lib/no/such", "/lib64/no", "/proc/no",
		     "/sys/no", "/etc/ld.so.no", "/tmp/no/c.mo", "/tmp/no/c.so", "/tmp/no/c.pyc",
		     "mo", "/tmp");

	assert_non_null(seen);
	assert_int_equal(seen->count, 2);
	assert_string_equal(seen->last[0].path, "/tmp/no");
	assert_string_equal(seen->last[1].path, "mo");
}

static void a_library_that_may_not_be_read_is_reported(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_open *open = only(SEEN(watch, "1", "/proc/self/status/such"));

	assert_int_equal(open->error, ENOTDIR);
}

static void a_path_that_is_too_long_is_cut_with_its_end(void **state)
{
	static char path[4000];
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_open *open;

	memset(path, 'x', sizeof(path) - 1);
	path[0] = '/';
	open = only(SEEN(watch, "1", path));
	assert_int_equal(open->error, ENAMETOOLONG);
	assert_int_equal(strlen(open->path), 255);
	assert_memory_equal(open->path, path, 255);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_file_is_reported_when_the_process_fails),
		cmocka_unit_test(a_process_that_succeeds_reports_nothing),
		cmocka_unit_test(by_a_crash_it_is_reported_but_not_by_a_kill),
		cmocka_unit_test(who_may_not_read_it_gets_eacces),
		cmocka_unit_test(every_call_that_opens_is_seen),
		cmocka_unit_test(a_relative_path_is_of_the_first_folder_until_that_changes),
		cmocka_unit_test(of_many_the_last_ones_are_kept_in_their_order),
		cmocka_unit_test(an_exec_begins_anew),
		cmocka_unit_test(what_libraries_look_for_displaces_nothing),
		cmocka_unit_test(a_library_that_may_not_be_read_is_reported),
		cmocka_unit_test(a_path_that_is_too_long_is_cut_with_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
