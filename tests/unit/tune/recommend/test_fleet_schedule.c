/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/recommend/fleet_schedule.h"

#define MOST 16
#define ONE_HOST                                                                      \
	{                                                                             \
		.cpus = 4, .memory_bytes = 16, .most = 1, .start_ns = 2, .idle_ns = 3 \
	}
#define MANY_HOSTS                                                                     \
	{                                                                              \
		.cpus = 4, .memory_bytes = 16, .most = 99, .start_ns = 2, .idle_ns = 3 \
	}

/* A task a line: CPUs, memory, how long it takes, when it is ready, lag. A need a line: from, to.
 * Found: the begin of each task and its host. */
static const struct {
	const char *name, *tasks, *needs;
	struct fleet_hosts hosts;
	int rc;
	const char *found;
	double host_ns;
	size_t starts, most;
} cases[] = {
	{ "nothing", "", "", ONE_HOST, 0, "", 0, 0, 0 },
	{ "one task waits for its host", "1 1 10 0 0\n", "", ONE_HOST, 0, "2@0 ", 15, 1, 1 },
	{ "two beside each other", "2 1 10 0 0\n2 1 10 0 0\n", "", ONE_HOST, 0, "2@0 2@0 ", 15, 1,
	  1 },
	{ "CPUs are missing", "3 1 10 0 0\n2 1 10 0 0\n", "", ONE_HOST, 0, "2@0 12@0 ", 25, 1, 1 },
	{ "memory is missing", "1 9 10 0 0\n1 8 10 0 0\n", "", ONE_HOST, 0, "2@0 12@0 ", 25, 1, 1 },
	{ "another host is started instead", "3 1 10 0 0\n2 1 10 0 0\n", "", MANY_HOSTS, 0,
	  "2@0 2@1 ", 30, 2, 2 },
	{ "one that fits goes before one that does not", "3 1 10 0 0\n2 1 10 0 0\n1 1 10 0 0\n", "",
	  ONE_HOST, 0, "2@0 12@0 2@0 ", 25, 1, 1 },
	{ "the fullest host that has room", "2 1 10 0 0\n3 1 10 0 0\n1 1 10 5 0\n", "", MANY_HOSTS,
	  0, "2@0 2@1 5@1 ", 15 + 18, 2, 2 },
	{ "what it needs, and its lag", "1 1 10 0 0\n1 1 5 0 1\n", "0 1\n", ONE_HOST, 0,
	  "2@0 13@0 ", 21, 1, 1 },
	{ "a host that is empty stops, and another one starts", "1 1 10 0 0\n1 1 5 20 0\n", "",
	  ONE_HOST, 0, "2@0 22@1 ", 15 + 10, 2, 1 },
	{ "one that is not empty for long does not", "1 1 10 0 0\n1 1 5 14 0\n", "", ONE_HOST, 0,
	  "2@0 14@0 ", 22, 1, 1 },
	{ "a task with more memory than a host", "1 17 1 0 0\n", "", ONE_HOST, -ERANGE, "", 0, 0,
	  0 },
	{ "a task with more CPUs than a host", "5 1 1 0 0\n", "", ONE_HOST, -ERANGE, "", 0, 0, 0 },
	{ "a circle", "1 1 1 0 0\n1 1 1 0 0\n", "0 1\n1 0\n", ONE_HOST, -ELOOP, "", 0, 0, 0 },
	{ "a task that takes no time", "4 16 0 0 0\n4 16 5 0 0\n", "0 1\n", ONE_HOST, 0, "2@0 2@0 ",
	  10, 1, 1 },
};

struct scene {
	struct fleet_task tasks[MOST];
	struct fleet_need needs[MOST];
	struct fleet_plan plan;
};

static void read_scene(struct scene *scene, const char *tasks, const char *needs)
{
	size_t from, to;
	int len;

	*scene = (struct scene){ .plan = { .tasks = scene->tasks, .needs = scene->needs } };
	for (struct fleet_task task;
	     sscanf(tasks, "%lf %lf %lf %lf %lf\n%n", &task.cpus, &task.memory_bytes, &task.ns,
		    &task.ready_ns, &task.lag_ns, &len) == 5;
	     tasks += len)
		scene->tasks[scene->plan.task_count++] = task;
	for (; sscanf(needs, "%zu %zu\n%n", &from, &to, &len) == 2; needs += len)
		scene->needs[scene->plan.need_count++] = (struct fleet_need){ from, to };
}

static void tasks_are_put_on_hosts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(fleet_times_clear) struct fleet_times times = { 0 };
		struct scene scene;
		char found[256] = "";

		print_message("%s\n", cases[i].name);
		read_scene(&scene, cases[i].tasks, cases[i].needs);
		assert_int_equal(fleet_schedule(&scene.plan, &cases[i].hosts, &times), cases[i].rc);
		if (cases[i].rc)
			continue;
		for (size_t k = 0; k < scene.plan.task_count; k++)
			snprintf(found + strlen(found), sizeof(found) - strlen(found), "%g@%zu ",
				 times.begins[k], times.hosts[k]);
		assert_string_equal(found, cases[i].found);
		assert_true(fabs(times.host_ns - cases[i].host_ns) < 1e-9);
		assert_int_equal(times.starts, cases[i].starts);
		assert_int_equal(times.most, cases[i].most);
	}
}

/* Summed up from what tasks were put where. */
static double memory_at(const struct fleet_plan *plan, const struct fleet_times *times, size_t host,
			double at)
{
	double sum = 0;

	for (size_t i = 0; i < plan->task_count; i++)
		if (times->hosts[i] == host && times->begins[i] <= at && at < times->ends[i])
			sum += plan->tasks[i].memory_bytes;
	return sum;
}

static void memory_is_never_exceeded(void **state)
{
	struct fleet_task tasks[60];
	struct fleet_need needs[60];
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 200; round++) {
		CLEANUP(fleet_times_clear) struct fleet_times times = { 0 };
		struct fleet_plan plan = { .tasks = tasks, .needs = needs };
		const struct fleet_hosts hosts = { .cpus = 1 + rand_r(&seed) % 8,
						   .memory_bytes = 20,
						   .most = 1 + (size_t)rand_r(&seed) % 5,
						   .start_ns = rand_r(&seed) % 4,
						   .idle_ns = rand_r(&seed) % 4 };

		for (size_t i = 0; i < 60; i++)
			tasks[plan.task_count++] = (struct fleet_task){
				.cpus = 1 + rand_r(&seed) % (int)hosts.cpus,
				.memory_bytes = rand_r(&seed) % 21,
				.ns = rand_r(&seed) % 9,
				.ready_ns = rand_r(&seed) % 30,
				.lag_ns = rand_r(&seed) % 3,
			};
		for (size_t i = 0; i < 59; i++)
			if (rand_r(&seed) % 3 == 0)
				needs[plan.need_count++] = (struct fleet_need){
					i, i + 1 + (size_t)rand_r(&seed) % (59 - i)
				};
		assert_int_equal(fleet_schedule(&plan, &hosts, &times), 0);
		assert_true(times.most <= hosts.most && times.memory_peak_bytes <= 20);
		for (size_t i = 0; i < plan.task_count; i++)
			assert_true(memory_at(&plan, &times, times.hosts[i], times.begins[i]) <=
				    20);
		for (size_t i = 0; i < plan.need_count; i++)
			assert_true(times.begins[needs[i].to] >= times.ends[needs[i].from]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_are_put_on_hosts),
		cmocka_unit_test(memory_is_never_exceeded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
