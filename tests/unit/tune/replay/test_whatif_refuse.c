/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "tune/fixture_replay.h"
#include "tune/replay/whatif.h"

/* What changes a run so that there is no answer, and a word of why. */
static void loses_cpu_records(struct replay_scene *scene)
{
	for (size_t i = 0; i < scene->run.task_count; i++) {
		scene->tasks[i].cpu_ns = 0;
		scene->tasks[i].wall = (struct wall){ 0 };
	}
}

static void has_no_cpu_time(struct replay_scene *scene)
{
	for (size_t i = 0; i < scene->run.task_count; i++)
		scene->tasks[i].cpu_ns = 0;
}

static void still_runs(struct replay_scene *scene)
{
	scene->run.status = "running";
}

static void is_left_out(struct replay_scene *scene)
{
	scene->run.complete = false;
}

static void is_on_two_hosts(struct replay_scene *scene)
{
	scene->run.hosts = 2;
}

static void has_no_tasks(struct replay_scene *scene)
{
	scene->run.task_count = scene->run.edge_count = 0;
}

static void has_a_circle(struct replay_scene *scene)
{
	scene->edges[0] = (struct flow_edge){ 0, 1, SCENE_BEGAN, 1 };
	scene->edges[1] = (struct flow_edge){ 1, 0, SCENE_BEGAN, 1 };
}

static void idles_unexplained(struct replay_scene *scene)
{
	for (size_t i = 0; i < scene->run.task_count; i++) {
		scene->tasks[i].wall.ns[WALL_RUNNABLE] = scene->tasks[i].wall.ns[WALL_COMPUTING];
		scene->tasks[i].wall.ns[WALL_COMPUTING] = 1;
		scene->tasks[i].cpu_ns = 1;
	}
}

static void nothing(struct replay_scene *scene)
{
	(void)scene;
}

static const struct whatif_step NO_STEP = { "map", 0.5 };

static const struct {
	void (*change)(struct replay_scene *scene);
	struct whatif_ask ask;
	const char *words;
} refusals[] = {
	{ nothing, { .cores = 9 }, "measured on 2 cores" },
	{ nothing, { .memory_bytes = 3 }, "would not fit" },
	{ nothing, { .steps = &NO_STEP, .step_count = 1 }, "no step named map" },
	{ still_runs, { .cores = 0 }, "is running" },
	{ is_left_out, { .cores = 0 }, "more tasks" },
	{ is_on_two_hosts, { .cores = 0 }, "2 hosts" },
	{ has_no_tasks, { .cores = 0 }, "No task" },
	{ loses_cpu_records, { .cores = 0 }, "no records of CPU time" },
	{ has_no_cpu_time, { .cores = 0 }, "no records of CPU time" },
	{ has_a_circle, { .cores = 0 }, "contradict" },
	{ idles_unexplained, { .cores = 0 }, "do not explain it" },
};

static void what_was_not_measured_has_no_answer(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		CLEANUP(whatif_clear) struct whatif whatif = { 0 };
		struct replay_scene scene;

		replay_scene_read(&scene, SCENE_TAIL, SCENE_TAIL_EDGES);
		refusals[i].change(&scene);
		assert_int_equal(whatif_find(&scene.run, &refusals[i].ask, &whatif), 0);
		print_message("%s\n", whatif.refused);
		assert_non_null(strstr(whatif.refused, refusals[i].words));
		assert_true(whatif.wall_ns == 0 && whatif.spans == NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_not_measured_has_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
