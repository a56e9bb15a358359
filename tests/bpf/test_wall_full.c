/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "probe/abi/wait.h"
#include "probe/abi/wall.h"
#include "wall_figures.h"
#include "watch.h"

/* Wall time where there is no room: in the tables of the kernel side, in the ring. */

DEFINE_CLEANUP(struct watch *, watch_free)

#define NOBODY 0x40000000U /* above all process ids */

/* Takes all the room of a hash table. Returns how many entries were free. */
static uint32_t fill(const char *name, size_t value_bytes)
{
	CLEANUP(freep) void *value = calloc(1, value_bytes);
	int map = wall_map(name);
	uint32_t count = 0, key = NOBODY;

	assert_non_null(value);
	for (; !bpf_map_update_elem(map, &key, value, BPF_NOEXIST); key++)
		count++;
	return count;
}

static void clear(const char *name, uint32_t count)
{
	int map = wall_map(name);

	for (uint32_t key = NOBODY; key < NOBODY + count; key++)
		assert_int_equal(bpf_map_delete_elem(map, &key), 0);
}

static pid_t start(const char *scenario, const char *first, const char *second, int *ret_hold)
{
	return watch_start(
		(const char *const[]){ watch_driver_path(), scenario, first, second, NULL },
		ret_hold);
}

static const struct probe_figures *end(struct watch *watch, pid_t pid, int hold)
{
	close(hold);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	watch_until_exit(watch, pid);
	wall_assert_freed(pid);
	return wall_final(watch, pid);
}

static bool waited_for_pipe(struct watch *watch, pid_t pid)
{
	const struct probe_alive *latest = watch_latest(watch, pid);

	return latest && latest->figures.pipe_read_ns > WALL_LONG_NS;
}

/* Then everything is as if nothing had been full. */
static void assert_known(struct watch *watch)
{
	int hold;
	pid_t pid = start("beside", "idle", "pipe", &hold);

	watch_until(waited_for_pipe(watch, pid), "a long wait");
	wall_assert_most(end(watch, pid, hold), "pipe_read");
	wall_assert_final_adds_up(watch, pid);
}

static uint64_t sum_of(struct watch *watch, pid_t pid)
{
	return wall_sum(&watch_sample(watch, pid)->figures);
}

static uint64_t life_ns(const struct watch *watch, pid_t pid)
{
	return watch_find(watch, WATCH_EXIT, pid, 0)->exit.at_ns -
	       watch_find(watch, WATCH_IMAGE, pid, 0)->image.at_ns;
}

static void processes_beyond_the_limit_are_unknown_and_others_are_not(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	int before_hold, hold, single_hold;
	pid_t before = start("beside", "idle", "pipe", &before_hold), pid, single;
	uint32_t count = fill("walls", sizeof(struct wall));

	assert_int_equal(count, WALLS_MAX - 1);
	pid = start("beside", "idle", "pipe", &hold);
	single = start("beside", "none", "pipe", &single_hold);
	watch_until(waited_for_pipe(watch, pid), "a long wait");
	assert_int_equal(sum_of(watch, pid), 0);
	assert_int_equal(wall_sum(end(watch, pid, hold)), 0);
	wall_assert_most(end(watch, single, single_hold), "pipe_read");
	wall_assert_final_adds_up(watch, single);
	wall_assert_most(end(watch, before, before_hold), "pipe_read");
	wall_assert_final_adds_up(watch, before);
	assert_int_equal(fill("walls", sizeof(struct wall)), 0); /* from its first key on */
	clear("walls", count);
	assert_known(watch);
}

/* A process that had several threads while there was no room counts from its next ones on: what
 * those before did is not known, and nothing of it counts. */
static void what_began_without_room_counts_from_its_next_threads_on(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	uint32_t count;
	int hold;
	pid_t pid;

	count = fill("walls", sizeof(struct wall));
	pid = start("pool", "8", NULL, &hold);
	watch_until(waited_for_pipe(watch, pid), "a long wait");
	assert_int_equal(sum_of(watch, pid), 0);
	clear("walls", count);
	assert_int_equal(write(hold, "n", 1), 1);
	watch_until(watch_sample(watch, pid)->figures.wall_pipe_read_ns > WALL_LONG_NS / 10,
		    "wall time");
	wall_assert_most(end(watch, pid, hold), "pipe_read");
	wall_assert_within(wall_final(watch, pid), life_ns(watch, pid) - WALL_LONG_NS);
}

