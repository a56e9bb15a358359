/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "fixture_cgroup.h"
#include "wall_figures.h"
#include "watch.h"

/* The wall time of processes that are stopped, frozen and moved between cgroups. */

DEFINE_CLEANUP(struct watch *, watch_free)

/* What is held: one that waits, alone or beside another thread, and one that computes. */
static const char *const drivers[][4] = {
	{ "beside", "none", "pipe" },
	{ "beside", "idle", "pipe" },
	{ "beside", "ticker", "pipe" },
	{ "threads", "2", "0", "released" },
};

#define DRIVERS (sizeof(drivers) / sizeof(drivers[0]))
#define BURNS   3 /* the last of them */

struct held {
	pid_t pid;
	int hold;
	/* When it was about to be released: what it did, for how long it was held. */
	uint64_t before_ns, other_ns;
};

static void start_all(struct held held[DRIVERS])
{
	for (size_t i = 0; i < DRIVERS; i++) {
		const char *argv[6] = { watch_driver_path() };

		for (size_t j = 0; j < 4; j++)
			argv[j + 1] = drivers[i][j];
		held[i].pid = watch_start(argv, &held[i].hold);
	}
}

static uint64_t did_ns(const struct probe_figures *figures, size_t driver)
{
	return driver == BURNS ? figures->wall_computing_ns : figures->wall_pipe_read_ns;
}

/* For longer than all else that it did. */
static bool was_held(struct watch *watch, const struct held *held)
{
	const struct probe_alive *latest = watch_latest(watch, held->pid);

	return latest && latest->figures.wall_other_ns > WALL_LONG_NS &&
	       latest->figures.wall_other_ns > wall_sum(&latest->figures) / 2;
}

static bool goes_on(struct watch *watch, const struct held *held, size_t driver)
{
	const struct probe_alive *latest = watch_latest(watch, held->pid);
	uint64_t more_ns = driver == BURNS ? WALL_LONG_NS / 20 : WALL_LONG_NS / 3;

	return latest && did_ns(&latest->figures, driver) > held->before_ns + more_ns;
}

/* Called while all are held; `release` releases them. */
static void check_held(struct watch *watch, struct held held[DRIVERS],
		       void (*release)(const struct held *held))
{
	for (size_t i = 0; i < DRIVERS; i++) {
		const struct probe_figures *figures;

		watch_until(was_held(watch, &held[i]), "a process to be held for long");
		figures = &watch_latest(watch, held[i].pid)->figures;
		held[i].before_ns = did_ns(figures, i);
		held[i].other_ns = figures->wall_other_ns;
	}
	release(held);
	for (size_t i = DRIVERS; i-- > 0;) { /* what computes first */
		watch_until(goes_on(watch, &held[i], i), "a process to go on");
		close(held[i].hold);
		assert_int_equal(waitpid(held[i].pid, NULL, 0), held[i].pid);
		watch_until_exit(watch, held[i].pid);
		wall_assert_final_adds_up(watch, held[i].pid);
		assert_true(wall_final(watch, held[i].pid)->wall_other_ns > held[i].other_ns / 2);
		assert_true(did_ns(wall_final(watch, held[i].pid), i) > held[i].before_ns);
		wall_assert_freed(held[i].pid);
	}
}

static void continue_all(const struct held *held)
{
	for (size_t i = 0; i < DRIVERS; i++)
		assert_int_equal(kill(held[i].pid, SIGCONT), 0);
}

static void stopped_processes_are_in_other_and_then_go_on(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct held held[DRIVERS];

	start_all(held);
	for (size_t i = 0; i < DRIVERS; i++)
		assert_int_equal(kill(held[i].pid, SIGSTOP), 0);
	check_held(watch, held, continue_all);
}

/* A cgroup that freezes what is in it: its file, what to write and what it then says. */
struct freezer {
	const char *tree, *file, *freeze, *thaw, *says, *frozen;
};

static const struct freezer freezers[] = {
	{ "/sys/fs/cgroup/freezer", "freezer.state", "FROZEN", "THAWED", "freezer.state",
	  "FROZEN" },
	{ "/sys/fs/cgroup/unified", "cgroup.freeze", "1", "0", "cgroup.events", "frozen 1" },
	{ "/sys/fs/cgroup", "cgroup.freeze", "1", "0", "cgroup.events", "frozen 1" },
};

static const struct freezer *freezer; /* that is in use */
static char folder[128];

static void put(const char *file, const char *text)
{
	char path[256];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static bool is_frozen(void)
{
	CLEANUP(fclosep) FILE *file = NULL;
	char path[256], line[64];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, freezer->says);
	file = fopen(path, "re");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		if (strncmp(line, freezer->frozen, strlen(freezer->frozen)) == 0)
			return true;
	return false;
}

static void thaw_all(const struct held *held)
{
	put(freezer->file, freezer->thaw);
}

/* False: this host has no such cgroup. */
static bool freezer_make(const struct freezer *of)
{
	char path[256];

	(void)snprintf(folder, sizeof(folder), "%s/tracer-test-freeze-%d", of->tree, getpid());
	if (mkdir(folder, 0755))
		return false;
	(void)snprintf(path, sizeof(path), "%s/%s", folder, of->file);
	freezer = of;
	if (access(path, F_OK) == 0)
		return true;
	freezer = NULL;
	rmdir(folder);
	return false;
}

