/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

#define MS 1000000ULL

struct sum {
	uint64_t calls, time_ns;
};

/* The reported calls of an image (0: of all) with a class and an error; NULL: any outcome. */
static struct sum sum_of(const struct watch *watch, pid_t pid, uint64_t image_seq,
			 const char *class, const char *error)
{
	const struct watch_record *record;
	struct sum sum = { 0 };

	for (size_t i = 0; (record = watch_find(watch, WATCH_SYSCALL, pid, i)); i++) {
		const struct probe_syscall *call = &record->syscall;

		if ((image_seq && call->image_seq != image_seq) ||
		    (class && strcmp(call->class, class) != 0) ||
		    (error && strcmp(call->error, error) != 0))
			continue;
		sum.calls += call->calls;
		sum.time_ns += call->time_ns;
	}
	return sum;
}

static uint64_t calls_of(const struct watch *watch, pid_t pid, const char *class, const char *error)
{
	return sum_of(watch, pid, 0, class, error).calls;
}

static struct watch *watch_calls(bool syscalls)
{
	const char *const names[] = { watch_driver_name() };

	return watch_new(
		&(struct probe_options){ .names = names, .name_count = 1, .syscalls = syscalls });
}

static pid_t run(struct watch *watch, const char *const *steps)
{
	const char *argv[64] = { watch_driver_path(), "calls" };
	int status;
	pid_t pid;

	for (size_t i = 0; steps[i] && i < 60; i++)
		argv[i + 2] = steps[i];
	pid = watch_spawn(argv, -1, -1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	return pid;
}
#define RUN(watch, ...) run((watch), (const char *const[]){ __VA_ARGS__, NULL })

static uint64_t losses_of(struct watch *watch)
{
	struct probe_losses losses;

	assert_int_equal(probe_losses(watch->probe, &losses), 0);
	return losses.syscall;
}

/* The calls of the C library's start and end come on top of those of the steps.
 */
static void each_class_and_error_has_the_calls_that_were_made(void **state)
{
	static const struct {
		const char *class, *error;
		uint64_t calls;
	} expected[] = {
		{ "process", "", 70000 + 7 },
		{ "read", "EBADF", 301 },
		{ "write", "", 402 },
		{ "memory", "", 2 * 53 },
		{ "metadata", "ENOENT", 604 },
		{ "lock", "EAGAIN", 705 },
		{ "poll", "", 806 },
		{ "signal", "", 7 },
		{ "socket", "EAFNOSUPPORT", 8 },
		{ "time", "", 3 },
		{ "read", "", 0 },
		{ "async", NULL, 0 },
		{ "ipc", NULL, 0 },
		{ "compat", NULL, 0 },
	};
	CLEANUP(watch_freep) struct watch *watch = watch_calls(true);
	pid_t idle = RUN(watch, "g", "0");
	pid_t pid = RUN(watch, "g", "70000", "b", "301", "w", "402", "m", "53", "s", "604", "f",
			"705", "p", "806", "k", "7", "S", "8", "n", "3");
	struct sum naps = sum_of(watch, pid, 0, "time", "");

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		uint64_t calls = calls_of(watch, pid, expected[i].class, expected[i].error);
		uint64_t besides = calls_of(watch, idle, expected[i].class, expected[i].error);

		if (calls - besides != expected[i].calls)
			fail_msg("%s %s: %lu calls, %lu of them besides; made were %lu",
				 expected[i].class, expected[i].error ? expected[i].error : "any",
				 (unsigned long)calls, (unsigned long)besides,
				 (unsigned long)expected[i].calls);
	}
	assert_int_equal(calls_of(watch, pid, NULL, NULL) - calls_of(watch, idle, NULL, NULL),
			 70000 + 7 + 301 + 402 + 2 * 53 + 604 + 705 + 806 + 7 + 8 + 3);
	assert_true(naps.time_ns >= 30 * MS);
	assert_int_equal(losses_of(watch), 0);
}

