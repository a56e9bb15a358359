/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

#define RUN(...) watch_run((const char *const[]){ __VA_ARGS__, NULL }, &status, NULL)

/* 2,000 of them in the long run. */
static void each_of_300_short_processes_is_seen_from_its_fork_to_its_exit(void **state)
{
	const bool is_long = getenv("TRACER_LONG");
	const size_t count = is_long ? 2000 : 300;
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct probe_losses losses;
	pid_t pid;
	int status;

	pid = RUN("spawn", is_long ? "2000" : "300");
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	for (size_t i = 0; i < count; i++) {
		const struct watch_record *image = watch_child(watch, pid, i);
		const struct watch_record *fork, *end;

		assert_non_null(image);
		fork = watch_find(watch, WATCH_FORK, (pid_t)image->image.key.pid, 0);
		end = watch_find(watch, WATCH_EXIT, (pid_t)image->image.key.pid, 0);
		assert_non_null(fork);
		assert_non_null(end);
		assert_true(fork->order < image->order && image->order < end->order);
		assert_true(fork->fork.at_ns <= image->image.at_ns);
		assert_true(image->image.at_ns <= end->exit.at_ns);
		assert_int_equal(fork->fork.key.start_ns, image->image.key.start_ns);
		assert_int_equal(end->exit.key.start_ns, image->image.key.start_ns);
		assert_int_equal(end->exit.image_seq, image->image.image_seq);
		assert_true(end->exit.figures.user_ns + end->exit.figures.kernel_ns > 0);
	}
	assert_null(watch_child(watch, pid, count));
	assert_int_equal(probe_losses(watch->probe, &losses), 0);
	assert_memory_equal(&losses, &(struct probe_losses){ 0 }, sizeof(losses));
}

static void an_image_bears_exe_argv_cwd_and_identity(void **state)
{
	const char *const argv[] = { watch_driver_path(), "nothing",   "",  "two\nlines",
				     "\xff\xfe",          "tab\there", NULL };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_image *image;
	char exe[PATH_MAX], cwd[PATH_MAX];
	struct stat pid_ns, mnt_ns;
	pid_t pid = watch_spawn(argv, -1, -1);

	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 1);
	image = &watch_find(watch, WATCH_IMAGE, pid, 0)->image;
	assert_string_equal(image->exe, realpath(watch_driver_path(), exe));
	assert_string_equal(image->cwd, getcwd(cwd, sizeof(cwd)));
	assert_int_equal(image->argc, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(image->argv[i], argv[i]);
	assert_int_equal(image->argv_missing_bytes, 0);
	assert_int_equal(image->uid, getuid());
	assert_int_equal(image->parent.pid, getpid());
	assert_int_equal(stat("/proc/self/ns/pid", &pid_ns), 0);
	assert_int_equal(stat("/proc/self/ns/mnt", &mnt_ns), 0);
	assert_int_equal(image->pid_ns, pid_ns.st_ino);
	assert_int_equal(image->mnt_ns, mnt_ns.st_ino);
	assert_true(image->cgroup_id > 0);
	assert_false(image->found);
}

static void of_a_long_argv_32_kib_come_and_the_rest_is_counted(void **state)
{
	static char big[100001];
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_image *image;
	size_t total, kept = 0;
	pid_t pid;
	int status;

	memset(big, 'a', 100000);
	pid = RUN("nothing", big);
	watch_until_exit(watch, pid);
	image = &watch_find(watch, WATCH_IMAGE, pid, 0)->image;
	total = strlen(watch_driver_path()) + 1 + sizeof("nothing") + 100001;
	assert_int_equal(image->argc, 3);
	for (size_t i = 0; i < image->argc; i++)
		kept += strlen(image->argv[i]) + (i < 2);
	assert_int_equal(kept, 32768);
	assert_int_equal(image->argv_missing_bytes, total - 32768);
}