static void kill_all(void)
{
	CLEANUP(fclosep) FILE *file = NULL;
	char path[256];
	int pid;

	(void)snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	file = fopen(path, "re");
	while (file && fscanf(file, "%d", &pid) == 1)
		kill(pid, SIGKILL);
}

/* After a test that failed there are processes in it; in version 1 what is frozen cannot die. */
static int freezer_remove(void **state)
{
	if (!freezer)
		return 0;
	kill_all();
	put(freezer->file, freezer->thaw);
	freezer = NULL;
	cgroup_folder_remove(folder);
	return 0;
}

static void frozen_processes_are_in_other_and_then_go_on(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	size_t count = 0;

	for (size_t i = 0; i < sizeof(freezers) / sizeof(freezers[0]); i++) {
		struct held held[DRIVERS];
		char pid[16];

		if (!freezer_make(&freezers[i]))
			continue;
		count++;
		start_all(held);
		for (size_t j = 0; j < DRIVERS; j++) {
			(void)snprintf(pid, sizeof(pid), "%d", held[j].pid);
			put("cgroup.procs", pid);
		}
		put(freezer->file, freezer->freeze);
		watch_until(is_frozen(), "a cgroup to be frozen");
		check_held(watch, held, thaw_all);
		freezer_remove(state);
	}
	assert_true(count > 0);
}

#define MOVES 20

static void start_to_move(struct held held[DRIVERS])
{
	start_all(held);
	for (size_t i = 0; i < DRIVERS; i++)
		held[i].before_ns = 0;
}

static void assert_lives_on(struct watch *watch, const struct held *held)
{
	const struct probe_alive *latest = watch_sample(watch, held->pid);

	wall_assert_within(&latest->figures, clock_boot_ns() - latest->key.start_ns);
}

static void end_moved(struct watch *watch, const struct held held[DRIVERS])
{
	for (size_t i = DRIVERS; i-- > 0;) {
		watch_until(goes_on(watch, &held[i], i), "a process to go on");
		close(held[i].hold);
		assert_int_equal(waitpid(held[i].pid, NULL, 0), held[i].pid);
		watch_until_exit(watch, held[i].pid);
		wall_assert_final_adds_up(watch, held[i].pid);
		wall_assert_freed(held[i].pid);
	}
}

static void processes_that_are_moved_between_cgroups_count_as_before(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	CLEANUP(cgroup_home_remove) struct cgroup_home one, other;
	struct held held[DRIVERS];

	cgroup_home_make(&one, "one");
	cgroup_home_make(&other, "other");
	start_to_move(held);
	for (int i = 0; i < MOVES; i++)
		for (size_t j = 0; j < DRIVERS; j++) {
			cgroup_home_join(i % 2 ? &one : &other, held[j].pid);
			assert_lives_on(watch, &held[j]);
		}
	end_moved(watch, held);
}

/* In version 2 the threads of a process may be in several cgroups, below that of the process. */
static const char *const below[] = { "one", "other" };

static void threads_make(void)
{
	bool beside_v1 = access("/sys/fs/cgroup/unified/cgroup.procs", F_OK) == 0;

	(void)snprintf(folder, sizeof(folder), "%s/tracer-test-threads-%d",
		       beside_v1 ? "/sys/fs/cgroup/unified" : "/sys/fs/cgroup", getpid());
	assert_int_equal(mkdir(folder, 0755), 0);
	for (size_t i = 0; i < 2; i++) {
		char path[192];

		(void)snprintf(path, sizeof(path), "%s/%s", folder, below[i]);
		assert_int_equal(mkdir(path, 0755), 0);
		(void)snprintf(path, sizeof(path), "%s/cgroup.type", below[i]);
		put(path, "threaded");
	}
}

static void threads_remove(void)
{
	for (size_t i = 0; i < 2; i++) {
		char path[192];

		(void)snprintf(path, sizeof(path), "%s/%s", folder, below[i]);
		cgroup_folder_remove(path);
	}
	cgroup_folder_remove(folder);
}

/* Each to another cgroup than the one before it. */
static void move_threads(pid_t pid, size_t to)
{
	char path[64], file[64];
	const struct dirent *entry;
	DIR *threads;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	assert_non_null(threads);
	while ((entry = readdir(threads))) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(file, sizeof(file), "%s/cgroup.threads", below[to++ % 2]);
		put(file, entry->d_name);
	}
	closedir(threads);
}

static void threads_that_are_moved_between_cgroups_count_as_before(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct held held[DRIVERS];
	char pid[16];

	threads_make();
	start_to_move(held);
	for (size_t i = 0; i < DRIVERS; i++) {
		(void)snprintf(pid, sizeof(pid), "%d", held[i].pid);
		put("cgroup.procs", pid);
	}
	for (size_t i = 0; i < MOVES; i++)
		for (size_t j = 0; j < DRIVERS; j++) {
			move_threads(held[j].pid, i);
			assert_lives_on(watch, &held[j]);
		}
	end_moved(watch, held);
	threads_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stopped_processes_are_in_other_and_then_go_on),
		cmocka_unit_test_teardown(frozen_processes_are_in_other_and_then_go_on,
					  freezer_remove),
		cmocka_unit_test(processes_that_are_moved_between_cgroups_count_as_before),
		cmocka_unit_test(threads_that_are_moved_between_cgroups_count_as_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
