/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "tune/fixture_replay.h"
#include "tune/replay/engine_split.h"

#define BUCKETS_MOST 16

/* Seconds throughout. The run begins at 0; its task begins and ends; the engine's buckets of one
 * second begin at offset, and have so much CPU time each. */
static const struct {
	const char *name, *task;
	double ended, offset, computing;
	const char *buckets;
	double before, beside, after;
} cases[] = {
	{ "nothing is known of the engine", "a 2 8 6 0 0 4\n", 10, 0, 0, "", 0, 0, 0 },
	{ "the buckets begin with the tasks", "a 2 8 6 0 0 4\n", 10, 0, 2.6,
	  "1 0.6 0.1 0.1 0.1 0.1 0.1 0.1 0.4 0", 1.6, 0.6, 0.4 },
	{ "a task begins in the middle of a bucket", "a 0.6 8 7 0 0 4\n", 8, 0, 1.4,
	  "0.64 0.1 0.1 0.1 0.1 0.1 0.1 0.1", 0.6, 0.74, 0 },
	{ "a sample of before is in the bucket after", "a 0.6 8 7 0 0 4\n", 8, -0.3, 1.4,
	  "0.3 0.41 0.1 0.1 0.1 0.1 0.1 0.1 0.03", 0.6, 0.74, 0 },
	{ "a sample of after is in the bucket before", "a 0 7.4 7 0 0 4\n", 8, 0, 1.34,
	  "0.1 0.1 0.1 0.1 0.1 0.1 0.4 0.34", 0, 0.74, 0.6 },
	{ "one thread can do no more in the time that there was", "a 0.5 8 7 0 0 4\n", 8, 0, 1.65,
	  "0.95 0.2 0.1 0.1 0.1 0.1 0.1 0", 0.5, 1.15, 0 },
	{ "two at once can", "a 0.5 8 7 0 0 4\n", 8, 0, 0.825, "0.95 0.2 0.1 0.1 0.1 0.1 0.1 0", 1,
	  0.65, 0 },
	{ "beside tasks it did nothing", "a 2 8 6 0 0 4\n", 8, 0, 1, "0.4 0.6", 1, 0, 0 },
	{ "too short to know: by time", "a 1 2.5 1 0 0 4\n", 4, 0, 1, "0.3 0.1 0.2 0.4", 0.3, 0.2,
	  0.5 },
};

static void read_buckets(const char *text, double offset, struct engine_buckets *buckets)
{
	double cpu;
	int len;

	for (; sscanf(text, "%lf%n", &cpu, &len) == 1; text += len, buckets->count++)
		buckets->items[buckets->count] = (struct engine_bucket){
			SCENE_BEGAN + (int64_t)((offset + (double)buckets->count) * NS_PER_S),
			cpu * NS_PER_S
		};
}

static void assert_seconds(const char *what, double ns, double expected)
{
	print_message("  %s %g, expected %g\n", what, ns / NS_PER_S, expected);
	assert_true(fabs(ns / NS_PER_S - expected) < 1e-3);
}

static void the_engines_time_is_split_at_the_tasks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct engine_bucket items[BUCKETS_MOST];
		struct engine_buckets buckets = { .items = items, .width_ns = NS_PER_S };
		struct replay_scene scene;
		struct replay_engine *engine = &scene.run.engine;

		print_message("%s\n", cases[i].name);
		replay_scene_read(&scene, cases[i].task, "");
		scene.run.ended_at = SCENE_BEGAN + (int64_t)(cases[i].ended * NS_PER_S);
		engine->wall.ns[WALL_COMPUTING] = cases[i].computing * NS_PER_S;
		read_buckets(cases[i].buckets, cases[i].offset, &buckets);
		engine_split(&scene.run, &buckets);
		assert_seconds("before", engine->before_cpu_ns, cases[i].before);
		assert_seconds("beside", engine->beside_cpu_ns, cases[i].beside);
		assert_seconds("after", engine->after_cpu_ns, cases[i].after);
	}
}

static void a_run_without_tasks_is_the_engines(void **state)
{
	struct engine_bucket items[] = { { SCENE_BEGAN, NS_PER_S },
					 { SCENE_BEGAN + NS_PER_S, NS_PER_S } };
	const struct engine_buckets buckets = { items, 2, NS_PER_S };
	struct replay_run run = { .began_at = SCENE_BEGAN, .ended_at = SCENE_BEGAN + 2 * NS_PER_S };

	(void)state;
	engine_split(&run, &buckets);
	assert_seconds("beside", run.engine.beside_cpu_ns, 0);
	assert_seconds("before and after", run.engine.before_cpu_ns + run.engine.after_cpu_ns, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_engines_time_is_split_at_the_tasks),
		cmocka_unit_test(a_run_without_tasks_is_the_engines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
