/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "fixture_cgroup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* Cgroups in which an exec begins tracking, whatever its name. */

static void make_inside(struct cgroup_home *home, const struct cgroup_home *outer)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%.100s/in", outer->path);
	cgroup_home_make_at(home, path);
}

/* A process that joined the cgroup, exec'd and ended. */
static pid_t run_in(const struct cgroup_home *home)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		cgroup_home_join(home, getpid());
		execl("/bin/true", "true", NULL);
		_exit(127);
	}
	assert_int_equal(cgroup_home_wait(child), 0);
	return child;
}

static void what_is_made_in_one_that_hands_it_on_is_followed_from_the_first(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_new(&(struct probe_options){ 0 });
	CLEANUP(cgroup_home_remove) struct cgroup_home outer, inner, innermost;
	pid_t in_outer, in_innermost;

	cgroup_home_make(&outer, "hands");
	assert_int_equal(probe_follow_cgroups(watch->probe, cgroup_home_id(&outer)), 0);
	make_inside(&inner, &outer); /* without reading the kernel's records of them */
	make_inside(&innermost, &inner);
	in_outer = run_in(&outer);
	in_innermost = run_in(&innermost);
	watch_until_exit(watch, in_innermost);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, in_outer), 1);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, in_innermost), 1);
	assert_true(probe_follows_cgroup(watch->probe, cgroup_home_id(&innermost)));
}

static void what_is_made_in_one_that_is_followed_alone_is_not(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_new(&(struct probe_options){ 0 });
	CLEANUP(cgroup_home_remove) struct cgroup_home outer, inner;
	pid_t in_outer, in_inner;

	cgroup_home_make(&outer, "alone");
	assert_int_equal(probe_follow_cgroup(watch->probe, cgroup_home_id(&outer)), 0);
	make_inside(&inner, &outer);
	in_inner = run_in(&inner);
	in_outer = run_in(&outer);
	watch_until_exit(watch, in_outer);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, in_outer), 1);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, in_inner), 0);
	assert_false(probe_follows_cgroup(watch->probe, cgroup_home_id(&inner)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_made_in_one_that_hands_it_on_is_followed_from_the_first),
		cmocka_unit_test(what_is_made_in_one_that_is_followed_alone_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
