/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* The number of this process's programs at perf events, and so at tracepoints of system calls. */
static unsigned attached(void)
{
	unsigned count = 0;

	for (int fd = 0; fd < 256; fd++) {
		char path[64], line[128];
		CLEANUP(fclosep) FILE *file = NULL;

		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
		file = fopen(path, "re");
		while (file && fgets(line, sizeof(line), file))
			count += !strcmp(line, "link_type:\tperf\n");
	}
	return count;
}

/* As on a kernel that refuses fentry and fexit. */
static struct watch *watch_last(bool without_files)
{
	const char *const names[] = { watch_driver_name() };

	return watch_new(&(struct probe_options){ .names = names,
						  .name_count = 1,
						  .force_hook = "last",
						  .without_files = without_files });
}

static const char *scratch(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/probe_calls.%d", getpid());
	return path;
}

/* Starts a process that writes a file once `hold` is closed, and then ends. */
static pid_t begin(int *hold)
{
	const char *const argv[] = { watch_driver_path(), "files", "e", "", "0", "w",
				     scratch(),           "100",   NULL };

	return watch_start(argv, hold);
}

static void end(struct watch *watch, pid_t pid, int hold)
{
	close(hold);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
}

/* As the agent's loop does: woken by the ring. */
static bool is_woken(const struct watch *watch)
{
	struct pollfd fd = { .fd = probe_fd(watch->probe), .events = POLLIN };

	return poll(&fd, 1, WATCH_LIMIT_MS) == 1;
}

static uint64_t opens_reported(const struct watch *watch, pid_t pid)
{
	const struct watch_record *record;
	uint64_t opens = 0;

	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++)
		if (!strcmp(record->file.kind, "file"))
			opens += record->file.opens;
	return opens;
}

static void one_that_begins(struct watch *watch)
{
	int hold;
	pid_t pid = begin(&hold);

	assert_true(is_woken(watch));
	watch_poll(watch);
	assert_true(probe_syscall_tracepoints_attached(watch->probe));
	assert_true(attached() >= 5);
	end(watch, pid, hold);
	assert_int_equal(opens_reported(watch, pid), 1);
}

static void rest(struct watch *watch)
{
	for (int i = 0; i < 20; i++)
		probe_detach_syscall_tracepoint(watch->probe);
}

static void calls_are_watched_while_something_tracked_lives(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_last(false);

	assert_int_equal(attached(), 0);
	assert_false(probe_syscall_tracepoints_attached(watch->probe));
	one_that_begins(watch);
	rest(watch);
	assert_false(probe_syscall_tracepoints_attached(watch->probe));
	assert_int_equal(attached(), 0);
	one_that_begins(watch);
}

static void what_began_just_before_the_rest_prevents_it(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_last(false);
	int hold;
	pid_t first = begin(&hold), second;
	unsigned all;

	assert_true(is_woken(watch));
	end(watch, first, hold);
	all = attached();
	assert_true(all >= 5);
	second = begin(&hold);
	probe_detach_syscall_tracepoint(watch->probe);
	assert_int_equal(attached(), all);
	end(watch, second, hold);
	assert_int_equal(opens_reported(watch, second), 1);
}

/* Half of them are detached when the process begins. */
static void a_process_that_begins_while_detaching_attaches_again(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_last(false);
	unsigned all;
	pid_t pid;
	int hold;

	one_that_begins(watch);
	all = attached();
	probe_detach_syscall_tracepoint(watch->probe);
	probe_detach_syscall_tracepoint(watch->probe);
	assert_int_equal(attached(), all - 2);
	pid = begin(&hold);
	assert_true(is_woken(watch));
	probe_detach_syscall_tracepoint(watch->probe);
	watch_poll(watch);
	assert_int_equal(attached(), all);
	end(watch, pid, hold);
	assert_int_equal(opens_reported(watch, pid), 1);
}

static void what_runs_before_is_found_and_watched(void **state)
{
	int hold;
	pid_t pid = begin(&hold);
	CLEANUP(watch_freep) struct watch *watch = watch_last(false);

	assert_false(probe_syscall_tracepoints_attached(watch->probe));
	assert_int_equal(probe_scan(watch->probe), 0);
	assert_true(probe_syscall_tracepoints_attached(watch->probe));
	end(watch, pid, hold);
	assert_int_equal(opens_reported(watch, pid), 1);
}

static void without_files_no_call_is_ever_watched(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_last(true);
	int hold;
	pid_t pid = begin(&hold);

	watch_poll(watch);
	assert_non_null(watch_find(watch, WATCH_IMAGE, pid, 0));
	assert_false(probe_syscall_tracepoints_attached(watch->probe));
	assert_int_equal(attached(), 0);
	end(watch, pid, hold);
	assert_int_equal(watch_count(watch, WATCH_FILE, pid), 0);
	assert_int_equal(watch_final(watch, pid)->files_opened, 0);
}

static int teardown(void **state)
{
	unlink(scratch());
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_watched_while_something_tracked_lives),
		cmocka_unit_test(what_began_just_before_the_rest_prevents_it),
		cmocka_unit_test(a_process_that_begins_while_detaching_attaches_again),
		cmocka_unit_test(what_runs_before_is_found_and_watched),
		cmocka_unit_test(without_files_no_call_is_ever_watched),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
