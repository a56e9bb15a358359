/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/slowness/slot_plan.h"
#include "tune/slowness/slot_schedule.h"

#define MOST 16
#define MANY 100000

/*
 * A task a line: name (a letter), start, end, slots. An edge a line: from, to, when it was closed.
 * What is found: slots that were taken at most; slots advised; what these save.
 */
static const struct {
	const char *name, *tasks, *edges;
	double cpus;
	const char *found;
} cases[] = {
	{ "one at a time, though all were ready: twice as many take half", "a 1 11 1\nb 11 21 1",
	  "", 2, "1 2 10" },
	{ "four of ten each on two slots", "a 1 11 1\nb 1 11 1\nc 11 21 1\nd 11 21 1", "", 4,
	  "2 4 10" },
	{ "as many slots as the host has CPUs, if that saves more",
	  "a 1 11 1\nb 11 21 1\nc 21 31 1\nd 31 41 1", "", 4, "1 4 30" },
	{ "but no more than twice as many on a host that has none left",
	  "a 1 11 1\nb 11 21 1\nc 21 31 1\nd 31 41 1", "", 1, "1 2 20" },
	{ "a chain takes as long on any number", "a 1 11 1\nb 11 21 1\nc 21 31 1", "a b 11\nb c 21",
	  8, "1 0 0" },
	{ "what began at once has slots", "a 1 11 1\nb 1 11 1", "", 8, "2 0 0" },
	{ "ready at 11, held up by another until 31", "a 1 11 1\nb 11 31 1\nc 31 41 1", "a c 11", 8,
	  "1 2 20" },
	{ "a wait while no slot was taken is the engine's own", "a 1 11 1\nb 40 50 1", "", 8,
	  "1 0 0" },
	{ "so it is with an input", "a 1 11 1\nb 40 50 1", "a b 11", 8, "1 0 0" },
	{ "one of two slots that is free is of no use to a task that takes both",
	  "a 1 11 2\nb 11 41 1\nc 41 51 2\nd 51 81 1", "a b 11\nc d 51", 4, "2 4 40" },
	{ "a task that takes two slots leaves none", "a 1 11 2\nb 11 21 2", "", 8, "2 4 10" },
	{ "an input that is closed early is needed from then on, where it was not waited for",
	  "a 1 21 1\nb 6 26 1", "a b 6", 8, "2 0 0" },
	{ "no tasks", "", "", 8, "0 0 0" },
};

struct scene {
	struct flow_task tasks[MOST];
	struct flow_edge edges[MOST];
	double weights[MOST];
	struct flow flow;
};

static void read_scene(struct scene *scene, size_t i)
{
	long long from, to, at;
	double weight;
	char task, other;
	int len;

	*scene = (struct scene){ 0 };
	scene->flow.tasks = scene->tasks;
	scene->flow.edges = scene->edges;
	for (const char *text = cases[i].tasks;
	     sscanf(text, " %c %lld %lld %lf%n", &task, &from, &to, &weight, &len) == 4;
	     text += len) {
		scene->weights[scene->flow.task_count] = weight;
		scene->tasks[scene->flow.task_count++] = (struct flow_task){ from, to };
	}
	for (const char *text = cases[i].edges;
	     sscanf(text, " %c %c %lld%n", &task, &other, &at, &len) == 3; text += len)
		scene->edges[scene->flow.edge_count++] =
			(struct flow_edge){ (size_t)(task - 'a'), (size_t)(other - 'a'), at, 1 };
}

static void more_slots_save_what_waited_for_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(slot_use_clear) struct slot_use use = { 0 };
		struct slot_plan plan = { 0 };
		struct scene scene;
		char found[64];

		print_message("%s\n", cases[i].name);
		read_scene(&scene, i);
		assert_int_equal(slot_use_make(&use, &scene.flow, scene.weights), 0);
		assert_int_equal(
			slot_plan_find(&scene.flow, &use, scene.weights, cases[i].cpus, &plan), 0);
		snprintf(found, sizeof(found), "%g %g %g", use.peak, plan.advised, plan.saves_ns);
		assert_string_equal(found, cases[i].found);
	}
}

