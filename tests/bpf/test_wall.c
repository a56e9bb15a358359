/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "wall_figures.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

static pid_t start(const char *helper, const char *wait, int *ret_hold)
{
	return watch_start(
		(const char *const[]){ watch_driver_path(), "beside", helper, wait, NULL },
		ret_hold);
}

static void end(struct watch *watch, pid_t pid, int hold)
{
	close(hold);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	watch_until_exit(watch, pid);
}

/* Whether the leader, or another thread, waited for long by its own time. */
static bool waited_for(struct watch *watch, pid_t pid, const char *wait)
{
	const struct probe_alive *latest = watch_latest(watch, pid);

	return latest && (strcmp(wait, "child") ? latest->figures.pipe_read_ns
						: latest->figures.child_ns) > WALL_LONG_NS;
}

static struct probe_figures wait_beside(struct watch *watch, const char *helper, const char *wait)
{
	int hold;
	pid_t pid = start(helper, wait, &hold);

	watch_until(waited_for(watch, pid, wait), "a long wait");
	end(watch, pid, hold);
	wall_assert_final_adds_up(watch, pid);
	return *wall_final(watch, pid);
}

static void the_classes_of_one_thread_add_up_to_its_life(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct probe_figures figures = wait_beside(watch, "none", "pipe");

	wall_assert_most(&figures, "pipe_read");
	assert_int_equal(figures.wall_serial_ns, figures.wall_computing_ns);
	figures = wait_beside(watch, "none", "child");
	wall_assert_most(&figures, "child");
}

static void the_classes_of_many_threads_add_up_to_its_life(void **state)
{
	static const char *const orders[] = { "leader-first", "leader-last" };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < 2; i++) {
		const char *const arguments[] = { "threads", "16", "20", orders[i], NULL };
		pid_t pid = watch_run(arguments, NULL, NULL);

		watch_until_exit(watch, pid);
		wall_assert_final_adds_up(watch, pid);
		assert_true(wall_final(watch, pid)->wall_computing_ns > 0);
	}
}

static void an_idle_thread_does_not_hide_what_the_first_one_waits_for(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct probe_figures figures = wait_beside(watch, "idle", "child");

	wall_assert_most(&figures, "child");
	assert_true(figures.wall_child_ns > figures.wall_lock_ns);
	figures = wait_beside(watch, "idle", "pipe");
	wall_assert_most(&figures, "pipe_read");
}

static void a_ticker_does_not_hide_what_the_first_thread_waits_for(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct probe_figures figures = wait_beside(watch, "ticker", "pipe");

	wall_assert_most(&figures, "pipe_read");
	assert_true(figures.wall_pipe_read_ns > figures.wall_sleep_ns);
	figures = wait_beside(watch, "ticker", "child");
	wall_assert_most(&figures, "child");
}

/* The samples of a live process, too, are at most its life so far. */
static void a_sample_is_no_more_than_the_life_so_far(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	int hold;
	pid_t pid = start("ticker", "pipe", &hold);
	uint64_t begin_ns = watch_sample(watch, pid)->key.start_ns;

	for (int i = 0; i < 20; i++) {
		uint64_t ns = wall_sum(&watch_sample(watch, pid)->figures);

		assert_true(ns > 0 && begin_ns + ns <= clock_boot_ns());
		watch_nap();
	}
	end(watch, pid, hold);
	wall_assert_final_adds_up(watch, pid);
}

static void an_exec_of_another_thread_begins_anew(void **state)
{
	static const char *const leaders[] = { "here", "gone" };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < 2; i++) {
		const char *const arguments[] = { "chain_thread", leaders[i], "40",
						  "threads",      "2",        "10",
						  "leader-last",  NULL };
		pid_t pid = watch_run(arguments, NULL, NULL);
		const struct probe_image *first, *second;

		watch_until_exit(watch, pid);
		assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 2);
		first = &watch_find(watch, WATCH_IMAGE, pid, 0)->image;
		second = &watch_find(watch, WATCH_IMAGE, pid, 1)->image;
		assert_true(second->replaced);
		wall_assert_adds_up(&second->replaced_figures, first->at_ns, second->at_ns);
		wall_assert_final_adds_up(watch, pid);
	}
}

/* Of what such a process did before, the kernel knows how long its thread computed and was ready,
 * and nothing of its waits. */
static void assert_in_life(const struct watch *watch, const char *helper, pid_t pid,
			   uint64_t before_ns)
{
	const struct probe_figures *figures = wall_final(watch, pid);
	const struct probe_exit *end = &watch_find(watch, WATCH_EXIT, pid, 0)->exit;
	uint64_t sum_ns = wall_sum(figures),
		 waits_ns = sum_ns - figures->wall_computing_ns - figures->wall_runnable_ns;

	wall_assert_most(figures, "pipe_read");
	if (sum_ns <= end->at_ns - end->key.start_ns && waits_ns <= end->at_ns - before_ns)
		return;
	wall_print(figures);
	fail_msg("%s: the classes exceed the %llu ns of the life, or the waits the %llu ns seen",
		 helper, (unsigned long long)(end->at_ns - end->key.start_ns),
		 (unsigned long long)(end->at_ns - before_ns));
}

