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
#include "collect/follow.h"
#include "fixture_agent.h"
#include "fixture_cgroup.h"

/* A real agent, what it follows, and what it knows of cgroups. */

/* A child that joins the cgroup, waits, and execs. */
static pid_t spawn_in(const struct cgroup_home *home, const char *program, unsigned wait_ms)
{
	pid_t child = fork();

	if (child == 0) {
		cgroup_home_join(home, getpid());
		usleep(wait_ms * 1000);
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

static void an_exec_in_a_cgroup_that_fits_begins_tracking_and_no_other(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	CLEANUP(cgroup_home_remove) struct cgroup_home before, after, other;
	pid_t found, seen, outside;

	scene_begin(&scene);
	track(&scene, "cgroup:/tracer-test-fits-*");
	cgroup_home_make(&before, "fits-before");
	cgroup_home_make(&other, "other");
	found = spawn_in(&before, "/bin/sleep", 0);
	agent_start(&scene);
	cgroup_home_make(&after, "fits-after");
	outside = spawn_in(&other, "/bin/sleep", 300);
	seen = spawn_in(&after, "/bin/sleep", 300);
	usleep(600000);
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

static bool is_gone(struct scene *scene, const void *id)
{
	const Signal__Container *last = container(scene, *(const uint64_t *)id);

	return last && last->ended_at;
}

/* Made, used and removed before the agent hears of any of it. */
static void a_cgroup_that_is_gone_at_once_is_known_with_its_times(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	struct cgroup_home home;
	const Signal__Container *record;
	char path[64];
	uint64_t id;

	scene_begin(&scene);
	agent_start(&scene);
	(void)snprintf(path, sizeof(path), "/lxc.payload.tracer%d", getpid());
	cgroup_home_make_at(&home, path);
	id = cgroup_home_id(&home);
	cgroup_home_wait(spawn_in(&home, "/bin/true", 0));
	cgroup_home_remove(&home);
	scene_until(&scene, is_gone, &id);
	record = container(&scene, id);
	assert_string_equal(record->path, path);
	assert_string_equal(record->runtime, "lxc");
	assert_string_equal(record->container_id, path + strlen("/lxc.payload."));
	assert_true(record->ended_at > record->started_at);
	assert_true(record->ended_at - record->started_at < 1000000000);
}

/* Removed while the agent knows it: the kernel's word comes before the next look at the folders. */
static void the_end_of_a_cgroup_is_told_when_it_ends(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	struct cgroup_home home;
	int64_t gone_at;
	uint64_t id;
	pid_t child;

	scene_begin(&scene);
	scene.options.sample_interval_ns = 60000000000ULL;
	agent_start(&scene);
	cgroup_home_make(&home, "ends");
	id = cgroup_home_id(&home);
	child = spawn_in(&home, "/bin/sleep", 0);
	scene_wait(&scene, 500);
	assert_non_null(container(&scene, id));
	assert_true(container(&scene, id)->limits_known);
	assert_int_equal(container(&scene, id)->ended_at, 0);
	cgroup_home_end(child);
	gone_at = clock_real_ns();
	cgroup_home_remove(&home);
	scene_until(&scene, is_gone, &id);
	assert_true(llabs(container(&scene, id)->ended_at - gone_at) < 500000000);
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
