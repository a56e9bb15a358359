/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

#define MIB      (1UL << 20)
#define TICK_NS  4000000LL /* at 250 Hz; at 100 Hz it is 10 ms, at 1,000 Hz 1 ms */
#define RUN(...) watch_run((const char *const[]){ __VA_ARGS__, NULL }, &status, NULL)

/* A scenario started by a tracked driver, so that the consumption of the child before its exec is
 * known as well: wait4 counts it, the image does not. */
struct measured {
	pid_t pid;
	int64_t cpu_ns;  /* of the process, by wait4 */
	int64_t seen_ns; /* of all its images, by the probe */
	const struct probe_figures *figures;
};

static int64_t sum(const struct probe_figures *figures)
{
	return (int64_t)(figures->user_ns + figures->kernel_ns);
}

static struct measured measure(struct watch *watch, const char *const *arguments)
{
	const char *argv[16] = { watch_driver_path(), "measure" };
	struct measured measured = { 0 };
	const struct watch_record *image;
	char text[32] = "";
	int out[2];
	pid_t pid;

	for (size_t i = 0; arguments[i] && i < 13; i++)
		argv[i + 2] = arguments[i];
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	pid = watch_spawn(argv, -1, out[1]);
	close(out[1]);
	assert_true(read(out[0], text, sizeof(text) - 1) > 0);
	close(out[0]);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	measured.cpu_ns = strtoll(text, NULL, 10) * 1000;
	measured.pid = (pid_t)watch_child(watch, pid, 0)->image.key.pid;
	measured.figures = watch_final(watch, measured.pid);
	measured.seen_ns = sum(measured.figures);
	for (size_t i = 0; (image = watch_find(watch, WATCH_IMAGE, measured.pid, i)); i++)
		measured.seen_ns += sum(&image->image.replaced_figures);
	return measured;
}

#define MEASURE(...) measure(watch, (const char *const[]){ __VA_ARGS__, NULL })

static void assert_cpu(const struct measured *measured)
{
	int64_t within_ns = measured->cpu_ns / 100 > TICK_NS ? measured->cpu_ns / 100 : TICK_NS;

	if (llabs(measured->seen_ns - measured->cpu_ns) > within_ns)
		fail_msg("CPU %lld ns, wait4 says %lld ns", (long long)measured->seen_ns,
			 (long long)measured->cpu_ns);
}

static void cpu_is_wait4s_within_a_hundredth_or_a_tick(void **state)
{
	static const char *const ms[] = { "1", "10", "100", "700" };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < 4; i++) {
		struct measured measured = MEASURE("burn", ms[i]);

		assert_cpu(&measured);
	}
}

static void cpu_of_all_images_of_a_process_adds_up_to_wait4s(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct measured measured = MEASURE("chain", "40", "chain", "20", "burn", "10");

	assert_int_equal(watch_count(watch, WATCH_IMAGE, measured.pid), 3);
	assert_cpu(&measured);
	measured = MEASURE("chain_thread", "gone", "40", "burn", "10");
	assert_int_equal(watch_count(watch, WATCH_IMAGE, measured.pid), 2);
	assert_cpu(&measured);
}

static void cpu_of_many_threads_is_wait4s(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (int i = 0; i < 2; i++) {
		struct measured measured =
			MEASURE("threads", "16", "20", i ? "leader-first" : "leader-last");

		assert_cpu(&measured);
		assert_int_equal(measured.figures->threads_peak, 17);
	}
}

/* 300 µs are less than a tenth of a tick: sum_exec_runtime alone would mostly be 0. */
static void a_process_of_300_us_has_its_cpu(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (int i = 0; i < 50; i++) {
		struct measured measured = MEASURE("spend", "300");

		if (sum(measured.figures) < 300000)
			fail_msg("CPU %lld ns, of all images %lld ns, wait4 says %lld ns",
				 (long long)sum(measured.figures), (long long)measured.seen_ns,
				 (long long)measured.cpu_ns);
		assert_cpu(&measured);
	}
}

