/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* A driver that runs until `hold` is closed, begun before the probe. */
struct running {
	pid_t pid;
	int hold;
};

static struct running start(const char *const *argv)
{
	struct running running;

	watch_driver_done();
	running.pid = watch_start(argv, &running.hold);
	return running;
}

static void stop(const struct running *running)
{
	int status;

	close(running->hold);
	assert_int_equal(waitpid(running->pid, &status, 0), running->pid);
	assert_int_equal(status, 0);
}

static void a_running_tree_is_found_with_all_its_descendants(void **state)
{
	const char *const argv[] = { watch_driver_path(), "tree", "5", NULL };
	struct running running = start(argv);
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct watch_record *at;
	pid_t parent = running.pid;

	assert_int_equal(probe_scan(watch->probe), 0);
	at = watch_find(watch, WATCH_IMAGE, running.pid, 0);
	assert_non_null(at);
	assert_int_equal(at->image.parent.pid, getpid());
	assert_string_equal(at->image.argv[1], "tree");
	for (int i = 0; i < 5; i++) {
		char depth[16];

		at = watch_child(watch, parent, 0);
		assert_non_null(at);
		assert_true(at->image.found);
		snprintf(depth, sizeof(depth), "%d", 4 - i);
		assert_string_equal(at->image.argv[2], depth);
		parent = (pid_t)at->image.key.pid;
	}
	assert_null(watch_child(watch, parent, 0));
	assert_int_equal(probe_sample(watch->probe), 6);
	assert_false(watch_find(watch, WATCH_ALIVE, parent, 0)->alive.figures.baseline_known);
	stop(&running);
	watch_until_exit(watch, running.pid);
	assert_int_equal(watch_count(watch, WATCH_EXIT, parent), 1);
}

static void what_is_not_named_is_not_found(void **state)
{
	const char *const argv[] = { watch_driver_path(), "tree", "1", NULL };
	struct running running = start(argv);
	CLEANUP(watch_freep) struct watch *watch = watch_new(&(struct probe_options){ 0 });

	assert_int_equal(probe_scan(watch->probe), 0);
	assert_int_equal(probe_sample(watch->probe), 0);
	assert_int_equal(watch->count, 0);
	stop(&running);
}

static void what_the_owner_knows_is_found_whatever_its_name(void **state)
{
	const char *const argv[] = { watch_driver_path(), "tree", "1", NULL };
	struct running running = start(argv), other = start(argv);
	CLEANUP(watch_freep) struct watch *watch = watch_new(&(struct probe_options){ 0 });

	watch->known = running.pid;
	assert_int_equal(probe_scan(watch->probe), 0);
	assert_int_equal(watch->count, 2); /* with its child; nothing of the other */
	assert_non_null(watch_find(watch, WATCH_IMAGE, running.pid, 0));
	assert_non_null(watch_child(watch, running.pid, 0));
	stop(&running);
	watch_until_exit(watch, running.pid);
	stop(&other);
}

static void what_lives_without_its_first_thread_is_found(void **state)
{
	const char *const argv[] = { watch_driver_path(), "headless", NULL };
	struct running running = start(argv);
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct watch_record *found;

	assert_int_equal(probe_scan(watch->probe), 0);
	found = watch_find(watch, WATCH_IMAGE, running.pid, 0);
	assert_non_null(found);
	assert_true(text_ends_with(found->image.exe, "/probe_driver"));
	assert_string_equal(found->image.argv[1], "headless");
	assert_int_equal(probe_sample(watch->probe), 1);
	stop(&running);
	watch_until_exit(watch, running.pid);
	assert_int_equal(watch_count(watch, WATCH_EXIT, running.pid), 1);
	assert_int_equal(watch_find(watch, WATCH_EXIT, running.pid, 0)->exit.exit_code, 0);
}

static void a_script_that_runs_is_found_by_its_name(void **state)
{
	static const char *const script[] = { "probe_found.sh" };
	const char *const argv[] = { "/bin/sh", "-e", "/tmp/probe_found.sh", NULL };
	FILE *file = fopen(argv[2], "we");
	struct running running;
	CLEANUP(watch_freep) struct watch *watch = NULL;

	assert_non_null(file);
	fputs("printf r\nread line || true\n", file);
	fclose(file);
	running = start(argv);
	watch = watch_new(&(struct probe_options){ .names = script, .name_count = 1 });
	assert_int_equal(probe_scan(watch->probe), 0);
	assert_int_equal(watch->count, 1);
	assert_int_equal(watch->records[0].image.key.pid, running.pid);
	unlink(argv[2]);
	stop(&running);
	watch_until_exit(watch, running.pid);
}