/* In the table of threads: its slots, of which the free ones are taken, and its overflow. */
static uint32_t fill_threads(void)
{
	int slots = wall_map("waiters");
	struct waiter waiter;

	for (uint32_t slot = 0; slot < WAIT_SLOTS; slot++) {
		assert_int_equal(bpf_map_lookup_elem(slots, &slot, &waiter), 0);
		if (waiter.tid)
			continue;
		waiter.tid = NOBODY;
		assert_int_equal(bpf_map_update_elem(slots, &slot, &waiter, BPF_ANY), 0);
	}
	return fill("waiters_crowd", sizeof(struct waiter));
}

static void clear_threads(uint32_t count)
{
	int slots = wall_map("waiters");
	struct waiter waiter;

	for (uint32_t slot = 0; slot < WAIT_SLOTS; slot++) {
		assert_int_equal(bpf_map_lookup_elem(slots, &slot, &waiter), 0);
		if (waiter.tid != NOBODY)
			continue;
		waiter.tid = 0;
		assert_int_equal(bpf_map_update_elem(slots, &slot, &waiter, BPF_ANY), 0);
	}
	clear("waiters_crowd", count);
}

/* A thread for which there is no room may compute while all others wait. */
static void a_process_with_a_thread_beyond_the_limit_is_unknown(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	int hold, late_hold, single_hold;
	pid_t pid = start("grow", "2", NULL, &hold), late, single;
	uint32_t count;

	watch_until(sum_of(watch, pid) > 0, "wall time");
	count = fill_threads();
	assert_in_range(count, WAIT_CROWD_MAX - 3, WAIT_CROWD_MAX);
	assert_int_equal(write(hold, "n", 1), 1);
	watch_until(!sum_of(watch, pid), "its wall time to be unknown");
	late = start("beside", "idle", "pipe", &late_hold);
	single = start("beside", "none", "pipe", &single_hold);
	assert_int_equal(sum_of(watch, late), 0);
	clear_threads(count);
	assert_int_equal(wall_sum(end(watch, single, single_hold)), 0);
	assert_int_equal(wall_sum(end(watch, late, late_hold)), 0);
	assert_int_equal(wall_sum(end(watch, pid, hold)), 0);
	assert_known(watch);
}

#define SMALL_RING 1 /* as small as it can be: 128 KiB */

/* Threads are counted in the kernel, whether or not the agent gets a record. */
static void lost_records_change_no_wall_time(void **state)
{
	const char *const names[] = { watch_driver_name() };
	const char *const spawn[] = { "spawn", "400", NULL };
	CLEANUP(watch_freep) struct watch *watch = NULL;
	struct probe_losses losses;
	int hold, other_hold;
	pid_t pid, other;

	watch_driver_done();
	watch = watch_new(&(struct probe_options){
		.names = names, .name_count = 1, .ring_bytes = SMALL_RING });
	pid = start("pool", "8", NULL, &hold);
	watch_poll(watch);
	watch_run(spawn, NULL, NULL);
	assert_int_equal(write(hold, "n", 1), 1); /* its threads end, new ones begin */
	other = start("beside", "ticker", "pipe", &other_hold);
	close(other_hold);
	assert_int_equal(waitpid(other, NULL, 0), other);
	watch_until(watch_is_dropped(other), "a process to be freed");
	wall_assert_freed(other);
	assert_int_equal(probe_losses(watch->probe, &losses), 0);
	assert_true(losses.exit > 0);
	watch_poll(watch);
	assert_null(watch_find(watch, WATCH_EXIT, other, 0));
	watch_until(waited_for_pipe(watch, pid), "a long wait");
	wall_assert_most(end(watch, pid, hold), "pipe_read");
	wall_assert_final_adds_up(watch, pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_beyond_the_limit_are_unknown_and_others_are_not),
		cmocka_unit_test(what_began_without_room_counts_from_its_next_threads_on),
		cmocka_unit_test(a_process_with_a_thread_beyond_the_limit_is_unknown),
		cmocka_unit_test(lost_records_change_no_wall_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
