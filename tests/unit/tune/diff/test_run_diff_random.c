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
#include "tune/diff/run_diff.h"

/* Runs made by a generator with a fixed seed: the parts of each difference add up to it. */
#define TASKS 40
#define EDGES 60
#define STEPS 7

struct made {
	struct step_task tasks[TASKS];
	struct flow_task flow_tasks[TASKS];
	struct flow_edge edges[EDGES];
	struct diff_span spans[4 * TASKS + 4];
	struct diff_run run;
};

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % below;
}

/* Sometimes what no time is: records of other hosts may hold anything. */
static double draw_ns(uint64_t below)
{
	static const double ODD[] = { -1e9, 1e300, 0 };

	return draw(50) ? (double)draw(below) + (double)draw(1000) / 1000 : ODD[draw(3)];
}

static struct step_task draw_task(size_t i, struct flow_task *times)
{
	static const char *const NAMES[STEPS] = { "A", "B", "C", "D", "E", "F", "" };
	static const char *const MARKS[] = { "", "x", "y", "z" };
	struct step_task task = { .run_id = "", .id = "", .name = "", .requested_by = "" };

	times->started_at = 1000 + (int64_t)draw(900000);
	times->ended_at = draw(20) ? times->started_at + 1 + (int64_t)draw(300000) : 0;
	task.step = NAMES[draw(STEPS)];
	task.started_at = times->started_at;
	task.ended_at = times->ended_at;
	task.end = times->ended_at ? (enum step_task_end)(1 + draw(4)) : STEP_TASK_RUNS;
	task.wall_ns = (double)(times->ended_at - times->started_at);
	task.input_bytes = draw(5) ? (double)draw(1000) : -1;
	task.cpu_ns = draw_ns(500000);
	task.cpus_requested = (double)draw(4);
	task.host_type = MARKS[draw(4)];
	task.tools = MARKS[draw(4)];
	task.arguments = MARKS[draw(4)];
	for (size_t part = 0; part < WALL_PARTS; part++)
		task.parts[part] = draw(3) ? 0 : draw_ns(100000);
	return task;
}

static void draw_wall(struct wall *wall)
{
	for (size_t part = 0; part < WALL_PARTS; part++)
		wall->ns[part] = draw(3) ? draw_ns(50000) : 0;
	wall->serial_ns = draw_ns(50000);
}

static void draw_run(struct made *made)
{
	struct flow flow = { made->flow_tasks, draw(TASKS + 1), made->edges, 0, 500, 1300000 };
	CLEANUP(slow_path_clear) struct slow_path path = { 0 };

	for (size_t i = 0; i < flow.task_count; i++)
		made->tasks[i] = draw_task(i, &made->flow_tasks[i]);
	for (flow.edge_count = 0; flow.task_count > 1 && flow.edge_count < EDGES; flow.edge_count++)
		made->edges[flow.edge_count] =
			(struct flow_edge){ draw(flow.task_count), draw(flow.task_count),
					    1000 + (int64_t)draw(1200000), 1 };
	flow.ended_at += (int64_t)draw(100000);
	assert_int_equal(slow_path_find(&flow, &path), 0);
	for (size_t i = 0; i < path.count; i++) {
		made->spans[i].span = path.spans[i];
		draw_wall(&made->spans[i].wall);
	}
	made->run = (struct diff_run){ .id = "",
				       .pipeline = "",
				       .engine = "",
				       .wall_ns = flow.ended_at - flow.began_at,
				       .tasks = made->tasks,
				       .task_count = flow.task_count,
				       .spans = made->spans,
				       .span_count = path.count,
				       .cpus = 4,
				       .slots = (double)draw(5) };
}

static void assert_step_adds_up(const struct step_diff *step)
{
	int64_t sum = 0, path = 0;

	for (size_t i = 0; i < DIFF_FACTORS; i++)
		sum += step->factors[i];
	assert_int_equal(sum, step->path_ns);
	for (size_t run = 0; run < 2; run++) {
		int64_t classes = 0;

		for (size_t i = 0; i < DIFF_CLASS_COUNT; i++) {
			assert_true(step->paths[run].classes[i] >= 0);
			classes += step->paths[run].classes[i];
		}
		assert_int_equal(classes, step->paths[run].running_ns);
		path += (run ? 1 : -1) *
			(step->paths[run].running_ns + step->paths[run].waiting_ns);
	}
	assert_int_equal(path, step->path_ns);
}

static void parts_of_random_runs_add_up_to_the_ns(void **state)
{
	struct made *made = calloc(2, sizeof(*made));

	(void)state;
	assert_non_null(made);
	for (seed = 1; seed < 3000;) {
		CLEANUP(run_diff_clear) struct run_diff diff = { 0 };
		uint64_t next = seed + 1;
		int64_t sum = 0;

		draw_run(&made[0]);
		draw_run(&made[1]);
		assert_int_equal(run_diff_make(&diff, &made[0].run, &made[1].run), 0);
		for (size_t i = 0; i < diff.step_count; i++) {
			assert_step_adds_up(&diff.steps[i]);
			sum += diff.steps[i].path_ns;
		}
		for (size_t i = 0; i < DIFF_FACTORS; i++)
			sum += diff.engine_factors[i];
		assert_int_equal(sum, diff.difference_ns);
		seed = next;
	}
	free(made);
}

/* As many tasks and steps as a run may have: the steps behind are compared as one. */
static void many_steps_are_bounded(void **state)
{
	enum { MANY = 20000 };
	struct step_task *tasks = calloc(MANY, sizeof(*tasks));
	struct diff_span *spans = calloc(MANY, sizeof(*spans));
	char(*names)[16] = calloc(MANY, sizeof(*names));
	CLEANUP(run_diff_clear) struct run_diff diff = { 0 };
	struct diff_run run = { .id = "",
				.pipeline = "",
				.engine = "",
				.wall_ns = MANY,
				.tasks = tasks,
				.task_count = MANY,
				.spans = spans,
				.span_count = MANY };
	struct diff_run shorter;
	size_t rest = 0;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "step%05zu", i);
		tasks[i] = (struct step_task){ .step = names[i],
					       .end = STEP_TASK_SUCCEEDED,
					       .host_type = "",
					       .tools = "",
					       .arguments = "" };
		spans[i].span = (struct slow_span){ i, false, (int64_t)i, (int64_t)i + 1 };
	}
	shorter = run;
	shorter.span_count = shorter.wall_ns = MANY / 2;
	assert_int_equal(run_diff_make(&diff, &run, &shorter), 0);
	assert_int_equal(diff.step_count, DIFF_STEPS_MAX + 1);
	for (size_t i = 0; i < diff.step_count; i++)
		if (diff.steps[i].is_rest) {
			rest++;
			assert_int_equal(diff.steps[i].path_ns, -MANY / 2);
			assert_int_equal(diff.steps[i].sides[0].tasks, MANY - DIFF_STEPS_MAX);
		}
	assert_int_equal(rest, 1);
	free(names);
	free(tasks);
	free(spans);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_random_runs_add_up_to_the_ns),
		cmocka_unit_test(many_steps_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