/* Three slots: a task of two has no room beside one of two, nor beside one of two and one of one.
 */
static void a_task_has_room_by_its_weight(void **state)
{
	const struct flow_task tasks[] = { { 10, 20 }, { 10, 30 }, { 40, 50 } };
	const double weights[] = { 1, 2, 1 };
	const struct flow flow = { .tasks = tasks, .task_count = 3 };
	CLEANUP(slot_use_clear) struct slot_use use = { 0 };

	(void)state;
	assert_int_equal(slot_use_make(&use, &flow, weights), 0);
	assert_true(use.peak == 3);
	assert_true(fabs(slot_use_full(&use, 2, 10, 30) - 1) < 1e-9);
	assert_true(fabs(slot_use_full(&use, 1, 10, 30) - 0.5) < 1e-9);
	assert_true(fabs(slot_use_full(&use, 9, 5, 25) - 0.75) < 1e-9);
	assert_true(fabs(slot_use_full(&use, 2, 0, 10)) < 1e-9);
	assert_true(fabs(slot_use_full(&use, 2, 35, 95)) < 1e-9);
	assert_true(slot_use_full(&use, 2, 20, 20) == 0);
}

/* None that is alone has no room, however large it is. */
static void sizes_are_bounded(void **state)
{
	static struct flow_task tasks[10 * SLOT_SIZES_MAX];
	static double weights[10 * SLOT_SIZES_MAX];
	const struct flow flow = { .tasks = tasks, .task_count = 10 * SLOT_SIZES_MAX };
	CLEANUP(slot_use_clear) struct slot_use use = { 0 };

	(void)state;
	for (size_t i = 0; i < flow.task_count; i++) {
		tasks[i] = (struct flow_task){ 100 * (int64_t)i + 1, 100 * (int64_t)i + 51 };
		weights[i] = 1 + (double)i / 7;
	}
	assert_int_equal(slot_use_make(&use, &flow, weights), 0);
	assert_int_equal(use.size_count, SLOT_SIZES_MAX);
	assert_true(fabs(slot_use_full(&use, 1, 1, 51)) < 1e-9);
	assert_true(fabs(slot_use_full(&use, 1e9, 51, 101)) < 1e-9);
}

/* An end and the next begin overlap a little. */
static void brief_overlap_is_no_slot(void **state)
{
	const struct flow_task tasks[] = { { 1, 1001 }, { 1000, 2000 } };
	const double weights[] = { 1, 1 };
	const struct flow flow = { .tasks = tasks, .task_count = 2 };
	CLEANUP(slot_use_clear) struct slot_use use = { 0 };

	(void)state;
	assert_int_equal(slot_use_make(&use, &flow, weights), 0);
	assert_true(use.peak == 1);
}

static void many_tasks_are_scheduled(void **state)
{
	static struct slot_job jobs[MANY];
	double lasts;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		jobs[i] = (struct slot_job){ .duration = 1, .weight = 1 };
	assert_int_equal(slot_schedule(jobs, MANY, NULL, 0, 10, &lasts), 0);
	assert_true(lasts == MANY / 10);
}

/* One that asks for more than there is runs alone. */
static void too_large_a_task_runs_alone(void **state)
{
	const struct slot_job jobs[] = { { 0, 0, 5, 1 }, { 0, 0, 5, 9 }, { 0, 0, 5, 1 } };
	double lasts;

	(void)state;
	assert_int_equal(slot_schedule(jobs, 3, NULL, 0, 2, &lasts), 0);
	assert_true(lasts == 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_slots_save_what_waited_for_one),
		cmocka_unit_test(a_task_has_room_by_its_weight),
		cmocka_unit_test(sizes_are_bounded),
		cmocka_unit_test(brief_overlap_is_no_slot),
		cmocka_unit_test(many_tasks_are_scheduled),
		cmocka_unit_test(too_large_a_task_runs_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
