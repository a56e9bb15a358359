/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "tune/fixture_replay.h"
#include "tune/recommend/place_host.h"

#define HEADROOM 0.1
#define TWO      "a 0 10 10 0 0 40\nb 0 10 10 0 0 40\n"
#define ON_DISK  "a 0 20 10 0 10 40\nb 0 20 10 0 10 40\n"

/* Tasks move 1000 bytes of storage each. */
static const struct {
	const char *name, *tasks;
	struct recommend_machine machine;
	enum placement_refusal refusal;
	double wall_s;
	unsigned notes;
} cases[] = {
	{ "as it was", TWO, { .cpus = 2, .memory_bytes = 100 }, PLACEMENT_FITS, 10, 0 },
	{ "one core", TWO, { .cpus = 1, .memory_bytes = 100 }, PLACEMENT_FITS, 20, 0 },
	{ "memory for one at a time",
	  TWO,
	  { .cpus = 2, .memory_bytes = 60 },
	  PLACEMENT_FITS,
	  20,
	  PLACEMENT_MEMORY_WAITS },
	{ "memory for both, but not with what stays free",
	  TWO,
	  { .cpus = 2, .memory_bytes = 85 },
	  PLACEMENT_FITS,
	  20,
	  PLACEMENT_MEMORY_WAITS },
	{ "memory for none", TWO, { .cpus = 2, .memory_bytes = 43 }, PLACEMENT_NO_MEMORY, 0, 0 },
	{ "more cores than are concluded",
	  TWO,
	  { .cpus = 9, .memory_bytes = 100 },
	  PLACEMENT_UNSEEN,
	  0,
	  0 },
	{ "storage that is as fast",
	  ON_DISK,
	  { .cpus = 2, .memory_bytes = 100, .storage_bytes_s = 200 },
	  PLACEMENT_FITS,
	  20,
	  0 },
	{ "storage of half the speed",
	  ON_DISK,
	  { .cpus = 4, .memory_bytes = 100, .storage_bytes_s = 50 },
	  PLACEMENT_FITS,
	  40, /* both together move 2000 bytes */
	  PLACEMENT_STORAGE_SLOWER },
	{ "storage of which nothing is known",
	  ON_DISK,
	  { .cpus = 2, .memory_bytes = 100 },
	  PLACEMENT_FITS,
	  20,
	  PLACEMENT_STORAGE_UNKNOWN },
};

static void read_scene(struct replay_scene *scene, const char *tasks)
{
	replay_scene_read(scene, tasks, "");
	for (size_t i = 0; i < scene->run.task_count; i++)
		if (scene->tasks[i].wall.ns[WALL_DISK] > 0)
			scene->tasks[i].storage_read_bytes = 1000;
}

static void a_run_is_placed_on_a_machine(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(place_host_clear) struct place_host place = { 0 };
		struct replay_scene scene;
		struct placeable work;
		struct placement placement;

		print_message("%s\n", cases[i].name);
		read_scene(&scene, cases[i].tasks);
		assert_int_equal(place_host_make(&place, &scene.run, HEADROOM), 0);
		work = place_host_placeable(&place, true);
		assert_int_equal(work.place(work.state, &cases[i].machine, 1, &placement), 0);
		assert_int_equal(placement.refusal, cases[i].refusal);
		if (placement.refusal != PLACEMENT_FITS)
			continue;
		print_message("  %g s\n", placement.wall_ns / NS_PER_S);
		assert_true(fabs(placement.wall_ns / NS_PER_S - cases[i].wall_s) < 0.05);
		assert_int_equal(placement.notes, cases[i].notes);
		assert_true(placement.memory_peak_bytes <=
			    cases[i].machine.memory_bytes * (1 - HEADROOM));
		assert_true(placement.spread > 0);
	}
}

