/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "tune/fixture_replay.h"
#include "tune/recommend/place_fleet.h"

static double seconds(double ns)
{
	return ns / NS_PER_S;
}

/* Hosts that start at once; wall seconds of the run. */
static const struct {
	const char *name, *tasks, *edges;
	double cpus;
	size_t most;
	double wall_s;
} cases[] = {
	{ "as it was", SCENE_TAIL, SCENE_TAIL_EDGES, 2, 1, 20 },
	{ "one CPU", SCENE_TAIL, SCENE_TAIL_EDGES, 1, 1, 30 },
	{ "two hosts of one CPU", SCENE_TAIL, SCENE_TAIL_EDGES, 1, 2, 20 },
	{ "without files a task needs what ended last", SCENE_TAIL, "", 1, 2, 20 },
	{ "and what the engine took stays", "a 0 10 10 0 0 4\nb 13 20 7 0 0 4\n", "", 1, 1, 20 },
	{ "more hosts than there is work", SCENE_TAIL, SCENE_TAIL_EDGES, 2, 9, 20 },
	{ "starved of CPUs before", "a 0 20 10 10 0 4\nb 0 20 10 10 0 4\n", "", 2, 1, 10 },
};

static void a_run_is_placed_on_hosts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(fleet_work_clear) struct fleet_work work = { 0 };
		CLEANUP(fleet_answer_clear) struct fleet_answer answer = { 0 };
		const struct fleet_hosts hosts = { .cpus = cases[i].cpus,
						   .memory_bytes = INFINITY,
						   .most = cases[i].most };
		struct replay_scene scene;

		print_message("%s\n", cases[i].name);
		replay_scene_read(&scene, cases[i].tasks, cases[i].edges);
		assert_int_equal(fleet_work_make(&work, &scene.run, 1), 0);
		assert_int_equal(fleet_work_run(&work, &hosts, &answer), 0);
		print_message("  %g s\n", seconds(answer.wall_ns));
		assert_true(fabs(seconds(answer.wall_ns) - cases[i].wall_s) < 0.01);
	}
}

static void what_was_submitted_had_its_inputs(void **state)
{
	CLEANUP(fleet_work_clear) struct fleet_work work = { 0 };
	CLEANUP(fleet_answer_clear) struct fleet_answer answer = { 0 };
	const struct fleet_hosts hosts = { .cpus = 1, .memory_bytes = INFINITY, .most = 9 };
	struct replay_scene scene;

	(void)state;
	/* The second one waited for the CPU of the first one, not for its files. */
	replay_scene_read(&scene, "a 0 10 10 0 0 4\nb 10 20 10 0 0 4\n", "");
	scene.tasks[1].queued_at = SCENE_BEGAN + NS_PER_S;
	assert_int_equal(fleet_work_make(&work, &scene.run, 1), 0);
	assert_int_equal(fleet_work_run(&work, &hosts, &answer), 0);
	assert_true(fabs(seconds(answer.wall_ns) - 11) < 0.01);
}

static void the_wall_time_is_that_of_a_run_on_average(void **state)
{
	CLEANUP(fleet_work_clear) struct fleet_work work = { 0 };
	CLEANUP(fleet_answer_clear) struct fleet_answer answer = { 0 };
	const struct fleet_hosts hosts = { .cpus = 1, .memory_bytes = INFINITY, .most = 1 };
	struct replay_scene one, other;
	struct replay_run runs[2];

	(void)state;
	replay_scene_read(&one, "a 0 10 10 0 0 4\n", "");
	replay_scene_read(&other, "a 0 10 10 0 0 4\n", "");
	runs[0] = one.run;
	runs[1] = other.run;
	assert_int_equal(fleet_work_make(&work, runs, 2), 0);
	assert_int_equal(fleet_work_run(&work, &hosts, &answer), 0);
	assert_true(fabs(seconds(answer.wall_ns) - 15) < 0.01); /* one waits for the other */
}

static void what_was_used_counts_where_less_was_asked_for(void **state)
{
	CLEANUP(place_fleet_clear) struct place_fleet place = { 0 };
	const struct recommend_machine small = { .cpus = 2, .memory_bytes = 9 },
				       narrow = { .cpus = 1, .memory_bytes = 100 },
				       room = { .cpus = 2, .memory_bytes = 13 },
				       large = { .cpus = 4, .memory_bytes = 100 };
	struct replay_scene scene;
	struct placeable work;
	struct placement placement;

	(void)state;
	replay_scene_read(&scene, "a 0 10 10 0 0 10\nb 0 10 10 0 0 1\n", "");
	scene.tasks[0].memory_requested_bytes = 5;
	scene.tasks[1].memory_requested_bytes = 5;
	scene.tasks[0].cpus_requested = 2;
	assert_int_equal(place_fleet_make(&place, &scene.run, 1, 0.1), 0);
	work = place_fleet_placeable(&place);
	assert_int_equal(work.place(work.state, &small, 1, &placement), 0);
	assert_int_equal(placement.refusal, PLACEMENT_NO_MEMORY);
	assert_int_equal(work.place(work.state, &narrow, 1, &placement), 0);
	assert_int_equal(placement.refusal, PLACEMENT_NO_CPUS);
	assert_int_equal(work.place(work.state, &large, 1, &placement), 0);
	assert_int_equal(placement.refusal, PLACEMENT_FITS);
	assert_true(placement.memory_peak_bytes == 15 && placement.notes == 0);
	assert_true(placement.starts == 1 && placement.hosts == 1 && placement.spread > 0);
	assert_int_equal(work.place(work.state, &room, 1, &placement), 0);
	assert_true(placement.memory_peak_bytes <= 13 * 0.9);
}

static void hosts_that_differ_in_nothing_that_matters_are_simulated_once(void **state)
{
	CLEANUP(place_fleet_clear) struct place_fleet place = { 0 };
	struct replay_scene scene;
	struct placeable work;
	struct placement placement;

	(void)state;
	replay_scene_read(&scene, SCENE_TAIL, SCENE_TAIL_EDGES);
	assert_int_equal(place_fleet_make(&place, &scene.run, 1, 0.1), 0);
	work = place_fleet_placeable(&place);
	for (int i = 0; i < 50; i++) {
		const struct recommend_machine machine = { .cpus = 2, .memory_bytes = 100 + i };

		assert_int_equal(work.place(work.state, &machine, 1, &placement), 0);
	}
	assert_int_equal(place.class_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_is_placed_on_hosts),
		cmocka_unit_test(what_was_submitted_had_its_inputs),
		cmocka_unit_test(the_wall_time_is_that_of_a_run_on_average),
		cmocka_unit_test(what_was_used_counts_where_less_was_asked_for),
		cmocka_unit_test(hosts_that_differ_in_nothing_that_matters_are_simulated_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