/* Linux gives a program without arguments one empty argument since 5.18. */
static void an_empty_argv_is_no_riddle(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	char *const none[] = { NULL };
	const char *path = watch_driver_path();
	const struct probe_image *image;
	pid_t pid = fork();

	if (!pid) {
		execv(path, none);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	image = &watch_find(watch, WATCH_IMAGE, pid, 0)->image;
	assert_true(image->argc <= 1);
	if (image->argc)
		assert_string_equal(image->argv[0], "");
}

static void a_path_deeper_than_64_parts_is_cut_visibly(void **state)
{
	char top[] = "/tmp/probe.XXXXXX", path[PATH_MAX];
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *driver = watch_driver_path();
	const struct probe_image *image;
	pid_t pid;

	assert_non_null(mkdtemp(top));
	memcpy(path, top, sizeof(top));
	for (int i = 0; i < 80; i++) {
		snprintf(path + strlen(path), sizeof(path) - strlen(path), "/d%d", i);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	pid = fork();
	if (!pid) {
		if (chdir(path) == 0)
			execl(driver, "probe_driver", "nothing", NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	image = &watch_find(watch, WATCH_IMAGE, pid, 0)->image;
	assert_true(text_starts_with(image->cwd, "…/d"));
	assert_true(text_ends_with(image->cwd, "/d77/d78/d79"));
	for (int i = 80; i-- > 0;) {
		assert_int_equal(rmdir(path), 0);
		*strrchr(path, '/') = '\0';
	}
	assert_int_equal(rmdir(top), 0);
}

static void an_exit_is_reported_as_wait_gives_it(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_exit *end;
	char signal[16];
	int status;
	pid_t pid;

	pid = RUN("leave", "137");
	watch_until_exit(watch, pid);
	end = &watch_find(watch, WATCH_EXIT, pid, 0)->exit;
	assert_int_equal(end->exit_code, 137);
	assert_int_equal(end->signal, 0);

	snprintf(signal, sizeof(signal), "%d", SIGKILL);
	pid = RUN("die", signal);
	watch_until_exit(watch, pid);
	end = &watch_find(watch, WATCH_EXIT, pid, 0)->exit;
	assert_int_equal(end->exit_code, 0);
	assert_int_equal(end->signal, SIGKILL);
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

static void exit_of_leader_before_threads_is_one_process(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_exit *end;
	int status;
	pid_t pid;

	pid = RUN("threads", "3", "50", "leader-first");
	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_EXIT, pid), 1);
	end = &watch_find(watch, WATCH_EXIT, pid, 0)->exit;
	assert_int_equal(end->figures.threads_peak, 4);
	assert_true(end->figures.user_ns + end->figures.kernel_ns > 145000000);
	assert_int_equal(end->exit_code, 0);
}

static void each_exec_is_an_image_with_figures_of_its_own(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_image *first, *second, *third;
	const struct probe_figures *figures;
	uint64_t cpu_ns;
	int status;
	pid_t pid;

	pid = RUN("chain", "60", "chain", "40", "burn", "20");
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 3);
	first = &watch_find(watch, WATCH_IMAGE, pid, 0)->image;
	second = &watch_find(watch, WATCH_IMAGE, pid, 1)->image;
	third = &watch_find(watch, WATCH_IMAGE, pid, 2)->image;
	assert_false(first->replaced);
	assert_true(second->replaced && third->replaced);
	assert_int_equal(second->replaced_image_seq, first->image_seq);
	assert_int_equal(third->replaced_image_seq, second->image_seq);
	assert_int_equal(second->image_seq, first->image_seq + 1);

	cpu_ns = second->replaced_figures.user_ns + second->replaced_figures.kernel_ns;
	assert_true(cpu_ns > 60000000);
	assert_true(second->replaced_figures.rss_peak_bytes > 64 << 20);
	assert_true(third->replaced_figures.rss_peak_bytes > 64 << 20);
	assert_true(third->replaced_figures.peak_exact);
	figures = watch_final(watch, pid);
	cpu_ns = figures->user_ns + figures->kernel_ns;
	assert_true(cpu_ns > 19000000 && cpu_ns < 100000000); /* none of the images before */
	assert_true(figures->rss_peak_bytes < 16 << 20);
	assert_true(figures->peak_exact);
}

static void exec_from_thread(const char *leader)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_image *second;
	const struct probe_figures *figures;
	uint64_t cpu_ns;
	int status;
	pid_t pid;

	pid = RUN("chain_thread", leader, "10", "burn", "20");
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 2);
	assert_int_equal(watch_count(watch, WATCH_EXIT, pid), 1);
	second = &watch_find(watch, WATCH_IMAGE, pid, 1)->image;
	assert_true(second->replaced);
	assert_int_equal(second->replaced_figures.threads_peak, 3);
	cpu_ns = second->replaced_figures.user_ns + second->replaced_figures.kernel_ns;
	assert_true(cpu_ns > 30000000);
	figures = watch_final(watch, pid);
	cpu_ns = figures->user_ns + figures->kernel_ns;
	assert_true(cpu_ns > 19000000 && cpu_ns < 50000000); /* none of the image before */
	assert_int_equal(figures->threads_peak, 1);
}

static void exec_from_a_thread_keeps_the_process_though_its_leader_is_released(void **state)
{
	exec_from_thread("here");
	exec_from_thread("gone");
}