/* An engine of 30 bytes beside tasks of 40. */
static void what_the_engine_uses_is_no_room_for_tasks(void **state)
{
	static const struct {
		double memory_bytes;
		enum placement_refusal refusal;
		double wall_s, peak_bytes;
	} engines[] = {
		{ 123, PLACEMENT_FITS, 10, 110 },  { 121, PLACEMENT_FITS, 20, 70 },
		{ 78, PLACEMENT_FITS, 20, 70 },    { 77, PLACEMENT_NO_MEMORY, 0, 0 },
		{ 20, PLACEMENT_NO_MEMORY, 0, 0 },
	};
	CLEANUP(place_host_clear) struct place_host place = { 0 };
	struct replay_scene scene;
	struct placeable work;

	(void)state;
	replay_scene_read(&scene, TWO, "");
	scene.run.engine.memory_bytes = 30;
	assert_int_equal(place_host_make(&place, &scene.run, HEADROOM), 0);
	work = place_host_placeable(&place, true);
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		const struct recommend_machine machine = { .cpus = 2,
							   .memory_bytes =
								   engines[i].memory_bytes };
		struct placement placement;

		assert_int_equal(work.place(work.state, &machine, 1, &placement), 0);
		assert_int_equal(placement.refusal, engines[i].refusal);
		if (placement.refusal != PLACEMENT_FITS)
			continue;
		assert_true(fabs(placement.wall_ns / NS_PER_S - engines[i].wall_s) < 0.05);
		assert_int_equal(placement.memory_peak_bytes, engines[i].peak_bytes);
	}
}

static void machines_that_differ_in_nothing_that_matters_are_replayed_once(void **state)
{
	CLEANUP(place_host_clear) struct place_host place = { 0 };
	struct replay_scene scene;
	struct placeable work;
	struct placement placement;

	(void)state;
	replay_scene_read(&scene, TWO, "");
	assert_int_equal(place_host_make(&place, &scene.run, HEADROOM), 0);
	work = place_host_placeable(&place, true);
	for (int i = 0; i < 100; i++) {
		const struct recommend_machine machine = { .cpus = 2,
							   .memory_bytes = 100 + i,
							   .storage_bytes_s = 1 + i };

		assert_int_equal(work.place(work.state, &machine, 1, &placement), 0);
	}
	assert_int_equal(place.class_count, 1);
}

static void classes_have_a_bound(void **state)
{
	CLEANUP(place_host_clear) struct place_host place = { 0 };
	struct replay_scene scene;
	struct placeable work;
	struct placement placement = { 0 };

	(void)state;
	replay_scene_read(&scene, TWO, "");
	assert_int_equal(place_host_make(&place, &scene.run, HEADROOM), 0);
	work = place_host_placeable(&place, true);
	for (int i = 0; i <= PLACE_HOST_CLASSES; i++) {
		const struct recommend_machine machine = { .cpus = 1 + i / 1024.0,
							   .memory_bytes = 100 };

		assert_int_equal(work.place(work.state, &machine, 1, &placement), 0);
		assert_int_equal(placement.refusal,
				 i < PLACE_HOST_CLASSES ? PLACEMENT_FITS : PLACEMENT_UNSEEN);
	}
}

static void memory_that_is_not_known_is_at_most_what_the_host_had(void **state)
{
	CLEANUP(place_host_clear) struct place_host place = { 0 };
	const struct recommend_machine small = { .cpus = 2, .memory_bytes = 99 },
				       large = { .cpus = 2, .memory_bytes = 100 };
	struct replay_scene scene;
	struct placeable work;
	struct placement placement;

	(void)state;
	replay_scene_read(&scene, "a 0 10 10 0 0 0\nb 0 10 10 0 0 4\n", "");
	scene.run.host_memory_bytes = 100;
	assert_int_equal(place_host_make(&place, &scene.run, HEADROOM), 0);
	work = place_host_placeable(&place, true);
	assert_int_equal(work.place(work.state, &small, 1, &placement), 0);
	assert_int_equal(placement.refusal, PLACEMENT_NO_MEMORY);
	assert_int_equal(work.place(work.state, &large, 1, &placement), 0);
	assert_int_equal(placement.refusal, PLACEMENT_FITS);
	assert_true(placement.notes & PLACEMENT_MEMORY_UNKNOWN);
	assert_true(placement.memory_peak_bytes < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_is_placed_on_a_machine),
		cmocka_unit_test(what_the_engine_uses_is_no_room_for_tasks),
		cmocka_unit_test(machines_that_differ_in_nothing_that_matters_are_replayed_once),
		cmocka_unit_test(classes_have_a_bound),
		cmocka_unit_test(memory_that_is_not_known_is_at_most_what_the_host_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
