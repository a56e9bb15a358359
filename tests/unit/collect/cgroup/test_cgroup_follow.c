/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "collect/cgroup/cgroup_follow.h"
#include "fixture_agent.h"
#include "fixture_cgroup.h"
#include "wait.h"

/* A real agent, what it follows, and what it knows of cgroups. */

/* A child that joins the cgroup and execs. */
static pid_t spawn_in(const struct cgroup_home *home, const char *program)
{
	pid_t child = fork();

	if (child == 0) {
		cgroup_home_join(home, getpid());
		execl(program, program, "30", NULL);
		_exit(127);
	}
	return child;
}

static void track(struct scene *scene, const char *what)
{
	free(scene->options.track);
	scene->options.track = strdup(what);
	assert_non_null(scene->options.track);
}

static bool sleeps(pid_t pid)
{
	char path[64], exe[256];
	ssize_t len;

	(void)snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	len = readlink(path, exe, sizeof(exe) - 1);
	exe[len > 0 ? len : 0] = '\0';
	return strcmp(text_basename(exe), "sleep") == 0;
}

static bool is_seen(struct scene *scene, const pid_t *pid)
{
	for (int i = 0; *pid && i < 25 && !last_of(scene, *pid); i++)
		scene_wait(scene, 20);
	return *pid && last_of(scene, *pid);
}

static pid_t spawn_again(const struct cgroup_home *home, pid_t before)
{
	pid_t pid;

	if (before)
		cgroup_home_end(before);
	pid = spawn_in(home, "/bin/sleep");
	WAIT_FOR(sleeps(pid), "the child to become sleep");
	return pid;
}

static void an_exec_in_a_cgroup_that_fits_begins_tracking_and_no_other(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	CLEANUP(cgroup_home_remove) struct cgroup_home before, after, other;
	pid_t found, seen = 0, outside;

	scene_begin(&scene);
	track(&scene, "cgroup:/tracer-test-fits-*");
	cgroup_home_make(&before, "fits-before");
	cgroup_home_make(&other, "other");
	found = spawn_in(&before, "/bin/sleep");
	WAIT_FOR(sleeps(found), "the child to become sleep");
	agent_start(&scene);
	cgroup_home_make(&after, "fits-after");
	outside = spawn_in(&other, "/bin/sleep");
	WAIT_FOR(sleeps(outside), "the child to become sleep");
	/* The kernel side is given the new cgroup a moment after it was made. */
	WAIT_DOING(is_seen(&scene, &seen), seen = spawn_again(&after, seen),
		   "an exec in the new cgroup to be tracked");
	cgroup_home_end(outside);
	cgroup_home_end(seen);
	cgroup_home_end(found);
	scene_until(&scene, has_ended, &seen);
	scene_until(&scene, has_ended, &found);
	assert_true(last_of(&scene, found)->found);
	assert_int_equal(last_of(&scene, seen)->cgroup_id, cgroup_home_id(&after));
	assert_null(last_of(&scene, outside));
}

static void only_a_pattern_is_followed(void **state)
{
	assert_string_equal(follow_pattern("cgroup:/docker/?*"), "/docker/?*");
	assert_null(follow_pattern("cgroup:"));
	assert_null(follow_pattern("all"));
	assert_null(follow_pattern(""));
}

static const Signal__Container *container(const struct scene *scene, uint64_t id)
{
	const Signal__Container *last = NULL;

	for (size_t i = 0; i < scene->kept.count; i++)
		for (size_t j = 0; j < scene->kept.batches[i]->n_containers; j++)
			if (scene->kept.batches[i]->containers[j]->cgroup_id == id)
				last = scene->kept.batches[i]->containers[j];
	return last;
}

static bool has_limits(struct scene *scene, const void *id)
{
	const Signal__Container *last = container(scene, *(const uint64_t *)id);

	return last && last->limits_known;
}

static bool is_gone(struct scene *scene, const void *id)
{
	const Signal__Container *last = container(scene, *(const uint64_t *)id);

	return last && last->ended_at;
}

/* Made, used and removed before the agent sees any of it. */
static void a_cgroup_that_is_gone_at_once_is_known_with_its_times(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	struct cgroup_home home;
	const Signal__Container *record;
	char path[64];
	int64_t made_at, gone_at;
	uint64_t id;

	scene_begin(&scene);
	agent_start(&scene);
	made_at = clock_real_ns();
	(void)snprintf(path, sizeof(path), "/lxc.payload.tracer%d", getpid());
	cgroup_home_make_at(&home, path);
	id = cgroup_home_id(&home);
	cgroup_home_wait(spawn_in(&home, "/bin/true"));
	cgroup_home_remove(&home);
	gone_at = clock_real_ns();
	scene_until(&scene, is_gone, &id);
	record = container(&scene, id);
	assert_string_equal(record->path, path);
	assert_string_equal(record->runtime, "lxc");
	assert_string_equal(record->container_id, path + strlen("/lxc.payload."));
	assert_true(record->ended_at > record->started_at);
	/* Boot time is turned into real time with an error of microseconds. */
	assert_in_range(record->started_at, made_at - NS_PER_MS, gone_at);
	assert_in_range(record->ended_at, made_at, gone_at + NS_PER_MS);
}

/* Removed while the agent knows it: the kernel's word comes before the next look at the folders. */
static void the_end_of_a_cgroup_is_told_when_it_ends(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	struct cgroup_home home;
	int64_t ended_at;
	uint64_t id;
	pid_t child;

	scene_begin(&scene);
	scene.options.sample_interval_ns = 3600 * NS_PER_S;
	agent_start(&scene);
	cgroup_home_make(&home, "ends");
	id = cgroup_home_id(&home);
	child = spawn_in(&home, "/bin/sleep");
	scene_until(&scene, has_limits, &id);
	assert_int_equal(container(&scene, id)->ended_at, 0);
	cgroup_home_end(child);
	ended_at = clock_real_ns();
	cgroup_home_remove(&home);
	scene_until(&scene, is_gone, &id);
	assert_in_range(container(&scene, id)->ended_at, ended_at - NS_PER_MS, clock_real_ns());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exec_in_a_cgroup_that_fits_begins_tracking_and_no_other),
		cmocka_unit_test(only_a_pattern_is_followed),
		cmocka_unit_test(a_cgroup_that_is_gone_at_once_is_known_with_its_times),
		cmocka_unit_test(the_end_of_a_cgroup_is_told_when_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
