/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/cgroup/cgroup.h"
#include "fixture_cgroup.h"
#include "wait.h"

static void a_number_is_found_by_its_key_and_only_by_it(void **state)
{
	static const char stat[] = "nr_periods 12\nnr_throttled 5\nthrottled_time 81\n";
	static const char psi[] = "some avg10=0.00 avg60=1.00 avg300=0.00 total=42\n"
				  "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
	uint64_t value = 99;

	assert_true(cgroup_usage_value(stat, "nr_throttled", &value));
	assert_int_equal(value, 5);
	assert_true(cgroup_usage_value(psi, "some", &value));
	assert_int_equal(value, 42);
	assert_true(cgroup_usage_value(psi, "full", &value));
	assert_int_equal(value, 7);
	assert_true(cgroup_usage_value("4096\n", NULL, &value));
	assert_int_equal(value, 4096);
	assert_false(cgroup_usage_value(stat, "throttled", &value));
	assert_false(cgroup_usage_value(stat, "nr", &value));
	assert_false(cgroup_usage_value("", "nr_periods", &value));
	assert_false(cgroup_usage_value("max\n", NULL, &value));
	assert_false(cgroup_usage_value("some avg10=0.00\nfull total=3\n", "some", &value));
	assert_int_equal(value, 4096);
}

/* 64 MiB, kept; then spins without end. */
static void work(void)
{
	size_t size = 64u << 20;
	volatile char *memory = malloc(size);

	for (size_t i = 0; memory && i < size; i += 4096)
		memory[i] = 1;
	for (;;)
		;
}