static void characters_are_counted_to_the_byte(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct probe_figures none, some;
	int status;
	pid_t pid;

	pid = RUN("io", "0", "0");
	watch_until_exit(watch, pid);
	none = *watch_final(watch, pid);
	pid = RUN("io", "1234567", "7654321");
	watch_until_exit(watch, pid);
	some = *watch_final(watch, pid);
	assert_int_equal(some.read_chars_bytes - none.read_chars_bytes, 1234567);
	assert_int_equal(some.write_chars_bytes - none.write_chars_bytes, 7654321);
}

/* The kernel adds what a reaped child read and wrote to its parent's sums. */
static void what_a_child_did_is_the_childs_alone(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_figures *parent;
	int status;
	pid_t pid;

	pid = RUN("after_child", "5000000", "5000000", "burn", "20");
	watch_until_exit(watch, pid);
	parent = &watch_find(watch, WATCH_IMAGE, pid, 1)->image.replaced_figures;
	assert_true(parent->read_chars_bytes < 10000);
	assert_int_equal(parent->write_chars_bytes, 0);
	parent = watch_final(watch, pid);
	assert_true(parent->read_chars_bytes < 10000);
	assert_int_equal(parent->write_chars_bytes, 0);
	assert_true(watch_final(watch, (pid_t)watch_child(watch, pid, 0)->image.key.pid)
			    ->write_chars_bytes == 5000000);
}

static void the_peak_is_what_was_touched(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_figures *figures;
	int status;
	pid_t pid;

	pid = RUN("touch", "100");
	watch_until_exit(watch, pid);
	figures = watch_final(watch, pid);
	assert_true(figures->peak_exact);
	assert_true(figures->rss_peak_bytes > 100 * MIB);
	assert_true(figures->rss_peak_bytes < 104 * MIB);
	assert_true(figures->minor_faults > 100 * MIB / 4096);
	assert_true(figures->minor_faults < 100 * MIB / 4096 + 1000);
}

static void small_from_large(const char *how)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct watch_record *small;
	const struct probe_figures *figures;
	int status;
	pid_t pid;

	pid = RUN("small_from_large", how, "1024");
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	assert_true(watch_final(watch, pid)->rss_peak_bytes > 1024 * MIB);
	small = watch_child(watch, pid, 0);
	assert_non_null(small);
	figures = watch_final(watch, (pid_t)small->image.key.pid);
	assert_true(figures->peak_exact);
	assert_true(figures->rss_peak_bytes > 1 * MIB);
	assert_true(figures->rss_peak_bytes < 4 * MIB);
}

static void a_small_tool_of_a_1_gib_parent_peaks_small(void **state)
{
	small_from_large("fork");
	small_from_large("vfork");
}

/* A sample with more CPU time than that; NULL: not yet. */
static const struct probe_alive *sampled_beyond(struct watch *watch, pid_t pid, int64_t cpu_ns)
{
	const struct probe_alive *latest = watch_latest(watch, pid);

	return latest && sum(&latest->figures) > cpu_ns ? latest : NULL;
}

static void a_sample_shows_live_processes_with_their_threads_summed(void **state)
{
	const char *const argv[] = { watch_driver_path(), "threads", "4", "0", "released", NULL };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct probe_figures first, second;
	const struct probe_figures *last;
	int hold;
	pid_t pid = watch_start(argv, &hold);

	first = watch_sample(watch, pid)->figures;
	second = watch_until(sampled_beyond(watch, pid, sum(&first)), "more CPU time")->figures;
	close(hold);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	last = watch_final(watch, pid);
	assert_int_equal(first.threads, 5);
	assert_true(sum(last) >= sum(&second));
	assert_true(first.rss_bytes > 0 && first.rss_bytes <= last->rss_peak_bytes);
	assert_int_equal(probe_sample(watch->probe), 0);
}

/* Starts a process that keeps all others off this CPU until it is killed. It must not keep `other`
 * open. */