static void all_of_an_image_comes_before_its_end(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_calls(true);
	const struct watch_record *end, *record;
	pid_t pid = RUN(watch, "g", "1");

	end = watch_find(watch, WATCH_EXIT, pid, 0);
	for (size_t i = 0; (record = watch_find(watch, WATCH_SYSCALL, pid, i)); i++) {
		assert_true(record->order < end->order);
		assert_int_equal(record->syscall.key.start_ns, end->exit.key.start_ns);
		assert_int_equal(record->syscall.image_seq, end->exit.image_seq);
	}
	assert_true(watch_count(watch, WATCH_SYSCALL, pid) > 0);
}

/* The execve belongs to the image that made it. */
static void an_exec_begins_new_counts(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_calls(true);
	pid_t idle = RUN(watch, "g", "0"), pid = RUN(watch, "g", "100", "x", "0", "g", "30");
	uint64_t first = watch_find(watch, WATCH_IMAGE, pid, 0)->image.image_seq;
	uint64_t second = watch_find(watch, WATCH_IMAGE, pid, 1)->image.image_seq;
	uint64_t besides = calls_of(watch, idle, "process", ""); /* with its exit_group */

	assert_int_equal(sum_of(watch, pid, first, "process", "").calls, besides + 100);
	assert_int_equal(sum_of(watch, pid, second, "process", "").calls, besides + 30);
	assert_int_equal(losses_of(watch), 0);
}

static void threads_add_up(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_calls(true);
	pid_t one = RUN(watch, "t", "0"), pid = RUN(watch, "t", "20000");

	assert_int_equal(calls_of(watch, pid, "process", "") - calls_of(watch, one, "process", ""),
			 80000);
	assert_int_equal(losses_of(watch), 0);
}

static void a_fork_without_an_exec_has_its_own(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_calls(true);
	const struct watch_record *fork;
	pid_t idle = RUN(watch, "g", "0"), pid = RUN(watch, "F", "500"), child = 0;

	for (size_t i = 0; i < watch->count; i++)
		if (watch->records[i].kind == WATCH_FORK &&
		    watch->records[i].fork.parent.pid == (uint32_t)pid)
			child = (pid_t)watch->records[i].fork.key.pid;
	fork = watch_find(watch, WATCH_FORK, child, 0);
	assert_non_null(fork);
	assert_true(watch_find(watch, WATCH_SYSCALL, child, 0)->order > fork->order);
	assert_int_equal(calls_of(watch, child, NULL, NULL), 501); /* and its exit_group */
	assert_int_equal(calls_of(watch, pid, "process", "") - calls_of(watch, idle, "process", ""),
			 2); /* clone, wait4 */
}

static void calls_of_32_bits_are_apart(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_calls(true);
	pid_t idle = RUN(watch, "g", "0"), pid = RUN(watch, "c", "77");

	assert_int_equal(calls_of(watch, pid, "compat", ""), 77);
	assert_int_equal(calls_of(watch, pid, "process", ""), calls_of(watch, idle, "process", ""));
}

static void a_call_that_a_signal_ends_says_so(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_calls(true);
	pid_t pid = RUN(watch, "K", "1"), child = 0;

	for (size_t i = 0; i < watch->count; i++)
		if (watch->records[i].kind == WATCH_FORK &&
		    watch->records[i].fork.parent.pid == (uint32_t)pid)
			child = (pid_t)watch->records[i].fork.key.pid;
	assert_int_equal(calls_of(watch, child, "poll", "ERESTARTSYS"), 1);
	assert_int_equal(calls_of(watch, child, NULL, NULL), 1);
	assert_true(sum_of(watch, child, 0, "poll", NULL).time_ns >= 20 * MS);
}

/* 31 pairs of class and error, five calls each; 24 pairs are counted separately. */
static void errors_beyond_the_separate_counts_are_summed(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_calls(true);
	pid_t idle = RUN(watch, "g", "0"), pid = RUN(watch, "e", "5");
	const struct watch_record *record;
	uint64_t failed = 0, pairs = 0;

	for (size_t i = 0; (record = watch_find(watch, WATCH_SYSCALL, pid, i)); i++) {
		failed += *record->syscall.error ? record->syscall.calls : 0;
		pairs += *record->syscall.error && strcmp(record->syscall.error, "other") != 0;
	}
	for (size_t i = 0; (record = watch_find(watch, WATCH_SYSCALL, idle, i)); i++)
		failed -= *record->syscall.error ? record->syscall.calls : 0;
	assert_int_equal(failed, 31 * 5);
	assert_int_equal(pairs, 24);
	assert_true(calls_of(watch, pid, NULL, "other") >= 7 * 5UL);
	assert_int_equal(losses_of(watch), 0);
}