static void a_child_that_never_execs_is_a_process_of_its_own(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	size_t children = 0;
	int status;
	pid_t pid;

	pid = RUN("forks", "5", "20");
	watch_until_exit(watch, pid);
	for (size_t i = 0; i < watch->count; i++) {
		const struct watch_record *fork = &watch->records[i], *end;

		if (fork->kind != WATCH_FORK || fork->fork.parent.pid != (uint32_t)pid)
			continue;
		children++;
		end = watch_find(watch, WATCH_EXIT, (pid_t)fork->fork.key.pid, 0);
		assert_non_null(end);
		assert_true(fork->order < end->order);
		assert_int_equal(end->exit.image_seq, fork->fork.image_seq);
		assert_true(end->exit.figures.user_ns + end->exit.figures.kernel_ns > 19000000);
		assert_int_equal(watch_count(watch, WATCH_IMAGE, (pid_t)fork->fork.key.pid), 0);
	}
	assert_int_equal(children, 5);
}

static void a_child_knows_the_thread_that_made_it(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_image *by_first, *by_second;
	int status;
	pid_t first, second;

	first = RUN("spawn", "1");
	second = RUN("spawn_thread");
	watch_until_exit(watch, second);
	by_first = &watch_child(watch, first, 0)->image;
	by_second = &watch_child(watch, second, 0)->image;
	assert_int_equal(by_first->parent_tid, first);
	assert_int_not_equal(by_second->parent_tid, second);
	assert_int_not_equal(by_second->parent_tid, 0);
}

static void a_process_that_renames_itself_keeps_the_argv_it_was_started_with(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	int status;
	pid_t pid = RUN("rename", "argument");

	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 1);
	assert_string_equal(watch_find(watch, WATCH_IMAGE, pid, 0)->image.argv[1], "rename");
}

static void a_script_begins_tracking_by_its_own_name(void **state)
{
	static const char *const names[] = { "probe_script.sh" };
	CLEANUP(watch_freep)
	struct watch *watch = watch_new(&(struct probe_options){ .names = names, .name_count = 1 });
	const char *const argv[] = { "/tmp/probe_script.sh", NULL };
	const struct probe_image *image;
	FILE *file = fopen(argv[0], "we");
	pid_t pid;

	assert_non_null(file);
	fputs("#!/bin/sh\nexit 3\n", file);
	fclose(file);
	assert_int_equal(chmod(argv[0], 0700), 0);
	pid = watch_spawn(argv, -1, -1);
	waitpid(pid, NULL, 0);
	unlink(argv[0]);
	watch_until_exit(watch, pid);
	image = &watch_find(watch, WATCH_IMAGE, pid, 0)->image;
	assert_string_equal(image->argv[1], "/tmp/probe_script.sh");
	assert_int_equal(watch_find(watch, WATCH_EXIT, pid, 0)->exit.exit_code, 3);
}

static void what_is_not_named_leaves_no_record(void **state)
{
	static const char *const names[] = { "probe_drive", "robe_driver", "probe_driver2" };
	CLEANUP(watch_freep)
	struct watch *watch = watch_new(&(struct probe_options){ .names = names, .name_count = 3 });
	int status;

	RUN("spawn", "50");
	RUN("threads", "3", "1", "leader-first");
	watch_poll(watch);
	assert_int_equal(watch->count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_of_300_short_processes_is_seen_from_its_fork_to_its_exit),
		cmocka_unit_test(an_image_bears_exe_argv_cwd_and_identity),
		cmocka_unit_test(of_a_long_argv_32_kib_come_and_the_rest_is_counted),
		cmocka_unit_test(an_empty_argv_is_no_riddle),
		cmocka_unit_test(a_path_deeper_than_64_parts_is_cut_visibly),
		cmocka_unit_test(an_exit_is_reported_as_wait_gives_it),
		cmocka_unit_test(exit_of_leader_before_threads_is_one_process),
		cmocka_unit_test(each_exec_is_an_image_with_figures_of_its_own),
		cmocka_unit_test(
			exec_from_a_thread_keeps_the_process_though_its_leader_is_released),
		cmocka_unit_test(a_child_that_never_execs_is_a_process_of_its_own),
		cmocka_unit_test(a_child_knows_the_thread_that_made_it),
		cmocka_unit_test(a_process_that_renames_itself_keeps_the_argv_it_was_started_with),
		cmocka_unit_test(a_script_begins_tracking_by_its_own_name),
		cmocka_unit_test(what_is_not_named_leaves_no_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
