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
#include "tune/replay/replay_schedule.h"

#define MOST 16
#define MANY 100000

/*
 * A job a line: serial, parallel and width, wait, slots, memory. A need a line: from, to, part.
 * cores, slots and memory of the host; 0: not limited. What is found: the ends of the jobs.
 */
static const struct {
	const char *name, *jobs, *needs;
	double cores, slots, memory;
	const char *found;
} cases[] = {
	{ "one thread takes its CPU time", "10 0 1 0 1 0\n", "", 2, 0, 0, "10" },
	{ "two share one core", "10 0 1 0 1 0\n10 0 1 0 1 0\n", "", 1, 0, 0, "20 20" },
	{ "two have two cores", "10 0 1 0 1 0\n20 0 1 0 1 0\n", "", 2, 0, 0, "10 20" },
	{ "the second computes alone once the first is done", "10 0 1 0 1 0\n20 0 1 0 1 0\n", "", 1,
	  0, 0, "20 30" },
	{ "four threads are no faster than the cores", "0 16 4 0 1 0\n", "", 2, 0, 0, "8" },
	{ "nor faster than themselves", "0 16 4 0 1 0\n", "", 64, 0, 0, "4" },
	{ "what runs alone does not scale", "8 16 4 0 1 0\n", "", 4, 0, 0, "12" },
	{ "a wait takes its time beside others", "0 0 1 10 1 0\n10 0 1 0 1 0\n", "", 1, 0, 0,
	  "10 10" },
	{ "half a core", "10 0 1 0 1 0\n", "", 0.5, 0, 0, "20" },
	{ "threads get equal parts", "12 0 1 0 1 0\n0 36 3 0 1 0\n", "", 2, 0, 0, "24 24" },
	{ "one slot", "10 0 1 0 1 0\n10 0 1 0 1 0\n", "", 2, 1, 0, "10 20" },
	{ "one of two slots is no room for two, and others wait behind it",
	  "10 0 1 0 1 0\n10 0 1 0 2 0\n5 0 1 0 1 0\n", "", 4, 2, 0, "10 20 25" },
	{ "what is larger than all slots runs alone", "10 0 1 0 1 0\n10 0 1 0 4 0\n", "", 4, 2, 0,
	  "10 20" },
	{ "jobs wait until memory is free", "10 0 1 0 1 6\n10 0 1 0 1 6\n10 0 1 0 1 4\n", "", 4, 0,
	  10, "10 20 10" },
	{ "a chain", "10 0 1 0 1 0\n10 0 1 0 1 0\n", "0 1 1\n", 4, 0, 0, "10 20" },
	{ "half of the input is there after half of the work", "16 0 1 0 1 0\n16 0 1 0 1 0\n",
	  "0 1 0.5\n", 4, 0, 0, "16 24" },
	{ "it waits for the last of its inputs", "10 0 1 0 1 0\n20 0 1 0 1 0\n5 0 1 0 1 0\n",
	  "0 2 1\n1 2 1\n", 4, 0, 0, "10 20 25" },
	{ "no jobs", "", "", 1, 0, 0, "" },
};

struct scene {
	struct replay_job jobs[MOST];
	struct replay_need needs[MOST];
	struct replay_plan plan;
};

static void read_scene(struct scene *scene, const char *jobs, const char *needs)
{
	double serial, parallel, width, wait, slots, memory, part;
	size_t from, to;
	int len;

	*scene = (struct scene){ 0 };
	scene->plan = (struct replay_plan){ .jobs = scene->jobs, .needs = scene->needs };
	for (; sscanf(jobs, "%lf %lf %lf %lf %lf %lf\n%n", &serial, &parallel, &width, &wait,
		      &slots, &memory, &len) == 6;
	     jobs += len)
		scene->jobs[scene->plan.job_count++] = (struct replay_job){
			.serial_ns = serial,
			.parallel_ns = parallel,
			.width = width,
			.wait_ns = wait,
			.slots = slots,
			.memory_bytes = memory,
		};
	for (; sscanf(needs, "%zu %zu %lf\n%n", &from, &to, &part, &len) == 3; needs += len)
		scene->needs[scene->plan.need_count++] = (struct replay_need){ from, to, part };
}

static struct replay_host host_of(double cores, double slots, double memory)
{
	return (struct replay_host){ .cores = cores,
				     .slots = slots > 0 ? slots : INFINITY,
				     .tasks = INFINITY,
				     .memory_bytes = memory > 0 ? memory : INFINITY };
}

