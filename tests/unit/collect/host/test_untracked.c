/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "collect/host/untracked.h"
#include "fixture_agent.h"
#include "fixture_cgroup.h"

/* A real agent that tracks what rules name, and real work beside it. */

static int64_t cpu_of(const struct rusage *usage)
{
	return ((int64_t)usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * NS_PER_S +
	       ((int64_t)usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * NS_PER_US;
}

/* A child that joins the cgroup and takes so much CPU time, in a program of this name (NULL: in
 * none). */
static pid_t burn_in(const struct cgroup_home *home, int64_t ms, const char *program)
{
	struct timespec used;
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	cgroup_home_join(home, getpid());
	if (program)
		execl(program, program, "-c", "i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done",
		      NULL);
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	while (used.tv_sec * 1000 + used.tv_nsec / NS_PER_MS < ms);
	_exit(0);
}

/* Its CPU time. */
static int64_t reap(struct scene *scene, pid_t child)
{
	struct rusage usage;
	int status;

	while (wait4(child, &status, WNOHANG, &usage) == 0)
		scene_wait(scene, 20);
	return cpu_of(&usage);
}

/* Sums of what came; path NULL: of all of the kind, kind NULL: of all. */
static int64_t told(const struct scene *scene, const char *kind, const char *path)
{
	int64_t sum = 0;

	for (size_t i = 0; i < scene->kept.count; i++)
		for (size_t j = 0; j < scene->kept.batches[i]->n_untracked; j++) {
			const Signal__Untracked *record = scene->kept.batches[i]->untracked[j];

			if ((!kind || strcmp(record->kind, kind) == 0) &&
			    (!path || strcmp(record->path, path) == 0))
				sum += record->cpu_ns;
		}
	return sum;
}

static const Signal__Untracked *record_of(const struct scene *scene, const char *kind,
					  const char *path)
{
	const Signal__Untracked *last = NULL;

	for (size_t i = 0; i < scene->kept.count; i++)
		for (size_t j = 0; j < scene->kept.batches[i]->n_untracked; j++) {
			const Signal__Untracked *record = scene->kept.batches[i]->untracked[j];

			if (strcmp(record->kind, kind) == 0 &&
			    (!path || strcmp(record->path, path) == 0))
				last = record;
		}
	return last;
}

static int64_t host_ns(const struct scene *scene)
{
	int64_t sum = 0;

	for (size_t i = 0; i < scene->kept.count; i++)
		for (size_t j = 0; j < scene->kept.batches[i]->n_host_samples; j++) {
			const Signal__HostSample *sample = scene->kept.batches[i]->host_samples[j];

			sum += (int64_t)(sample->cpu_user_ns + sample->cpu_kernel_ns);
		}
	return sum;
}

static void begin(struct scene *scene)
{
	scene_begin(scene);
	free(scene->options.track);
	scene->options.track = strdup("rules");
	assert_non_null(scene->options.track);
}

#define ASSERT_NEAR(value, truth, percent, slack_ns)                                            \
	do {                                                                                    \
		long long is = (long long)(value), was = (long long)(truth);                    \
		if (llabs(is - was) > was * (percent) / 100 + (long long)(slack_ns))            \
			fail_msg("%s:%d: %s is %lld, not %lld", __FILE__, __LINE__, #value, is, \
				 was);                                                          \
	} while (0)

/* So much of it, or more: others may be, too. */
static bool is_tracked(struct scene *scene, const void *ns)
{
	return told(scene, "tracked", NULL) > *(const int64_t *)ns * 95 / 100;
}

static void what_is_not_tracked_is_told_by_its_cgroup_and_adds_up_to_the_hosts(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	CLEANUP(cgroup_home_remove) struct cgroup_home ignored, named;
	char program[64], rules[128], path[128];
	int64_t ignored_ns, named_ns;
	pid_t one, other;

	begin(&scene);
	(void)snprintf(program, sizeof(program), "/tmp/burner.%d", getpid());
	(void)snprintf(rules, sizeof(rules), "tools: [burner.%d]\n", getpid());
	(void)snprintf(path, sizeof(path), "%s/mine.yaml", scene.rules);
	assert_int_equal(file_write(path, rules, strlen(rules), 0600, NULL), 0);
	assert_int_equal(symlink("/bin/sh", program), 0);
	cgroup_home_make(&ignored, "ignored");
	cgroup_home_make(&named, "named");
	agent_start(&scene);
	one = burn_in(&ignored, 2000, NULL);
	other = burn_in(&named, 0, program);
	ignored_ns = reap(&scene, one);
	named_ns = reap(&scene, other);
	scene_until(&scene, is_tracked, &named_ns);
	agent_signal(&scene, SIGTERM);
	unlink(program);
	assert_true(ignored_ns > 0 && named_ns > 0);
	ASSERT_NEAR(told(&scene, "cgroup", ignored.path), ignored_ns, 5, 0);
	ASSERT_NEAR(told(&scene, "cgroup", named.path), 0, 0, named_ns / 20);
	ASSERT_NEAR(told(&scene, NULL, NULL), host_ns(&scene), 2, 20 * NS_PER_MS);
	assert_int_equal(record_of(&scene, "rest", NULL)->memory_known, false);
}

/* Time that was sent is not sent again with the cgroup above, time that was not is. */
static void what_a_removed_cgroup_did_since_is_told_by_the_one_above(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	CLEANUP(cgroup_home_remove) struct cgroup_home outer;
	struct cgroup_home before, amid;
	char path[128];
	int64_t burnt;

	begin(&scene);
	scene.options.sample_interval_ns = 60 * NS_PER_S; /* one interval, however slow */
	cgroup_home_make(&outer, "outer");
	(void)snprintf(path, sizeof(path), "%.100s/before", outer.path);
	cgroup_home_make_at(&before, path);
	(void)reap(&scene, burn_in(&before, 1500, NULL)); /* ahead of the agent */
	agent_start(&scene);
	burnt = reap(&scene, burn_in(&before, 500, NULL));
	cgroup_home_remove(&before);
	(void)snprintf(path, sizeof(path), "%.100s/middle", outer.path);
	cgroup_home_make_at(&amid, path);
	burnt += reap(&scene, burn_in(&amid, 500, NULL));
	cgroup_home_remove(&amid);
	agent_signal(&scene, SIGTERM);
	ASSERT_NEAR(told(&scene, "cgroup", outer.path), burnt, 5, 0);
	assert_int_equal(told(&scene, "cgroup", before.path), 0);
	assert_int_equal(told(&scene, "cgroup", amid.path), 0);
}

#define MANY (UNTRACKED_SENT_MAX + 16)

static void beyond_the_cap_the_smaller_ones_are_one_record(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	static struct cgroup_home homes[MANY];
	const Signal__Untracked *more;
	size_t by_path = 0;
	int64_t burnt = 0;

	begin(&scene);
	scene.options.sample_interval_ns = 60 * NS_PER_S; /* one interval, however slow */
	for (int i = 0; i < MANY; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "many-%d", i);
		cgroup_home_make(&homes[i], name);
	}
	agent_start(&scene);
	for (int i = 0; i < MANY; i++)
		burnt += reap(&scene, burn_in(&homes[i], 20, NULL));
	agent_signal(&scene, SIGTERM);
	more = record_of(&scene, "more", NULL);
	assert_non_null(more);
	assert_true(more->cgroups >= 16);
	assert_true(more->cpu_ns > burnt * 10 / MANY);
	for (int i = 0; i < MANY; i++) {
		by_path += told(&scene, "cgroup", homes[i].path) > 0;
		cgroup_home_remove(&homes[i]);
	}
	assert_in_range(by_path, 1, UNTRACKED_SENT_MAX);
}

static bool holds_64_mib(struct scene *scene, const void *path)
{
	const Signal__Untracked *record = record_of(scene, "cgroup", path);

	return record && record->memory_bytes >= 64 << 20;
}

static void memory_of_a_cgroup_is_told_less_what_tracked_processes_hold(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	const Signal__Untracked *record;
	pid_t child;

	begin(&scene);
	cgroup_home_make(&home, "holds");
	agent_start(&scene);
	child = fork();
	if (child == 0) {
		volatile char *bytes;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		cgroup_home_join(&home, getpid());
		bytes = malloc(64 << 20);
		for (size_t i = 0; bytes && i < 64 << 20; i += 4096)
			bytes[i] = 1;
		pause();
	}
	scene_until(&scene, holds_64_mib, home.path);
	agent_signal(&scene, SIGTERM);
	cgroup_home_end(child);
	record = record_of(&scene, "cgroup", home.path);
	assert_non_null(record);
	assert_true(record->memory_known);
	assert_in_range(record->memory_bytes, 64 << 20, 128 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			what_is_not_tracked_is_told_by_its_cgroup_and_adds_up_to_the_hosts),
		cmocka_unit_test(what_a_removed_cgroup_did_since_is_told_by_the_one_above),
		cmocka_unit_test(beyond_the_cap_the_smaller_ones_are_one_record),
		cmocka_unit_test(memory_of_a_cgroup_is_told_less_what_tracked_processes_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
