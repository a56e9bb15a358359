/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_limits.h"
#include "fixture_cgroup.h"

static void limits_are_read_from_either_version(void **state)
{
	assert_true(cgroup_parse_cpu_max("150000 100000\n") == 1.5);
	assert_true(cgroup_parse_cpu_max("max 100000\n") == 0);
	assert_true(cgroup_parse_cpu_max("-1 100000") == 0);
	assert_true(cgroup_parse_cpu_max("100000 0") == 0);
	assert_true(cgroup_parse_cpu_max("") == 0);
	assert_int_equal(cgroup_parse_memory_max("1073741824\n"), 1 << 30);
	assert_int_equal(cgroup_parse_memory_max("max\n"), 0);
	assert_int_equal(cgroup_parse_memory_max("9223372036854771712\n"), 0);
	assert_int_equal(cgroup_parse_memory_max("x"), 0);
}

/* A child that waits in the cgroup to be killed. */
static pid_t settle(const struct cgroup_home *home)
{
	pid_t child = fork();

	if (child == 0) {
		for (;;)
			pause();
	}
	cgroup_home_join(home, child);
	return child;
}

static void a_cgroup_is_found_by_a_process_in_it(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	const struct cgroup *cgroup;
	struct cgroups *cgroups;
	struct error err = { 0 };
	pid_t child;

	cgroup_home_make(&home, "one");
	cgroup_home_limit_memory(&home, "104857600");
	child = settle(&home);
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_add(cgroups, cgroup_home_id(&home), (uint32_t)child, NULL);
	assert_non_null(strstr(cgroup->path, "/tracer-test-one-"));
	assert_true(cgroup->limits_known);
	assert_int_equal(cgroup->memory_limit_bytes, 104857600);
	assert_string_equal(cgroup->runtime, "");
	assert_ptr_equal(cgroups_find(cgroups, cgroup_home_id(&home)), cgroup);
	cgroups_free(cgroups);
	cgroup_home_end(child);
}

static void a_cgroup_is_found_when_its_processes_are_gone(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	const struct cgroup *cgroup;
	struct cgroups *cgroups;
	struct error err = { 0 };

	cgroup_home_make(&home, "one");
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_add(cgroups, cgroup_home_id(&home), 0, NULL);
	assert_non_null(strstr(cgroup->path, "/tracer-test-one-"));
	cgroups_free(cgroups);
}

static void an_id_that_nothing_has_is_empty_and_asked_again_later(void **state)
{
	const struct cgroups_watch watch = { 0 };
	const struct cgroup *cgroup;
	struct cgroups *cgroups;
	struct error err = { 0 };

	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_add(cgroups, UINT64_MAX - 1, 0, NULL);
	assert_string_equal(cgroup->path, "");
	assert_false(cgroup->limits_known);
	cgroups_check(cgroups, &watch); /* forgets it, and reports nothing */
	assert_null(cgroups_find(cgroups, UINT64_MAX - 1));
	cgroups_free(cgroups);
}

struct seen {
	unsigned changed, gone;
	uint64_t memory_limit_bytes;
};

static void on_changed(void *context, struct cgroup *cgroup)
{
	struct seen *seen = context;

	seen->changed++;
	seen->memory_limit_bytes = cgroup->memory_limit_bytes;
}

static void on_gone(void *context, struct cgroup *cgroup)
{
	((struct seen *)context)->gone++;
}

static void a_late_limit_and_the_end_of_a_cgroup_are_seen(void **state)
{
	struct cgroup_home home;
	struct seen seen = { 0 };
	const struct cgroups_watch watch = { on_changed, on_gone, &seen };
	struct cgroups *cgroups;
	struct error err = { 0 };
	pid_t child;

	cgroup_home_make(&home, "one");
	child = settle(&home);
	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroups_add(cgroups, cgroup_home_id(&home), (uint32_t)child, NULL);
	cgroup_home_limit_memory(&home, "52428800");
	cgroups_check(cgroups, &watch);
	assert_int_equal(seen.changed, 1);
	assert_int_equal(seen.memory_limit_bytes, 52428800);
	cgroup_home_end(child);
	cgroup_home_remove(&home);
	cgroups_check(cgroups, &watch);
	cgroups_check(cgroups, &watch);
	assert_int_equal(seen.gone, 1);
	cgroups_free(cgroups);
}

static void more_than_the_cap_are_forgotten_and_found_again(void **state)
{
	struct cgroups *cgroups;
	struct error err = { 0 };

	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	for (uint64_t id = 1; id <= CGROUPS_CAP + 1; id++)
		assert_non_null(cgroups_add(cgroups, (1ULL << 60) + id, 0, NULL));
	assert_non_null(cgroups_find(cgroups, (1ULL << 60) + CGROUPS_CAP + 1));
	assert_null(cgroups_find(cgroups, (1ULL << 60) + 1));
	cgroups_free(cgroups);
}

static void a_reused_id_is_another_cgroup(void **state)
{
	const struct cgroup_birth first = { .path = "/lxc/first", .made_at = 7 },
				  second = { .path = "/lxc/second", .made_at = 9 };
	const uint64_t id = UINT64_MAX - 2;
	struct seen seen = { 0 };
	const struct cgroups_watch watch = { on_changed, on_gone, &seen };
	struct cgroup *cgroup;
	struct cgroups *cgroups;
	struct error err = { 0 };

	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	cgroup = cgroups_add(cgroups, id, 0, &first);
	assert_string_equal(cgroup->container_id, "first");
	cgroup->started = true;
	cgroups_remove(cgroups, id, &watch);
	cgroups_remove(cgroups, id, &watch);
	assert_int_equal(seen.gone, 1);
	assert_null(cgroups_find(cgroups, id));
	cgroup = cgroups_add(cgroups, id, 0, &second);
	assert_string_equal(cgroup->container_id, "second");
	assert_int_equal(cgroup->seen_at, 9);
	assert_false(cgroup->started || cgroup->limits_known);
	cgroups_check(cgroups, &watch); /* its end was not reported: no folder has it */
	assert_int_equal(seen.gone, 2);
	assert_null(cgroups_find(cgroups, id));
	cgroups_free(cgroups);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_read_from_either_version),
		cmocka_unit_test(a_cgroup_is_found_by_a_process_in_it),
		cmocka_unit_test(a_cgroup_is_found_when_its_processes_are_gone),
		cmocka_unit_test(an_id_that_nothing_has_is_empty_and_asked_again_later),
		cmocka_unit_test(a_late_limit_and_the_end_of_a_cgroup_are_seen),
		cmocka_unit_test(a_reused_id_is_another_cgroup),
		cmocka_unit_test(more_than_the_cap_are_forgotten_and_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
