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
#include "fixture_cgroup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

#define FULL     "25165824" /* memory limit of a cgroup, in bytes */
#define RUN(...) watch_run((const char *const[]){ __VA_ARGS__, NULL }, &status, NULL)

/* Starts the driver and waits until it has written a byte. */
static pid_t start(const char *scenario, const char *argument)
{
	const char *const argv[] = { watch_driver_path(), scenario, argument, NULL };

	return watch_start(argv, NULL);
}

static const struct probe_kill *kill_of(struct watch *watch, pid_t pid)
{
	const struct watch_record *record, *end;

	watch_until_exit(watch, pid);
	record = watch_find(watch, WATCH_KILL, pid, 0);
	end = watch_find(watch, WATCH_EXIT, pid, 0);
	assert_non_null(record);
	assert_int_equal(watch_count(watch, WATCH_KILL, pid), 1);
	assert_true(record->order < end->order);
	assert_int_equal(record->kill.signal, end->exit.signal);
	return &record->kill;
}

static void a_kill_by_another_process_says_by_whom(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_kill *seen;
	char comm[32] = "";
	FILE *file = fopen("/proc/self/comm", "re");
	pid_t pid = start("hang", NULL);

	assert_non_null(file);
	assert_non_null(fgets(comm, sizeof(comm), file));
	fclose(file);
	comm[strcspn(comm, "\n")] = '\0';
	kill(pid, SIGCHLD); /* harmless */
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	seen = kill_of(watch, pid);
	assert_int_equal(seen->signal, SIGTERM);
	assert_int_equal(seen->code, SI_USER);
	assert_int_equal(seen->sender.pid, getpid());
	assert_int_equal(seen->sender_uid, getuid());
	assert_string_equal(seen->sender_comm, comm);
	assert_false(seen->oom);
	assert_int_equal(seen->limit_bytes, 0);
}

static void check_answer(const char *scenario)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct watch_record *record, *end;
	pid_t pid = start(scenario, "15");

	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	record = watch_find(watch, WATCH_KILL, pid, 0);
	end = watch_find(watch, WATCH_EXIT, pid, 0);
	assert_non_null(record);
	assert_int_equal(end->exit.signal, 0);
	assert_int_equal(end->exit.exit_code, 143);
	assert_int_equal(record->kill.signal, SIGTERM);
	assert_int_equal(record->kill.sender.pid, getpid());
}

static void a_signal_answered_by_an_exit_code_says_by_whom(void **state)
{
	check_answer("answer");
}

static void a_fault_that_is_caught_does_not_hide_a_signal(void **state)
{
	check_answer("answer_late");
}

static void nothing_comes_after_sigkill(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_kill *seen;
	pid_t pid = start("hang", NULL);

	kill(pid, SIGKILL);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	seen = kill_of(watch, pid);
	assert_int_equal(seen->signal, SIGKILL);
	assert_int_equal(seen->sender.pid, getpid());
}

static void a_handler_that_raises_it_anew_is_not_who_sent_it(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_kill *seen;
	pid_t pid = start("tidy", "15");

	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	seen = kill_of(watch, pid);
	assert_int_equal(seen->signal, SIGTERM);
	assert_int_equal(seen->sender.pid, getpid());
}

static void who_ends_itself_is_its_own_sender(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_kill *seen;
	int status;
	pid_t pid = RUN("die", "6");

	seen = kill_of(watch, pid);
	assert_int_equal(seen->signal, SIGABRT);
	assert_int_equal(seen->sender.pid, pid);
	assert_int_equal(seen->sender.start_ns, seen->key.start_ns);
	assert_true(seen->code <= 0);
}

static void a_pipe_that_nobody_reads_strikes_whoever_writes(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *const argv[] = { watch_driver_path(), "spill", NULL };
	const struct probe_kill *seen;
	int pipes[2];
	pid_t pid;

	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	pid = watch_spawn(argv, -1, pipes[1]);
	close(pipes[0]);
	close(pipes[1]);
	waitpid(pid, NULL, 0);
	seen = kill_of(watch, pid);
	assert_int_equal(seen->signal, SIGPIPE);
	assert_int_equal(seen->code, SI_USER); /* as if the process had sent it to itself */
	assert_int_equal(seen->sender.pid, pid);
}

static void a_fault_is_the_kernels_and_has_its_address(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_kill *seen;
	int status;
	pid_t pid = RUN("fault");

	seen = kill_of(watch, pid);
	assert_int_equal(seen->signal, SIGSEGV);
	assert_int_equal(seen->code, SEGV_MAPERR);
	assert_int_equal(seen->address, 0x10);
}

static void one_that_survives_leaves_no_record(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	int status;
	pid_t pid = RUN("leave", "15"); /* a code, no signal */

	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_KILL, pid), 0);
}

static pid_t run_in(const struct cgroup_home *home, const char *scenario, const char *argument)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		cgroup_home_join(home, getpid());
		execl(watch_driver_path(), "driver", scenario, argument, NULL);
		_exit(99);
	}
	return pid;
}

static void an_oom_kill_names_the_cgroup_that_was_full_and_who_asked(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_kill *seen;
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	int status;
	pid_t pid;

	cgroup_home_make(&home, "oom");
	cgroup_home_limit_memory(&home, FULL);
	pid = run_in(&home, "touch", "512");
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	seen = kill_of(watch, pid);
	assert_true(seen->oom);
	assert_int_equal(seen->code, SI_KERNEL);
	assert_int_equal(seen->limit_bytes, strtoull(FULL, NULL, 10));
	assert_in_range(seen->used_bytes, seen->limit_bytes * 9 / 10, seen->limit_bytes);
	assert_true(seen->limit_level >= 1);
	assert_int_equal(seen->sender.pid, pid); /* it asked itself */
	assert_int_equal(seen->oom_score_adj, 0);
}