static void threads_from_before_the_probe_have_no_more_than_their_life(void **state)
{
	static const char *const helpers[] = { "idle", "ticker", "none" };
	const char *const names[] = { watch_driver_name() };
	int holds[3];
	pid_t pids[3];
	uint64_t before_ns;

	watch_driver_done();
	for (size_t i = 0; i < 3; i++)
		pids[i] = start(helpers[i], "pipe", &holds[i]);
	before_ns = clock_boot_ns();
	CLEANUP(watch_freep)
	struct watch *watch = watch_new(&(struct probe_options){ .names = names, .name_count = 1 });
	assert_int_equal(probe_scan(watch->probe), 0);
	for (size_t i = 0; i < 3; i++)
		watch_until(waited_for(watch, pids[i], "pipe"), "a long wait");
	for (size_t i = 3; i-- > 0;) /* the later ones hold the pipes of those before */
		end(watch, pids[i], holds[i]);
	for (size_t i = 0; i < 3; i++)
		assert_in_life(watch, helpers[i], pids[i], before_ns);
}

/* Keeps its state for a successor, and says when it watches; killed, it cleans up nothing. */
static pid_t agent_to_kill(void)
{
	const char *const names[] = { watch_driver_name() };
	const struct probe_options options = { .names = names,
					       .name_count = 1,
					       .pin_folder = watch_pins };
	const struct probe_handler handler = { 0 };
	struct probe *probe;
	int ready[2];
	pid_t agent;
	char byte;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	watch_driver_path(); /* before the fork: the link is this process's to remove */
	agent = fork();
	if (!agent) {
		if (!probe_open(&probe, &options, &handler, NULL) && write(ready[1], "r", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return agent;
}

/* What threads did while no agent ran is not known. */
static void a_killed_agents_successor_counts_from_its_begin(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = NULL;
	pid_t agent = agent_to_kill(), pid;
	uint64_t before_ns;
	int hold;

	pid = start("ticker", "pipe", &hold);
	kill(agent, SIGKILL);
	waitpid(agent, NULL, 0);
	before_ns = clock_boot_ns();
	watch = watch_pinned();
	assert_int_equal(probe_scan(watch->probe), 0);
	watch_until(waited_for(watch, pid, "pipe"), "a long wait");
	end(watch, pid, hold);
	wall_assert_most(wall_final(watch, pid), "pipe_read");
	if (wall_sum(wall_final(watch, pid)) >
	    watch_find(watch, WATCH_EXIT, pid, 0)->exit.at_ns - before_ns) {
		wall_print(wall_final(watch, pid));
		fail_msg("the classes exceed the life under the second agent");
	}
}

/* A sample of a process that has been stopped for longer than it has done anything else. */
static bool was_stopped(struct watch *watch, pid_t pid)
{
	const struct probe_alive *latest = watch_latest(watch, pid);

	return latest && latest->figures.wall_other_ns > WALL_LONG_NS &&
	       latest->figures.wall_other_ns > wall_sum(&latest->figures) / 2;
}

static void a_stopped_process_is_in_other(void **state)
{
	static const char *const helpers[] = { "none", "idle", "ticker" };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < 3; i++) {
		int hold;
		pid_t pid = start(helpers[i], "pipe", &hold);

		assert_int_equal(kill(pid, SIGSTOP), 0);
		watch_until(watch_state(pid) == 'T', "the process to stop");
		watch_until(was_stopped(watch, pid), "a long stop");
		close(hold);
		assert_int_equal(kill(pid, SIGCONT), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		watch_until_exit(watch, pid);
		wall_assert_final_adds_up(watch, pid);
		wall_assert_most(wall_final(watch, pid), "other");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_classes_of_one_thread_add_up_to_its_life),
		cmocka_unit_test(the_classes_of_many_threads_add_up_to_its_life),
		cmocka_unit_test(an_idle_thread_does_not_hide_what_the_first_one_waits_for),
		cmocka_unit_test(a_ticker_does_not_hide_what_the_first_thread_waits_for),
		cmocka_unit_test(a_sample_is_no_more_than_the_life_so_far),
		cmocka_unit_test(an_exec_of_another_thread_begins_anew),
		cmocka_unit_test(threads_from_before_the_probe_have_no_more_than_their_life),
		cmocka_unit_test(a_killed_agents_successor_counts_from_its_begin),
		cmocka_unit_test(a_stopped_process_is_in_other),
	};

	return cmocka_run_group_tests(tests, watch_mount_pins, watch_unmount_pins);
}
