/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "fixture_batch.h"

/* The example's run, its step "align" in one docker container, "call" in a Slurm job of which
 * the limits could not be read. */
#define DOCKER 77
#define SLURM  78

static struct lake lake;

static void put_containers(struct example *example)
{
	static Signal__Container docker, slurm, *list[] = { &docker, &slurm };

	signal__container__init(&docker);
	docker.cgroup_id = DOCKER;
	docker.path = "/docker/0123";
	docker.runtime = "docker";
	docker.container_id = "0123";
	docker.name = "align-1";
	docker.image = "quay.io/bwa:0.7";
	docker.cpu_limit = 2;
	docker.limits_known = 1;
	docker.started_at = example->began_at;
	signal__container__init(&slurm);
	slurm.cgroup_id = SLURM;
	slurm.path = "/slurm/uid_1/job_42/step_0";
	slurm.runtime = "slurm";
	slurm.container_id = slurm.job_id = "42";
	slurm.step_id = "0";
	slurm.started_at = example->began_at;
	example->batch.containers = list;
	example->batch.n_containers = 2;
}

/* Two while the run lasted, one after it. */
static void put_samples(struct example *example)
{
	static Signal__ContainerSample samples[3], *list[3];

	for (int i = 0; i < 3; i++) {
		Signal__ContainerSample *sample = list[i] = &samples[i];

		signal__container_sample__init(sample);
		sample->cgroup_id = DOCKER;
		sample->since_at = example->began_at + (i * 400 + 10) * NS_PER_S;
		sample->until_at = sample->since_at + 5 * NS_PER_S;
		sample->cpu_periods = 50;
		sample->cpu_throttled_periods = 20;
		sample->cpu_throttled_ns = NS_PER_S;
		sample->memory_bytes = (unsigned)(i + 1) << 20;
		sample->memory_oom_kills = 1;
	}
	example->batch.container_samples = list;
	example->batch.n_container_samples = 3;
}

static int start(void **state)
{
	struct example example;

	example_make(&example, 1);
	put_containers(&example);
	put_samples(&example);
	for (int i = 1; i < EXAMPLE_EXECUTIONS; i++)
		example.executions[i].cgroup_id = i < 5 ? DOCKER : SLURM;
	return example_serve(&lake, &example);
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "(none)";
}

static long long whole(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static bool is_null(const json_t *object, const char *key)
{
	return json_is_null(json_object_get(object, key));
}

static void a_runs_containers_say_what_they_are_and_were_denied(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/containers", 200);
	const json_t *list = json_object_get(json, "containers"), *one = json_array_get(list, 0);

	assert_int_equal(json_array_size(list), 2);
	assert_string_equal(text(one, "name"), "align-1");
	assert_string_equal(text(one, "image"), "quay.io/bwa:0.7");
	assert_string_equal(text(one, "host"), "node-1");
	assert_int_equal(whole(one, "executions"), 4);
	assert_int_equal(whole(one, "cpu_periods"), 100); /* not what came after the run */
	assert_int_equal(whole(one, "cpu_throttled_periods"), 40);
	assert_int_equal(whole(one, "cpu_throttled_ns"), 2 * NS_PER_S);
	assert_int_equal(whole(one, "memory_peak_bytes"), 2 << 20);
	assert_int_equal(whole(one, "memory_oom_kills"), 2);
	assert_true(is_null(one, "memory_limit_bytes"));
	assert_true(json_is_true(json_object_get(one, "limits_known")));
	json_decref(json);
}

static void what_is_not_known_of_a_container_is_null(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/containers", 200);
	const json_t *one = json_array_get(json_object_get(json, "containers"), 1);

	assert_string_equal(text(one, "job_id"), "42");
	assert_string_equal(text(one, "step_id"), "0");
	assert_true(is_null(one, "name") && is_null(one, "image") && is_null(one, "pod"));
	assert_true(is_null(one, "cpu_throttled_ns") && is_null(one, "memory_peak_bytes"));
	assert_true(json_is_false(json_object_get(one, "limits_known")));
	json_decref(json);
}

static void a_task_shows_the_container_that_its_processes_were_in(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/tasks", 200);
	const json_t *tasks = json_object_get(json, "tasks");

	assert_string_equal(text(json_array_get(tasks, 0), "container_name"), "align-1");
	assert_string_equal(text(json_array_get(tasks, 0), "container_image"), "quay.io/bwa:0.7");
	assert_true(is_null(json_array_get(tasks, 2), "container_image"));
	json_decref(json);
}

static void the_list_has_its_limit(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/containers?limit=1", 200);

	assert_int_equal(json_array_size(json_object_get(json, "containers")), 1);
	json_decref(json);
	json_decref(lake_get(&lake, "/api/v1/runs/nope/containers", 404));
	json_decref(lake_get(&lake, "/api/v1/runs/latest/containers?limit=x", 400));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_runs_containers_say_what_they_are_and_were_denied),
		cmocka_unit_test(what_is_not_known_of_a_container_is_null),
		cmocka_unit_test(a_task_shows_the_container_that_its_processes_were_in),
		cmocka_unit_test(the_list_has_its_limit),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