static void jobs_share_cores_slots_and_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(replay_times_clear) struct replay_times times = { 0 };
		const struct replay_host host =
			host_of(cases[i].cores, cases[i].slots, cases[i].memory);
		struct scene scene;
		char found[128] = "";

		print_message("%s\n", cases[i].name);
		read_scene(&scene, cases[i].jobs, cases[i].needs);
		assert_int_equal(replay_schedule(&scene.plan, &host, &times), 0);
		for (size_t job = 0; job < scene.plan.job_count; job++)
			snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s%.4g",
				 job ? " " : "", times.ends[job]);
		assert_string_equal(found, cases[i].found);
	}
}

static void no_more_tasks_than_the_engine_runs_at_once(void **state)
{
	CLEANUP(replay_times_clear) struct replay_times times = { 0 };
	const struct replay_host host = {
		.cores = 4, .slots = INFINITY, .tasks = 1, .memory_bytes = INFINITY
	};
	struct scene scene;

	(void)state;
	read_scene(&scene, "10 0 1 0 1 0\n10 0 1 0 1 0\n", "");
	assert_int_equal(replay_schedule(&scene.plan, &host, &times), 0);
	assert_true(fabs(times.wall_ns - 20) < 1e-6);
}

/* Its engine starts it (2 CPU, 1 wait), then it begins; what is beside it no job waits for. */
static void a_lag_is_before_the_begin_and_holds_the_slot(void **state)
{
	CLEANUP(replay_times_clear) struct replay_times times = { 0 };
	const struct replay_job jobs[] = {
		{ .lag_cpu_ns = 2, .lag_wait_ns = 1, .serial_ns = 10, .width = 1, .slots = 1 },
		{ .lag_cpu_ns = 2, .serial_ns = 10, .width = 1, .slots = 1, .beside_ns = 100 },
	};
	const struct replay_plan plan = { .jobs = jobs, .job_count = 2 };
	const struct replay_host host = host_of(4, 1, 0);

	(void)state;
	assert_int_equal(replay_schedule(&plan, &host, &times), 0);
	assert_true(fabs(times.begins[0] - 3) < 1e-6);
	assert_true(fabs(times.ends[0] - 13) < 1e-6);
	assert_true(fabs(times.begins[1] - 15) < 1e-6);
	assert_true(fabs(times.wall_ns - 25) < 1e-6);
}

static void memory_of_jobs_at_once_adds_up(void **state)
{
	CLEANUP(replay_times_clear) struct replay_times times = { 0 };
	const struct replay_host host = host_of(4, 2, 0);
	struct scene scene;

	(void)state;
	read_scene(&scene, "10 0 1 0 1 5\n20 0 1 0 1 6\n10 0 1 0 1 7\n", "");
	assert_int_equal(replay_schedule(&scene.plan, &host, &times), 0);
	assert_true(times.memory_peak_bytes == 13);
}

static void a_circle_of_needs_has_no_end(void **state)
{
	struct replay_times times = { 0 };
	const struct replay_host host = host_of(4, 0, 0);
	struct scene scene;

	(void)state;
	read_scene(&scene, "10 0 1 0 1 0\n10 0 1 0 1 0\n", "0 1 1\n1 0 1\n");
	assert_int_equal(replay_schedule(&scene.plan, &host, &times), -ELOOP);
	assert_null(times.ends);
}

/* So many jobs that one after the other is the only order; more wait than are looked at. */
static void many_jobs_have_an_end(void **state)
{
	CLEANUP(replay_times_clear) struct replay_times times = { 0 };
	CLEANUP(freep) struct replay_job *jobs = calloc(MANY, sizeof(*jobs));
	const struct replay_plan plan = { .jobs = jobs, .job_count = MANY };
	const struct replay_host host = host_of(4, 4, 8);

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		jobs[i] = (struct replay_job){
			.serial_ns = 1, .wait_ns = 1, .width = 1, .slots = 2, .memory_bytes = 4
		};
	assert_int_equal(replay_schedule(&plan, &host, &times), 0);
	assert_true(fabs(times.wall_ns - MANY) < 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_share_cores_slots_and_memory),
		cmocka_unit_test(no_more_tasks_than_the_engine_runs_at_once),
		cmocka_unit_test(a_lag_is_before_the_begin_and_holds_the_slot),
		cmocka_unit_test(memory_of_jobs_at_once_adds_up),
		cmocka_unit_test(a_circle_of_needs_has_no_end),
		cmocka_unit_test(many_jobs_have_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
