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

#define MANY 100000

static const char TWO_ON_ONE_CORE[] = "a 0 20 10 10 0 4\nb 0 20 10 10 0 4\n";

static double seconds(double ns)
{
	return ns / NS_PER_S;
}

/* What is found: wall seconds. */
static const struct {
	const char *name, *tasks, *edges;
	struct whatif_ask ask;
	double found;
} cases[] = {
	{ "two that shared a core have one each", TWO_ON_ONE_CORE, "", { .cores = 2 }, 10 },
	{ "as it was", TWO_ON_ONE_CORE, "", { .cores = 0 }, 20 },
	{ "two on one core of two", "a 0 10 10 0 0 4\nb 0 10 10 0 0 4\n", "", { .cores = 1 }, 20 },
	{ "a serial tail does not scale", SCENE_TAIL, SCENE_TAIL_EDGES, { .cores = 4 }, 20 },
	{ "but what is before it does", SCENE_TAIL, SCENE_TAIL_EDGES, { .cores = 1 }, 30 },
	{ "more cores are no more slots",
	  "a 0 10 10 0 0 4\nb 0 10 10 0 0 4\nc 10 20 10 0 0 4\n",
	  "",
	  { .cores = 4 },
	  20 },
	{ "so many slots as are asked for",
	  "a 0 10 10 0 0 4\nb 0 10 10 0 0 4\nc 10 20 10 0 0 4\n",
	  "",
	  { .cores = 4, .slots = 3 },
	  10 },
	{ "two slots that become free nearly at once are both waited for",
	  "a 0 10 10 0 0 4\nb 0 10.05 10.05 0 0 4\nc 10.1 20 9.9 0 0 4\nd 10.1 20 9.9 0 0 4\n",
	  "",
	  { .cores = 4, .slots = 4 },
	  10.05 },
	{ "no queue",
	  "a 0 10 10 0 0 4\nb 0 10 10 0 0 4\nc 10 20 10 0 0 4\n",
	  "",
	  { .cores = 4, .no_queue = true },
	  10 },
	{ "no queue, on the same cores",
	  "a 0 10 10 0 0 4\nb 0 10 10 0 0 4\nc 10 20 10 0 0 4\n",
	  "",
	  { .no_queue = true },
	  15 },
	{ "disk waits stay", "a 0 20 10 0 10 4\nb 0 20 10 0 10 4\n", "", { .cores = 4 }, 20 },
	{ "memory for one at a time",
	  "a 0 10 10 0 0 4\nb 0 10 10 0 0 4\n",
	  "",
	  { .memory_bytes = 6 },
	  20 },
	{ "memory for both", "a 0 10 10 0 0 4\nb 0 10 10 0 0 4\n", "", { .memory_bytes = 8 }, 10 },
	{ "a chain without files is still one",
	  "a 0 10 10 0 0 4\nb 11 21 10 0 0 4\n",
	  "",
	  { .cores = 2, .no_queue = true },
	  21 },
	{ "the engine's time before and between tasks stays",
	  "a 5 15 10 0 0 4\nb 17 27 10 0 0 4\n",
	  "0 1 15\n",
	  { .cores = 4 },
	  27 },
};

static void the_run_is_replayed_otherwise(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(whatif_clear) struct whatif whatif = { 0 };
		struct replay_scene scene;

		print_message("%s\n", cases[i].name);
		replay_scene_read(&scene, cases[i].tasks, cases[i].edges);
		assert_int_equal(whatif_find(&scene.run, &cases[i].ask, &whatif), 0);
		assert_string_equal(whatif.refused, "");
		print_message("  %g\n", seconds(whatif.wall_ns));
		assert_true(fabs(seconds(whatif.wall_ns) - cases[i].found) < 0.05);
		assert_true(whatif.low_ns < whatif.wall_ns && whatif.wall_ns < whatif.high_ns);
	}
}

static void a_step_that_takes_half_saves_what_the_run_waited_for(void **state)
{
	const struct whatif_step half = { "sum", 0.5 };
	const struct whatif_ask ask = { .steps = &half, .step_count = 1 };
	CLEANUP(whatif_clear) struct whatif whatif = { 0 };
	struct replay_scene scene;

	(void)state;
	replay_scene_read(&scene, SCENE_TAIL, SCENE_TAIL_EDGES);
	assert_int_equal(whatif_find(&scene.run, &ask, &whatif), 0);
	assert_true(fabs(seconds(whatif.wall_ns) - 15) < 0.05);
}