/* All that the process used so far, as the scheduler counts it. */
static uint64_t cpu_of(pid_t pid)
{
	struct timespec used;
	clockid_t clock;

	assert_int_equal(clock_getcpuclockid(pid, &clock), 0);
	assert_int_equal(clock_gettime(clock, &used), 0);
	return (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
}

static void throttling_and_memory_are_read_as_the_kernel_keeps_them(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct cgroup_usage usage;
	struct cgroups *cgroups;
	struct cgroup *cgroup;
	struct error err = { 0 };
	uint64_t used_ns;
	pid_t child;

	cgroup_home_make(&home, "usage");
	cgroup_home_limit_cpu(&home, 20000, 100000);
	child = fork();
	if (child == 0) {
		cgroup_home_join(&home, getpid());
		work();
	}
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_add(cgroups, cgroup_home_id(&home), (uint32_t)child, NULL);
	WAIT_FOR(cgroups_usage(cgroups, cgroup, &usage) && usage.memory_bytes >= 64u << 20 &&
			 usage.cpu_throttled_periods >= 3,
		 "64 MiB and three throttled periods");
	used_ns = cpu_of(child);
	cgroup_home_end(child);
	assert_true(cgroup->cpu_limit == 0.2);
	assert_true(usage.cpu_periods >= usage.cpu_throttled_periods);
	assert_true(usage.cpu_throttled_ns > 0);
	assert_in_range(usage.cpu_ns, 1, used_ns);
	assert_true(usage.memory_peak_bytes == 0 || usage.memory_peak_bytes >= usage.memory_bytes);
	assert_int_equal(usage.memory_oom_kills, 0);
	cgroups_free(cgroups);
}

static void an_oom_kill_is_counted(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct cgroup_usage usage;
	struct cgroups *cgroups;
	struct cgroup *cgroup;
	struct error err = { 0 };
	pid_t child;

	cgroup_home_make(&home, "oom");
	cgroup_home_limit_memory(&home, "16777216");
	child = fork();
	if (child == 0) {
		cgroup_home_join(&home, getpid());
		work();
	}
	assert_int_equal(cgroup_home_wait(child), SIGKILL);
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_add(cgroups, cgroup_home_id(&home), 0, NULL);
	assert_true(cgroups_usage(cgroups, cgroup, &usage));
	assert_int_equal(cgroup->memory_limit_bytes, 16777216);
	assert_int_equal(usage.memory_oom_kills, 1);
	assert_true(usage.memory_max_events > 0);
	cgroups_free(cgroups);
}

#define BLOCK    (1u << 20)
#define HELD     (32 * BLOCK)
#define FILE_LEN (96 * BLOCK)

/* Holds 32 MiB and leaves 96 MiB of a file in the page cache. */
static void hold_and_write(const char *path)
{
	static char block[BLOCK];
	volatile char *memory = malloc(HELD);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	for (size_t i = 0; memory && i < HELD; i += 4096)
		memory[i] = 1;
	memset(block, 1, sizeof(block));
	for (size_t i = 0; i < FILE_LEN; i += BLOCK)
		if (write(fd, block, BLOCK) != BLOCK)
			_exit(1);
	(void)fsync(fd);
	for (;;)
		(void)pause();
}

static void page_cache_is_memory_that_can_be_reclaimed(void **state)
{
	static const char path[] = "page_cache_of_a_test";
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct cgroup_usage usage;
	struct cgroups *cgroups;
	struct cgroup *cgroup;
	struct error err = { 0 };
	pid_t child;

	cgroup_home_make(&home, "cache");
	child = fork();
	if (child == 0) {
		cgroup_home_join(&home, getpid());
		hold_and_write(path);
	}
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_add(cgroups, cgroup_home_id(&home), (uint32_t)child, NULL);
	WAIT_FOR(cgroups_usage(cgroups, cgroup, &usage) && usage.memory_bytes >= HELD + FILE_LEN,
		 "what it holds, and the file");
	cgroup_home_end(child);
	(void)unlink(path);
	assert_in_range(usage.memory_unreclaimable_bytes, HELD, HELD + FILE_LEN / 2);
	cgroups_free(cgroups);
}

static void what_is_gone_has_no_usage(void **state)
{
	struct cgroup_home home;
	struct cgroup_usage usage;
	struct cgroups *cgroups;
	struct cgroup *cgroup;
	struct error err = { 0 };

	cgroup_home_make(&home, "gone");
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_add(cgroups, cgroup_home_id(&home), 0, NULL);
	assert_true(cgroups_usage(cgroups, cgroup, &usage));
	cgroup_home_remove(&home);
	assert_false(cgroups_usage(cgroups, cgroup, &usage));
	cgroups_free(cgroups);
}

/* Puts a process into a cgroup of one tree alone, as runtimes do on hosts that have both versions.
 */
static void put_into(const struct cgroup_trees *trees, enum cgroup_tree tree, const char *path,
		     pid_t pid)
{
	char folder[CGROUP_PATH_BYTES], file[CGROUP_PATH_BYTES + 16];
	FILE *procs;

	assert_true(cgroup_tree_folder(trees, tree, path, folder));
	assert_true(mkdir(folder, 0755) == 0 || errno == EEXIST);
	(void)snprintf(file, sizeof(file), "%s/cgroup.procs", folder);
	procs = fopen(file, "we");
	assert_non_null(procs);
	assert_true(fprintf(procs, "%d", pid) > 0);
	assert_int_equal(fclose(procs), 0);
}

static void take_away(const struct cgroup_trees *trees, enum cgroup_tree tree, const char *path)
{
	char folder[CGROUP_PATH_BYTES];

	assert_true(cgroup_tree_folder(trees, tree, path, folder));
	cgroup_folder_remove(folder);
}

static struct cgroup_usage usage_of(const struct cgroup_trees *trees, const char *path, pid_t pid)
{
	char folder[CGROUP_PATH_BYTES];
	struct cgroup_usage usage;
	struct cgroups *cgroups;
	struct error err = { 0 };
	struct stat info;

	assert_true(cgroup_tree_folder(trees, CGROUP_MEMORY, path, folder));
	assert_int_equal(stat(folder, &info), 0);
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	assert_true(cgroups_usage(cgroups, cgroups_add(cgroups, info.st_ino, (uint32_t)pid, NULL),
				  &usage));
	cgroups_free(cgroups);
	return usage;
}

/* Where version 1 has the memory controller and version 2 is there, too. On version 2 alone there
 * is one tree, which knows. */
static void cpu_time_of_a_cgroup_of_memory_alone_is_unknown_not_nought(void **state)
{
	struct cgroup_usage usage;
	struct cgroup_trees trees;
	bool hybrid;
	char path[64];
	pid_t child;

	assert_int_equal(cgroup_trees_read(&trees), 0);
	hybrid = trees.mounts[CGROUP_MEMORY].folder[0] && trees.mounts[CGROUP_UNIFIED].folder[0];
	(void)snprintf(path, sizeof(path), "/tracer-test-alone-%d", getpid());
	child = fork();
	if (child == 0)
		work();
	put_into(&trees, CGROUP_MEMORY, path, child);
	WAIT_FOR((usage = usage_of(&trees, path, child)).memory_bytes > 0, "memory of the cgroup");
	assert_int_equal(usage.cpu_known, !trees.mounts[CGROUP_CPUACCT].folder[0]);
	if (!usage.cpu_known)
		assert_int_equal(usage.cpu_ns, 0);
	if (hybrid) { /* its namesake in the other tree knows */
		put_into(&trees, CGROUP_UNIFIED, path, child);
		WAIT_FOR((usage = usage_of(&trees, path, child)).cpu_known && usage.cpu_ns > 0,
			 "CPU time of the cgroup");
		assert_true(usage.cpu_ns <= cpu_of(child));
	}
	cgroup_home_end(child);
	take_away(&trees, CGROUP_MEMORY, path);
	if (hybrid)
		take_away(&trees, CGROUP_UNIFIED, path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_found_by_its_key_and_only_by_it),
		cmocka_unit_test(throttling_and_memory_are_read_as_the_kernel_keeps_them),
		cmocka_unit_test(an_oom_kill_is_counted),
		cmocka_unit_test(page_cache_is_memory_that_can_be_reclaimed),
		cmocka_unit_test(what_is_gone_has_no_usage),
		cmocka_unit_test(cpu_time_of_a_cgroup_of_memory_alone_is_unknown_not_nought),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