static bool has_forked(struct watch *watch, pid_t parent, size_t often)
{
	watch_poll(watch);
	for (size_t i = 0; i < watch->count; i++)
		if (watch->records[i].kind == WATCH_FORK &&
		    watch->records[i].fork.parent.pid == (uint32_t)parent && !often--)
			return true;
	return false;
}

/* A process forked while the passes run is either found or reported as a fork. */
static void nothing_forked_during_the_scan_is_missed(void **state)
{
	const char *const argv[] = { watch_driver_path(), "breed", NULL };
	struct running running = start(argv);
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	size_t forks = 0, ends = 0;
	uint64_t before = 0;

	assert_int_equal(probe_scan(watch->probe), 0);
	watch_until(has_forked(watch, running.pid, 50), "50 forks");
	stop(&running);
	watch_until_exit(watch, running.pid);
	for (size_t i = 0; i < watch->count; i++) {
		const struct watch_record *record = &watch->records[i];

		if (record->kind == WATCH_FORK) {
			assert_int_equal(record->fork.parent.pid, running.pid);
			assert_non_null(
				watch_find(watch, WATCH_EXIT, (pid_t)record->fork.key.pid, 0));
			forks++;
		}
		if (record->kind == WATCH_EXIT) {
			assert_true(record->exit.at_ns >= before);
			before = record->exit.at_ns;
			ends++;
		}
	}
	assert_true(forks > 50);
	assert_in_range(ends - forks, 1, 2); /* the breeder, and at most one child found */
}

/* An agent that is killed: no close, no clean-up. */
static void agent_that_is_killed(const char *const *argv, struct running *running)
{
	int ready[2];
	char byte;
	pid_t agent;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	watch_driver_path(); /* before the fork: the link is this process's to remove */
	agent = fork();
	if (!agent) {
		const struct probe_handler handler = { 0 };
		const char *const names[] = { watch_driver_name() };
		const struct probe_options options = { .names = names,
						       .name_count = 1,
						       .pin_folder = watch_pins };
		struct probe *probe;

		if (!probe_open(&probe, &options, &handler, NULL) && write(ready[1], "r", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	*running = start(argv);
	kill(agent, SIGKILL);
	waitpid(agent, NULL, 0);
	close(ready[0]);
	close(ready[1]);
}

static void a_killed_agents_successor_knows_where_each_image_began(void **state)
{
	const char *const argv[] = { watch_driver_path(), "chain", "100", "tree", "0", NULL };
	struct running running;
	const struct probe_figures *figures;
	const struct watch_record *found;
	CLEANUP(watch_freep) struct watch *watch = NULL;

	agent_that_is_killed(argv, &running);
	watch = watch_pinned();
	assert_int_equal(probe_scan(watch->probe), 0);
	found = watch_find(watch, WATCH_IMAGE, running.pid, 0);
	assert_non_null(found);
	assert_string_equal(found->image.argv[1], "tree");
	stop(&running);
	watch_until_exit(watch, running.pid);
	figures = watch_final(watch, running.pid);
	assert_true(figures->baseline_known);
	assert_true(figures->user_ns + figures->kernel_ns <
		    100000000); /* not what it burnt before */
	assert_true(figures->rss_peak_bytes < 16 << 20);
}

static void a_pin_of_another_layout_is_replaced(void **state)
{
	const char *const argv[] = { watch_driver_path(), "nothing", NULL };
	CLEANUP(watch_freep) struct watch *watch = NULL;
	char path[128];
	pid_t pid;
	int fd;

	snprintf(path, sizeof(path), "%s/processes-6", watch_pins);
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "other", 4, 8, 1, NULL);
	assert_true(fd >= 0);
	assert_int_equal(bpf_obj_pin(fd, path), 0);
	close(fd);
	watch = watch_pinned();
	pid = watch_spawn(argv, -1, -1);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(access(path, F_OK), 0);
	watch_free(TAKE_PTR(watch));
	assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_running_tree_is_found_with_all_its_descendants),
		cmocka_unit_test(what_is_not_named_is_not_found),
		cmocka_unit_test(what_the_owner_knows_is_found_whatever_its_name),
		cmocka_unit_test(what_lives_without_its_first_thread_is_found),
		cmocka_unit_test(a_script_that_runs_is_found_by_its_name),
		cmocka_unit_test(nothing_forked_during_the_scan_is_missed),
		cmocka_unit_test(a_killed_agents_successor_knows_where_each_image_began),
		cmocka_unit_test(a_pin_of_another_layout_is_replaced),
	};

	return cmocka_run_group_tests(tests, watch_mount_pins, watch_unmount_pins);
}
