/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "wall_figures.h"
#include "watch.h"

/* The wall time of processes with many threads, or threads that begin, end and wake each other all
 * the time.
 */

DEFINE_CLEANUP(struct watch *, watch_free)

static pid_t start(const char *scenario, const char *first, const char *second, int *ret_hold)
{
	return watch_start(
		(const char *const[]){ watch_driver_path(), scenario, first, second, NULL },
		ret_hold);
}

static void end(struct watch *watch, pid_t pid, int hold)
{
	close(hold);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	watch_until_exit(watch, pid);
	wall_assert_freed(pid);
}

/* A sample of thousands of threads takes a while: one is taken now and then. */
static bool waited_for_pipe(struct watch *watch, pid_t pid, uint64_t ns)
{
	const struct probe_alive *latest;

	for (int i = 0; i < 10; i++)
		watch_nap();
	latest = watch_latest(watch, pid);
	return latest && latest->figures.pipe_read_ns > ns;
}

static void thousands_of_threads_are_counted(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	int hold;
	pid_t pid = start("pool", "5000", NULL, &hold);

	watch_until(waited_for_pipe(watch, pid, WALL_LONG_NS), "a long wait");
	assert_int_equal(write(hold, "n", 1), 1);
	watch_until(waited_for_pipe(watch, pid, 2 * WALL_LONG_NS), "another one");
	end(watch, pid, hold);
	wall_assert_final_adds_up(watch, pid);
	wall_assert_most(wall_final(watch, pid), "pipe_read");
	assert_true(wall_final(watch, pid)->wall_computing_ns > 0);
	assert_true(wall_final(watch, pid)->threads_peak > 5000);
}

static void threads_that_wake_each_other_are_counted(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (int i = 0; i < 2; i++) {
		int hold;
		pid_t pid = start("relay", "1500", "join", &hold);

		watch_until(waited_for_pipe(watch, pid, WALL_LONG_NS), "a long wait");
		end(watch, pid, hold);
		wall_assert_final_adds_up(watch, pid);
		assert_true(wall_final(watch, pid)->wall_pipe_read_ns > WALL_LONG_NS / 2);
	}
}

static void a_process_may_end_while_its_threads_wake_each_other(void **state)
{
	const char *const relay[] = { "relay", "500", "exit", NULL };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (int i = 0; i < 5; i++) {
		pid_t pid = watch_run(relay, NULL, NULL);

		watch_until_exit(watch, pid);
		wall_assert_final_adds_up(watch, pid);
		wall_assert_freed(pid);
	}
}

static void a_thread_may_exec_while_others_wake_each_other(void **state)
{
	const char *const relay[] = { "relay", "500", "exec",        "threads",
				      "2",     "10",  "leader-last", NULL };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (int i = 0; i < 5; i++) {
		pid_t pid = watch_run(relay, NULL, NULL);
		const struct probe_image *first, *second;

		watch_until_exit(watch, pid);
		assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 2);
		first = &watch_find(watch, WATCH_IMAGE, pid, 0)->image;
		second = &watch_find(watch, WATCH_IMAGE, pid, 1)->image;
		wall_assert_adds_up(&second->replaced_figures, first->at_ns, second->at_ns);
		wall_assert_final_adds_up(watch, pid);
		wall_assert_freed(pid);
	}
}

/* Processes that run before the probe, with one thread and with three. */
static struct grower {
	pid_t pid;
	int hold;
	unsigned threads; /* with the new one */
} growers[2];

static unsigned thread_count(pid_t pid)
{
	CLEANUP(fclosep) FILE *file = NULL;
	char path[32], line[128];
	unsigned count = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		(void)sscanf(line, "Threads: %u", &count);
	return count;
}

/* It is known, but the waits of its threads are not observed yet. */
static void add_thread(pid_t pid)
{
	for (size_t i = 0; i < 2; i++) {
		if (pid != growers[i].pid)
			continue;
		assert_int_equal(write(growers[i].hold, "n", 1), 1);
		watch_until(thread_count(pid) == growers[i].threads, "a new thread");
	}
}

static bool computes(struct watch *watch, pid_t pid)
{
	const struct probe_alive *latest = watch_latest(watch, pid);

	return latest && latest->figures.wall_computing_ns > WALL_LONG_NS / 10;
}

static void a_thread_that_begins_during_the_scan_is_counted(void **state)
{
	static const char *const idle[] = { "0", "2" };
	const char *const names[] = { watch_driver_name() };
	CLEANUP(watch_freep) struct watch *watch = NULL;

	watch_driver_done();
	for (size_t i = 0; i < 2; i++) {
		growers[i].pid = start("grow", idle[i], NULL, &growers[i].hold);
		growers[i].threads = thread_count(growers[i].pid) + 1;
	}
	watch = watch_new(&(struct probe_options){ .names = names, .name_count = 1 });
	watch->found = add_thread;
	assert_int_equal(probe_scan(watch->probe), 0);
	for (size_t i = 0; i < 2; i++) {
		pid_t pid = growers[i].pid;

		assert_int_equal(thread_count(pid), growers[i].threads);
		watch_until(computes(watch, pid), "the new thread to compute");
		end(watch, pid, growers[i].hold);
		wall_assert_within(wall_final(watch, pid),
				   watch_find(watch, WATCH_EXIT, pid, 0)->exit.at_ns -
					   watch_find(watch, WATCH_IMAGE, pid, 0)->image.at_ns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thousands_of_threads_are_counted),
		cmocka_unit_test(threads_that_wake_each_other_are_counted),
		cmocka_unit_test(a_process_may_end_while_its_threads_wake_each_other),
		cmocka_unit_test(a_thread_may_exec_while_others_wake_each_other),
		cmocka_unit_test(a_thread_that_begins_during_the_scan_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