static void a_kill_by_root_in_a_full_cgroup_is_no_oom_kill(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_kill *seen;
	pid_t pid = start("hang", NULL);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	seen = kill_of(watch, pid);
	assert_false(seen->oom);
	assert_int_equal(seen->code, SI_USER);
}

static const struct probe_attempt *attempt_of(struct watch *watch, pid_t pid)
{
	const struct watch_record *record;

	watch_until_exit(watch, pid);
	record = watch_find(watch, WATCH_ATTEMPT, pid, 0);
	assert_non_null(record);
	assert_int_equal(watch_count(watch, WATCH_ATTEMPT, pid), 1);
	assert_true(record->order < watch_find(watch, WATCH_EXIT, pid, 0)->order);
	return &record->attempt;
}

static pid_t child_of(struct watch *watch, pid_t parent)
{
	watch_until_exit(watch, parent);
	for (size_t i = 0; i < watch->count; i++)
		if (watch->records[i].kind == WATCH_FORK &&
		    watch->records[i].fork.parent.pid == (uint32_t)parent)
			return (pid_t)watch->records[i].fork.key.pid;
	fail_msg("%d has no child", parent);
	return -1;
}

static void an_exec_of_a_missing_file_is_reported_with_its_path(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_attempt *seen;
	int status;
	pid_t pid = RUN("try", "127", "/tmp/no/such", "/tmp/nor-this");

	seen = attempt_of(watch, child_of(watch, pid));
	assert_int_equal(seen->error, ENOENT);
	assert_string_equal(seen->path, "/tmp/nor-this");
	assert_int_equal(seen->count, 2);
	assert_int_equal(watch_count(watch, WATCH_ATTEMPT, pid), 0);
	assert_true(watch_find(watch, WATCH_FORK, child_of(watch, pid), 0)->order <
		    watch_find(watch, WATCH_ATTEMPT, child_of(watch, pid), 0)->order);
}

static void an_error_other_than_not_found_is_kept_of_a_search(void **state)
{
	char path[] = "/tmp/probe_text.XXXXXX";
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_attempt *seen;
	int fd = mkstemp(path), status;
	pid_t pid;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "text\n", 5), 5);
	close(fd);
	pid = RUN("try", "126", path, "/tmp/no/such"); /* 0600 */
	seen = attempt_of(watch, child_of(watch, pid));
	assert_int_equal(seen->error, EACCES);
	assert_string_equal(seen->path, path);
	assert_int_equal(chmod(path, 0700), 0);
	pid = RUN("try_self", "126", path);
	seen = attempt_of(watch, pid);
	assert_int_equal(seen->error, ENOEXEC);
	assert_string_equal(seen->path, path);
	unlink(path);
}

static void an_exec_that_succeeds_at_last_leaves_no_record(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	uint64_t failed = probe_execs_failed(watch->probe);
	int status;
	pid_t pid = RUN("try", "127", "/tmp/no/such", "/tmp/nor/this", watch_driver_path());

	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	for (size_t i = 0; i < watch->count; i++)
		assert_int_not_equal(watch->records[i].kind, WATCH_ATTEMPT);
	assert_int_equal(probe_execs_failed(watch->probe) - failed, 2);
}

static void a_path_that_is_too_long_is_cut_with_its_end(void **state)
{
	static char path[4000];
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_attempt *seen;
	int status;
	pid_t pid;

	memset(path, 'x', sizeof(path) - 1);
	path[0] = '/';
	pid = RUN("try_self", "127", path);
	seen = attempt_of(watch, pid);
	assert_int_equal(seen->error, ENAMETOOLONG);
	assert_int_equal(strlen(seen->path), 255);
	assert_memory_equal(seen->path, path, 255);
}

static void what_failed_once_is_no_news_when_all_is_well_in_the_end(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	int status;
	pid_t pid = RUN("try_self", "0", "/tmp/no/such");

	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_ATTEMPT, pid), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kill_by_another_process_says_by_whom),
		cmocka_unit_test(a_signal_answered_by_an_exit_code_says_by_whom),
		cmocka_unit_test(a_fault_that_is_caught_does_not_hide_a_signal),
		cmocka_unit_test(nothing_comes_after_sigkill),
		cmocka_unit_test(a_handler_that_raises_it_anew_is_not_who_sent_it),
		cmocka_unit_test(who_ends_itself_is_its_own_sender),
		cmocka_unit_test(a_pipe_that_nobody_reads_strikes_whoever_writes),
		cmocka_unit_test(a_fault_is_the_kernels_and_has_its_address),
		cmocka_unit_test(one_that_survives_leaves_no_record),
		cmocka_unit_test(an_oom_kill_names_the_cgroup_that_was_full_and_who_asked),
		cmocka_unit_test(a_kill_by_root_in_a_full_cgroup_is_no_oom_kill),
		cmocka_unit_test(an_exec_of_a_missing_file_is_reported_with_its_path),
		cmocka_unit_test(an_error_other_than_not_found_is_kept_of_a_search),
		cmocka_unit_test(an_exec_that_succeeds_at_last_leaves_no_record),
		cmocka_unit_test(a_path_that_is_too_long_is_cut_with_its_end),
		cmocka_unit_test(what_failed_once_is_no_news_when_all_is_well_in_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