static void reports_of_live_processes_add_up(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_calls(true);
	const char *const argv[] = {
		watch_driver_path(), "calls", "g", "1000", "i", "1", "g", "10", NULL
	};
	int hold;
	pid_t idle = RUN(watch, "g", "0"), pid = watch_start(argv, &hold);
	uint64_t early;

	assert_int_equal(probe_syscalls(watch->probe), 0);
	watch_poll(watch);
	assert_int_equal(watch_count(watch, WATCH_EXIT, pid), 0);
	early = calls_of(watch, pid, NULL, NULL);
	assert_true(early > 1000);
	assert_int_equal(probe_syscalls(watch->probe), 0);
	close(hold);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(calls_of(watch, pid, NULL, NULL) - calls_of(watch, idle, NULL, NULL),
			 1000 + 2 + 10);
	assert_int_equal(losses_of(watch), 0);
}

/* By this process: others may run on the host. */
static bool is_loaded(const char *name)
{
	for (int fd = 0; fd < 512; fd++) {
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);

		if (!bpf_obj_get_info_by_fd(fd, &info, &size) && strcmp(info.name, name) == 0)
			return true;
	}
	return false;
}

static void nothing_is_loaded_where_nobody_asked(void **state)
{
	{
		CLEANUP(watch_freep) struct watch *watch = watch_calls(true);

		assert_true(is_loaded("on_sys_enter") && is_loaded("on_sys_exit"));
	}
	CLEANUP(watch_freep) struct watch *watch = watch_calls(false);
	pid_t pid = RUN(watch, "g", "100");

	assert_false(is_loaded("on_sys_enter") || is_loaded("on_sys_exit") ||
		     is_loaded("sample_syscalls"));
	assert_int_equal(probe_syscalls(watch->probe), 0);
	assert_int_equal(watch_count(watch, WATCH_SYSCALL, pid), 0);
}

static bool reports_syscalls(struct watch *watch)
{
	watch_poll(watch);
	for (size_t i = 0; i < watch->count; i++)
		if (watch->records[i].kind == WATCH_SYSCALL)
			return true;
	return false;
}

/* Processes that begin while the programs are attached one after the other make calls meanwhile. */
static void calls_during_the_start_are_all_counted(void **state)
{
	static const char *const argv[] = { "/bin/sh", "-c", "while :; do $BORN calls g 9; done",
					    NULL };
	uint64_t lost = 0;
	pid_t storm;

	assert_int_equal(setenv("BORN", watch_driver_path(), 1), 0);
	storm = watch_spawn(argv, -1, -1);
	for (int i = getenv("TRACER_LONG") ? 5 : 2; i > 0; i--) {
		CLEANUP(watch_freep) struct watch *watch = watch_calls(true);

		watch_until(reports_syscalls(watch), "calls of what is born");
		lost += losses_of(watch);
	}
	kill(storm, SIGKILL);
	assert_int_equal(waitpid(storm, NULL, 0), storm);
	assert_int_equal(lost, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_class_and_error_has_the_calls_that_were_made),
		cmocka_unit_test(all_of_an_image_comes_before_its_end),
		cmocka_unit_test(an_exec_begins_new_counts),
		cmocka_unit_test(threads_add_up),
		cmocka_unit_test(a_fork_without_an_exec_has_its_own),
		cmocka_unit_test(calls_of_32_bits_are_apart),
		cmocka_unit_test(a_call_that_a_signal_ends_says_so),
		cmocka_unit_test(errors_beyond_the_separate_counts_are_summed),
		cmocka_unit_test(reports_of_live_processes_add_up),
		cmocka_unit_test(nothing_is_loaded_where_nobody_asked),
		cmocka_unit_test(calls_during_the_start_are_all_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