static void the_step_that_saves_most_is_first(void **state)
{
	const struct whatif_ask ask = { 0 };
	CLEANUP(whatif_clear) struct whatif whatif = { 0 };
	struct replay_scene scene;

	(void)state;
	replay_scene_read(
		&scene,
		"long 0 10 10 0 0 4\nbeside 0 9 9 0 0 4\nbeside 9 18 9 0 0 4\nlast 18 19 1 0 0 4\n",
		"1 2 9\n2 3 18\n");
	assert_int_equal(whatif_find(&scene.run, &ask, &whatif), 0);
	assert_int_equal(whatif.gain_count, 3);
	assert_string_equal(whatif.gains[0].step, "beside");
	assert_int_equal(whatif.gains[0].tasks, 2);
	assert_true(whatif.gains[0].saves_ns > whatif.gains[1].saves_ns);
	assert_string_equal(whatif.gains[2].step, "long");
	assert_true(fabs(seconds(whatif.gains[2].saves_ns)) < 0.05);
}

static void the_tasks_have_a_timeline(void **state)
{
	const struct whatif_ask ask = { .cores = 1 };
	CLEANUP(whatif_clear) struct whatif whatif = { 0 };
	struct replay_scene scene;

	(void)state;
	replay_scene_read(&scene, SCENE_TAIL, SCENE_TAIL_EDGES);
	assert_int_equal(whatif_find(&scene.run, &ask, &whatif), 0);
	assert_true(fabs(seconds(whatif.spans[2].begin_ns) - 20) < 0.05);
	assert_true(fabs(seconds(whatif.spans[2].end_ns) - 30) < 0.05);
	assert_true(whatif.memory_peak_bytes == 8);
}

/* Of a host with two CPUs the run had one: its threads waited while they used no more. */
static void cores_that_the_run_did_not_get_do_not_count(void **state)
{
	const struct whatif_ask ask = { .cores = 2 };
	CLEANUP(whatif_clear) struct whatif whatif = { 0 };
	struct replay_scene scene;

	(void)state;
	replay_scene_read(&scene, TWO_ON_ONE_CORE, "");
	assert_int_equal(whatif_find(&scene.run, &ask, &whatif), 0);
	assert_true(whatif.measured_cores == 1 && whatif.cores_inferred);
	replay_scene_read(&scene, SCENE_TAIL, "");
	whatif_clear(&whatif);
	assert_int_equal(whatif_find(&scene.run, &ask, &whatif), 0);
	assert_true(whatif.measured_cores == 2 && !whatif.cores_inferred);
}

static void programs_of_a_pipe_take_less_on_one_core(void **state)
{
	const struct whatif_ask asks[] = { { .cores = 1 }, { .cores = 2 } };
	const double expected[] = { 29.4, 20 };
	struct replay_scene scene;

	(void)state;
	replay_scene_read(&scene, SCENE_TAIL, SCENE_TAIL_EDGES);
	scene.tasks[2].pipe_wakes = 100000;
	for (size_t i = 0; i < 2; i++) {
		CLEANUP(whatif_clear) struct whatif whatif = { 0 };

		assert_int_equal(whatif_find(&scene.run, &asks[i], &whatif), 0);
		print_message("%g\n", seconds(whatif.wall_ns));
		assert_true(fabs(seconds(whatif.wall_ns) - expected[i]) < 0.01);
	}
}

static void on_the_cores_of_its_quota_a_run_takes_what_it_took(void **state)
{
	const struct whatif_ask ask = { .cores = 1 };
	CLEANUP(whatif_clear) struct whatif whatif = { 0 };
	struct replay_scene scene;

	(void)state;
	replay_scene_read(&scene, TWO_ON_ONE_CORE, "");
	scene.run.cpu_limit = 1;
	scene.tasks[0].pipe_wakes = scene.tasks[1].pipe_wakes = 100000;
	assert_int_equal(whatif_find(&scene.run, &ask, &whatif), 0);
	assert_true(fabs(seconds(whatif.wall_ns) - 20) < 0.01);
}

static void the_interval_follows_earlier_runs(void **state)
{
	const struct whatif_ask ask = { 0 };
	CLEANUP(whatif_clear) struct whatif one = { 0 };
	CLEANUP(whatif_clear) struct whatif other = { 0 };
	struct replay_scene scene;

	(void)state;
	replay_scene_read(&scene, SCENE_TAIL, SCENE_TAIL_EDGES);
	scene.run.history = (struct replay_history){ 5, 0.04 };
	assert_int_equal(whatif_find(&scene.run, &ask, &one), 0);
	scene.run.history.spread = 0.2;
	assert_int_equal(whatif_find(&scene.run, &ask, &other), 0);
	assert_int_equal(one.spread.runs_seen, 5);
	assert_true(other.low_ns < one.low_ns && one.high_ns < other.high_ns);
	assert_true(fabs(log(one.high_ns / one.wall_ns) - 1.645 * sqrt(2) * 0.04) < 1e-6);
}

