/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SAMPLES "host=host since_at=@0 until_at=@60 interval_s=30"

static Signal__Gpu *add_gpu(struct made *made, char *uuid, uint32_t index)
{
	Signal__Gpu *gpu = made_add(made, "gpus");

	gpu->uuid = uuid;
	gpu->index = index;
	gpu->name = "NVIDIA H200";
	gpu->seen_at = T0;
	return gpu;
}

static Signal__GpuSample *add_sample(struct made *made, char *uuid, int64_t second)
{
	Signal__GpuSample *sample = made_add(made, "gpu_samples");

	sample->uuid = uuid;
	sample->since_at = T0 + second * S;
	sample->until_at = T0 + (second + 5) * S - 1;
	return sample;
}

static void a_gpu_is_one_however_often_it_is_told(void **state)
{
	struct made made;

	made_init(&made, 1);
	add_gpu(&made, "a", 0)->memory_bytes = 5;
	add_gpu(&made, "b", 1);
	lake_store(*state, &made);
	made_init(&made, 2);
	add_gpu(&made, "a", 0)->gone_at = T0 + 9 * S;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "gpus", "host=host", "uuid memory_bytes gone_at"),
			    "b - -\na - @9\n");
	assert_string_equal(lake_query(*state, "gpus", "host=other", "uuid"), "");
}

static void samples_are_gathered_and_what_nobody_told_is_null(void **state)
{
	Signal__GpuSample *sample;
	struct made made;

	made_init(&made, 1);
	for (int64_t second = 0; second < 60; second += 5) {
		sample = add_sample(&made, "a", second);
		sample->busy_ns = 3;
		sample->busy_known_ns = 5;
		sample->temperature_peak_celsius = (uint64_t)second + 1;
		sample->throttle_reasons = second % 10 ? "power_cap" : "hard_thermal power_cap";
	}
	add_sample(&made, "b", 0)->processes = 4;
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "gpu_samples", SAMPLES,
			   "uuid at busy_ns busy_known_ns temperature_peak_celsius processes"),
		"a @0 18 30 26 0\na @30 18 30 56 0\nb @0 - 0 - 4\n");
	assert_non_null(strstr(lake_query_json(*state, "gpu_samples", SAMPLES),
			       "\"throttle_reasons\":[\"hard_thermal\",\"power_cap\"]"));
	assert_non_null(
		strstr(lake_query_json(*state, "gpu_samples", SAMPLES), "\"power_mean_mw\":null"));
}

/* What was read before the run began and after it ended is not its own, nor what another host did.
 */
static void a_runs_gpus_are_those_of_its_host_meanwhile(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 20, 40);
	add_gpu(&made, "a", 0);
	add_gpu(&made, "b", 1);
	for (int64_t second = 0; second < 60; second += 5) {
		Signal__GpuSample *sample = add_sample(&made, "a", second);

		sample->busy_ns = 1;
		sample->busy_known_ns = 5;
	}
	add_sample(&made, "b", 50);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "run_gpus", "run=run", "uuid host_id"), "a host\n");
	assert_string_equal(
		lake_query(*state, "run_gpu_samples", "run=run interval_s=10", "uuid at busy_ns"),
		"a @20 2\na @30 2\n");
	assert_string_equal(lake_query(*state, "run_gpus", "run=other", "uuid"), "");
}

/* A running execution's samples know more than its record; a lost one holds nothing any more. */
static void memory_on_gpus_is_of_the_last_sample(void **state)
{
	Signal__Figures *figures;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_task(&made, "a", "train", 0, -1);
	figures = made_execution(&made, 5, "a", "train", 0, -1)->figures;
	figures->gpu_memory_bytes = 7;
	for (int i = 0; i < 2; i++) {
		figures = made_sample(&made, 5, "a", i, i + 1)->figures;
		figures->gpu_busy_ns = 50;
		figures->gpu_memory_bytes = i ? 40 : 60;
		figures->gpu_memory_peak_bytes = 60;
	}
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "run", "run=run",
				       "gpu_busy_ns gpu_memory_bytes gpu_memory_peak_bytes"),
			    "100 40 60\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_gpu_is_one_however_often_it_is_told),
		TEST(samples_are_gathered_and_what_nobody_told_is_null),
		TEST(a_runs_gpus_are_those_of_its_host_meanwhile),
		TEST(memory_on_gpus_is_of_the_last_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