static pid_t hold_cpu(int cpu, int other)
{
	const struct sched_param first = { .sched_priority = 1 };
	char byte;
	int ready[2];
	cpu_set_t only;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid) {
		close(ready[1]);
		assert_int_equal(read(ready[0], &byte, 1), 1);
		close(ready[0]);
		return pid;
	}
	close(other);
	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (sched_setaffinity(0, sizeof(only), &only) ||
	    sched_setscheduler(0, SCHED_FIFO, &first) || write(ready[1], "r", 1) != 1)
		_exit(1);
	for (;;) {
	}
}

static pid_t start_on(int cpu, const char *const *argv, int *ret_hold)
{
	cpu_set_t all, only;
	pid_t pid;

	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	assert_return_code(sched_getaffinity(0, sizeof(all), &all), errno);
	assert_return_code(sched_setaffinity(0, sizeof(only), &only), errno);
	pid = watch_start(argv, ret_hold);
	assert_return_code(sched_setaffinity(0, sizeof(all), &all), errno);
	return pid;
}

static void what_is_awake_and_gets_no_cpu_no_longer_waits_in_a_sample(void **state)
{
	const char *const argv[] = { watch_driver_path(), "tree", "0", NULL };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct watch_record *alive;
	const struct probe_figures *last;
	int status, hold;
	pid_t pid = start_on(1, argv, &hold), holder;

	watch_until(watch_state(pid) == 'S', "the driver to sleep");
	holder = hold_cpu(1, hold);
	close(hold);
	/* The kernel reserves a twentieth of each second for others, so the driver may have ended.
	 */
	watch_until(watch_state(pid) != 'S', "the driver to be woken");
	for (int i = 0; i < 3; i++) {
		watch_nap();
		assert_true(probe_sample(watch->probe) >= 0);
	}
	kill(holder, SIGKILL);
	assert_int_equal(waitpid(holder, &status, 0), holder);
	assert_true(WIFSIGNALED(status));
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	last = watch_final(watch, pid);
	for (size_t i = 0; (alive = watch_find(watch, WATCH_ALIVE, pid, i)); i++) {
		assert_true(alive->alive.figures.runnable_ns > 0);
		/* It was awake for 10 to 30 ms of naps. Who queues is by another clock, some µs
		 * apart. */
		if (alive->alive.figures.pipe_read_ns > last->pipe_read_ns + 5000000)
			fail_msg("a sample has %llu ns in pipe_read, the end %llu ns",
				 (unsigned long long)alive->alive.figures.pipe_read_ns,
				 (unsigned long long)last->pipe_read_ns);
	}
}

static void a_fork_is_reported_by_the_next_sample_at_the_latest(void **state)
{
	const char *const argv[] = { watch_driver_path(), "forks", "1", "0", NULL };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	size_t forks = 0;
	int hold;
	pid_t pid = watch_start(argv, &hold);

	assert_int_equal(probe_sample(watch->probe), 2);
	watch_poll(watch);
	for (size_t i = 0; i < watch->count; i++)
		forks += watch->records[i].kind == WATCH_FORK &&
			 watch->records[i].fork.parent.pid == (uint32_t)pid;
	assert_int_equal(forks, 1);
	assert_int_equal(watch_count(watch, WATCH_EXIT, pid), 0);
	close(hold);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_is_wait4s_within_a_hundredth_or_a_tick),
		cmocka_unit_test(cpu_of_all_images_of_a_process_adds_up_to_wait4s),
		cmocka_unit_test(cpu_of_many_threads_is_wait4s),
		cmocka_unit_test(a_process_of_300_us_has_its_cpu),
		cmocka_unit_test(characters_are_counted_to_the_byte),
		cmocka_unit_test(what_a_child_did_is_the_childs_alone),
		cmocka_unit_test(the_peak_is_what_was_touched),
		cmocka_unit_test(a_small_tool_of_a_1_gib_parent_peaks_small),
		cmocka_unit_test(a_sample_shows_live_processes_with_their_threads_summed),
		cmocka_unit_test(what_is_awake_and_gets_no_cpu_no_longer_waits_in_a_sample),
		cmocka_unit_test(a_fork_is_reported_by_the_next_sample_at_the_latest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
