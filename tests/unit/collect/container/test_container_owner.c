/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "collect/container/container.h"
#include "collect/runtime/container_facts.h"
#include "fixture_kernel.h"

/* A run (10) with two tasks (11, 12) that ask docker for a container of one image, 12 by a name; a
 * container of another user is of that image, too. What the daemon starts descends from none of
 * them. */
enum { ENGINE = 10, UNNAMED, NAMED, DAEMON = 900, OF_UNNAMED = 31, OF_NAMED, OF_STRANGER };

#define CGROUP(pid) (100u + (pid))

static void made(struct kernel *kernel, uint32_t pid)
{
	struct cgroup_birth birth;
	char path[96];

	(void)snprintf(path, sizeof(path), "/docker/%064u", pid);
	birth.path = path;
	birth.made_at = agent_clock_real(&kernel->pipeline.clock, kernel->now_ns += NS_PER_MS);
	assert_non_null(cgroups_add(kernel->pipeline.cgroups, CGROUP(pid), 0, &birth));
}

static void told(struct kernel *kernel, uint32_t pid, const char *name)
{
	struct container_facts facts;

	container_facts_asked("tools:7", name, &facts);
	pipeline_take_facts(&kernel->pipeline, CGROUP(pid), &facts);
}

static void starts(struct kernel *kernel, uint32_t pid, const char *script)
{
	const char *const argv[] = { "sh", "-c", script };
	const struct probe_image image = { .key = kernel_key(pid),
					   .parent = kernel_key(DAEMON),
					   .image_seq = 1,
					   .cgroup_id = CGROUP(pid),
					   .at_ns = kernel->now_ns += NS_PER_MS,
					   .exe = "/bin/sh",
					   .cwd = "/data",
					   .argv = argv,
					   .argc = 3 };

	kernel->probe.on_image(kernel->probe.context, &image);
}

static void ask(struct kernel *kernel)
{
	static const char *const engine[] = {
		"/usr/bin/python3", "/usr/bin/luigi", "--module", "lab", "Align", NULL
	};
	static const char *const unnamed[] = {
		"/usr/bin/docker", "run", "tools:7", "sh", "-c", "one", NULL
	};
	static const char *const named[] = {
		"/usr/bin/docker", "run", "--name", "heart", "tools:7", "sh", "-c", "two", NULL
	};

	kernel_start(kernel, 100);
	kernel_image(kernel, ENGINE, 1, 1, engine);
	kernel_fork(kernel, UNNAMED, ENGINE);
	kernel_exec(kernel, UNNAMED, ENGINE, 2, unnamed, 1, 0);
	kernel_fork(kernel, NAMED, ENGINE);
	kernel_exec(kernel, NAMED, ENGINE, 2, named, 1, 0);
	for (uint32_t pid = OF_UNNAMED; pid <= OF_STRANGER; pid++)
		made(kernel, pid);
}

static const char *task_of(const struct kernel *kernel, uint32_t pid)
{
	const Signal__Execution *execution = sink_execution(&kernel->kept, pid, 0, 0);

	return execution ? execution->task_id : "no execution";
}

static void assert_owned(struct kernel *kernel)
{
	kernel_flush(kernel);
	assert_string_not_equal(task_of(kernel, UNNAMED), "");
	assert_string_not_equal(task_of(kernel, NAMED), task_of(kernel, UNNAMED));
	assert_string_equal(task_of(kernel, OF_UNNAMED), task_of(kernel, UNNAMED));
	assert_string_equal(task_of(kernel, OF_NAMED), task_of(kernel, NAMED));
	kernel_stop(kernel);
}

static void a_container_is_its_clients_by_the_words_it_runs(void **state)
{
	struct kernel kernel = { 0 };

	ask(&kernel);
	starts(&kernel, OF_STRANGER, "three");
	starts(&kernel, OF_NAMED, "two");
	starts(&kernel, OF_UNNAMED, "one");
	assert_owned(&kernel);
}

/* The first that asked for the image asked for no name: any would do. */
static void one_that_was_told_of_first_is_its_clients_all_the_same(void **state)
{
	struct kernel kernel = { 0 };

	ask(&kernel);
	told(&kernel, OF_STRANGER, "brave_curie");
	told(&kernel, OF_NAMED, "heart");
	told(&kernel, OF_UNNAMED, "witty_ada");
	starts(&kernel, OF_NAMED, "two");
	starts(&kernel, OF_STRANGER, "three");
	starts(&kernel, OF_UNNAMED, "one");
	assert_owned(&kernel);
}

static void a_name_tells_where_the_words_are_another_programs(void **state)
{
	struct kernel kernel = { 0 };

	ask(&kernel);
	told(&kernel, OF_NAMED, "heart");
	starts(&kernel, OF_NAMED, "what its entrypoint made of it");
	starts(&kernel, OF_UNNAMED, "one");
	assert_owned(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_container_is_its_clients_by_the_words_it_runs),
		cmocka_unit_test(one_that_was_told_of_first_is_its_clients_all_the_same),
		cmocka_unit_test(a_name_tells_where_the_words_are_another_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
