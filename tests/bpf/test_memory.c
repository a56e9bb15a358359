/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "fixture_cgroup.h"
#include "loop_disk.h"
#include "watch.h"

#define SWAP_BYTES (32L << 20)
#define LIMIT      "12582912"

DEFINE_CLEANUP(struct watch *, watch_free)

static void resident_memory_is_reported_by_kind(void **state)
{
	const char *const argv[] = { watch_driver_path(), "hold", "96", NULL };
	const uint64_t third = 32ULL << 20, slack = 4ULL << 20;
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_figures *figures;
	int until;
	pid_t pid = watch_start(argv, &until);

	watch_poll(watch);
	assert_true(probe_sample(watch->probe) > 0);
	close(until);
	waitpid(pid, NULL, 0);
	figures = &watch_find(watch, WATCH_ALIVE, pid, 0)->alive.figures;
	assert_int_equal(figures->rss_bytes, figures->rss_anon_bytes + figures->rss_file_bytes +
						     figures->rss_shmem_bytes);
	assert_in_range(figures->rss_anon_bytes, third, third + slack);
	assert_in_range(figures->rss_file_bytes, third, third + slack);
	assert_in_range(figures->rss_shmem_bytes, third, third + slack);
	assert_int_equal(figures->swap_bytes, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(watch_final(watch, pid)->rss_anon_bytes, 0);
}

/* Of all that is mapped, by its page tables (the kernel's VmSwap is rounded). */
static uint64_t swapped_bytes(pid_t pid)
{
	char path[64], line[256];
	unsigned long long kib = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", pid);
	file = fopen(path, "re");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) && sscanf(line, "Swap: %llu kB", &kib) != 1)
		;
	fclose(file);
	return kib << 10;
}

static void swapped_memory_is_reported_and_so_is_the_wait_for_it(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	char processes[256];
	const char *const argv[] = { watch_driver_path(), "swap", "24", processes, NULL };
	const struct probe_figures *figures;
	struct rusage usage;
	uint64_t swapped;
	int until;
	pid_t pid;

	cgroup_home_make(&home, "swap");
	cgroup_home_limit_memory(&home, LIMIT);
	snprintf(processes, sizeof(processes), "/sys/fs/cgroup/memory%s/cgroup.procs", home.path);
	if (access(processes, W_OK))
		snprintf(processes, sizeof(processes), "/sys/fs/cgroup%s/cgroup.procs", home.path);
	pid = watch_start(argv, &until);
	watch_poll(watch);
	swapped = swapped_bytes(pid);
	assert_in_range(swapped, 8 << 20, 24 << 20);
	assert_true(probe_sample(watch->probe) > 0);
	figures = &watch_find(watch, WATCH_ALIVE, pid, 0)->alive.figures;
	assert_int_equal(figures->swap_bytes, swapped);
	close(until);
	assert_int_equal(wait4(pid, NULL, 0, &usage), pid);
	watch_until_exit(watch, pid);
	figures = watch_final(watch, pid);
	assert_true(usage.ru_majflt > 0);
	assert_int_equal(figures->major_faults, usage.ru_majflt);
	assert_true(figures->paging_ns > 0);
	assert_int_equal(figures->swap_bytes, 0);
}

/* A disk to swap to, of this test's own, ahead of others. */
static int begin_swapping(void **state)
{
	static struct loop_disk disk;
	char command[64];

	if (loop_disk_make(&disk, SWAP_BYTES))
		return -1;
	*state = &disk;
	snprintf(command, sizeof(command), "/sbin/mkswap %s >/dev/null", disk.path);
	if (system(command))
		fail_msg("mkswap %s", disk.path);
	if (swapon(disk.path, SWAP_FLAG_PREFER | SWAP_FLAG_PRIO_MASK))
		fail_msg("swapon %s: %s", disk.path, strerror(errno));
	return 0;
}

static int end_swapping(void **state)
{
	struct loop_disk *disk = *state;

	swapoff(disk->path);
	loop_disk_remove(disk);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resident_memory_is_reported_by_kind),
		cmocka_unit_test_setup_teardown(
			swapped_memory_is_reported_and_so_is_the_wait_for_it, begin_swapping,
			end_swapping),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