static void time_that_is_not_known_widens_the_interval(void **state)
{
	const struct whatif_ask ask = { .cores = 1 };
	CLEANUP(whatif_clear) struct whatif known = { 0 };
	CLEANUP(whatif_clear) struct whatif unknown = { 0 };
	struct replay_scene scene;

	(void)state;
	replay_scene_read(&scene, SCENE_TAIL, SCENE_TAIL_EDGES);
	assert_int_equal(whatif_find(&scene.run, &ask, &known), 0);
	for (size_t i = 0; i < scene.run.task_count; i++) {
		struct wall *wall = &scene.tasks[i].wall;

		wall->ns[WALL_UNKNOWN] = wall->ns[WALL_COMPUTING] / 4;
		wall->ns[WALL_COMPUTING] -= wall->ns[WALL_UNKNOWN];
		wall->serial_ns = wall->ns[WALL_COMPUTING];
		scene.tasks[i].cpu_ns = wall->ns[WALL_COMPUTING];
	}
	assert_int_equal(whatif_find(&scene.run, &ask, &unknown), 0);
	assert_true(unknown.spread.unknown > 0 && known.spread.unknown == 0);
	assert_true(log(unknown.high_ns / unknown.wall_ns) > log(known.high_ns / known.wall_ns));
}

/* A hundred at a time, each fed by one before; as many steps as there are letters. */
static void as_many_tasks_as_a_run_may_have(void **state)
{
	static const char steps[][2] = { "a", "b", "c", "d", "e" };
	CLEANUP(freep) struct replay_task *tasks = calloc(MANY + 1, sizeof(*tasks));
	CLEANUP(freep) struct flow_edge *edges = calloc(MANY, sizeof(*edges));
	CLEANUP(whatif_clear) struct whatif whatif = { 0 };
	CLEANUP(whatif_clear) struct whatif refused = { 0 };
	const struct whatif_ask ask = { .cores = 200, .no_queue = true };
	struct replay_run run = { .status = "succeeded",
				  .began_at = SCENE_BEGAN,
				  .ended_at = SCENE_BEGAN + MANY / 100 * NS_PER_S,
				  .tasks = tasks,
				  .task_count = MANY,
				  .edges = edges,
				  .complete = true,
				  .engine = { .name = "", .command = "" },
				  .hosts = 1,
				  .host_cpus = 100 };

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		int64_t at = SCENE_BEGAN + (int64_t)(i / 100) * NS_PER_S;

		tasks[i] = (struct replay_task){ .id = "",
						 .step = steps[i % 5],
						 .name = "",
						 .started_at = at,
						 .ended_at = at + NS_PER_S,
						 .cpu_ns = NS_PER_S,
						 .threads = 1,
						 .slots = 1 };
		tasks[i].wall.ns[WALL_COMPUTING] = tasks[i].wall.serial_ns = NS_PER_S;
		if (i >= 100)
			edges[run.edge_count++] = (struct flow_edge){ i - 100, i, at, 1 };
	}
	assert_int_equal(whatif_find(&run, &ask, &whatif), 0);
	assert_string_equal(whatif.refused, "");
	assert_true(fabs(seconds(whatif.wall_ns) - MANY / 100) < 1);
	run.task_count = MANY + 1;
	assert_int_equal(whatif_find(&run, &ask, &refused), 0);
	assert_non_null(strstr(refused.refused, "more tasks"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_run_is_replayed_otherwise),
		cmocka_unit_test(a_step_that_takes_half_saves_what_the_run_waited_for),
		cmocka_unit_test(the_step_that_saves_most_is_first),
		cmocka_unit_test(the_tasks_have_a_timeline),
		cmocka_unit_test(cores_that_the_run_did_not_get_do_not_count),
		cmocka_unit_test(programs_of_a_pipe_take_less_on_one_core),
		cmocka_unit_test(on_the_cores_of_its_quota_a_run_takes_what_it_took),
		cmocka_unit_test(the_interval_follows_earlier_runs),
		cmocka_unit_test(time_that_is_not_known_widens_the_interval),
		cmocka_unit_test(as_many_tasks_as_a_run_may_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
