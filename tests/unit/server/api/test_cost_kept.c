/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "../fixture_batch.h"
#include "base/clock.h"
#include "wait.h"

/* What a run cost does not change once it is over, unless something says so; then it says why. */

#define PAUSE_US 200000
#define RUN      "/api/v1/runs/" EXAMPLE_RUN

static const char *const SOON[] = { "--settle-after", "1s", NULL };

static struct lake lake;

static int start(void **state)
{
	lake_make(&lake);
	lake_start(&lake, SOON);
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

/* How often runs were settled. */
static unsigned long settled(void)
{
	static const char name[] = "\ntracer_lake_settled_runs_total ";
	struct answer answer;
	const char *line;
	unsigned long count;

	lake_ask(&lake, "GET", "/metrics", lake.read, "", NULL, 0, &answer);
	line = strstr(answer.body.data, name);
	assert_non_null(line);
	count = strtoul(line + sizeof(name) - 1, NULL, 10);
	answer_clear(&answer);
	return count;
}

/* As the list of runs says it. */
static long long listed(void)
{
	json_t *json = lake_get(&lake, "/api/v1/runs", 200);
	const json_t *run = json_array_get(json_object_get(json, "runs"), 0);
	long long nusd = llround(json_number_value(json_object_get(run, "cost_usd")) * 1e9);

	json_decref(json);
	return nusd;
}

/* The cost of the run in nano-dollars; the last of its changes: why, "" where there is none. */
static long long cost(size_t *ret_changes, char why[256])
{
	json_t *json = lake_get(&lake, RUN, 200);
	const json_t *of = json_object_get(json, "cost");
	const json_t *changes = json_object_get(of, "changes");
	const json_t *last;
	long long nusd = llround(json_number_value(json_object_get(of, "whole_usd")) * 1e9);

	assert_true(json_is_array(changes));
	*ret_changes = json_array_size(changes);
	last = json_array_get(changes, *ret_changes - 1);
	snprintf(why, 256, "%s", last ? json_string_value(json_object_get(last, "why")) : "");
	if (last)
		assert_int_equal(llround(json_number_value(json_object_get(last, "to_usd")) * 1e9),
				 nusd);
	json_decref(json);
	assert_in_range(listed(), nusd - 1, nusd + 1);
	return nusd;
}

static void post_host(uint64_t sequence, double usd_hour)
{
	struct example example;

	example_make(&example, sequence);
	example.batch.n_runs = example.batch.n_tasks = example.batch.n_executions = 0;
	example.batch.n_samples = example.batch.n_events = 0;
	example.host.price_usd_hour = usd_hour;
	example.host.agent_started_at = clock_real_ns();
	assert_int_equal(example_post(&lake, &example, NULL), 200);
}

static void correct_price(const char *query)
{
	struct answer answer;

	lake_ask(&lake, "POST", query, lake.admin, "", "", 0, &answer);
	assert_int_equal(answer.status, 200);
	answer_clear(&answer);
}

static void a_run_that_is_over_costs_the_same_until_something_says_otherwise(void **state)
{
	struct example example;
	char why[256];
	size_t changes;
	long long first;

	example_make(&example, 1);
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	WAIT_DOING(settled() == 1, usleep(PAUSE_US), "the run to settle");
	first = cost(&changes, why);
	assert_true(first > 0);
	assert_int_equal(changes, 0);

	post_host(2, 0); /* a restart without a price */
	assert_in_range(cost(&changes, why), first - 1, first + 1);
	post_host(3, 7); /* and one with another one */
	assert_in_range(cost(&changes, why), first - 1, first + 1);
	assert_int_equal(changes, 0);
}

static long long nano(const json_t *object, const char *key)
{
	return llround(json_number_value(json_object_get(object, key)) * 1e9);
}

/* By hour and by day the points of all rows, and of what no run held, are all of it. */
static void costs_over_time_add_up_to_the_whole(void **state)
{
	static const char *const PATHS[] = { "/api/v1/cost?days=1&over=hour&by=step",
					     "/api/v1/cost?days=1&over=day&by=host" };

	for (size_t k = 0; k < 2; k++) {
		json_t *json = lake_get(&lake, PATHS[k], 200);
		const json_t *points = json_object_get(json, "series"), *point;
		long long sum = 0;
		size_t i;

		assert_true(json_array_size(points) > 0);
		json_array_foreach(points, i, point)
		{
			sum += nano(point, "cost_usd");
			assert_int_equal(nano(point, "used_usd") + nano(point, "unused_usd") +
						 nano(point, "idle_usd"),
					 nano(point, "cost_usd"));
		}
		assert_int_equal(sum, nano(json, "whole_usd"));
		json_decref(json);
	}
}

/* Its last program ended later than what was known when the run had settled. */
static void late_records_are_a_reason(void **state)
{
	unsigned long before = settled();
	struct example example;
	char why[256];
	size_t changes, later;
	long long was = cost(&changes, why);

	example_make(&example, 9);
	example.run.ended_at += 2 * NS_PER_S;
	for (size_t i = 0; i < example.batch.n_executions; i++)
		if (example.executions[i].ended_at)
			example.executions[i].ended_at += 2 * NS_PER_S;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	WAIT_DOING(settled() > before, usleep(PAUSE_US), "the run to settle again");
	assert_true(cost(&later, why) > was);
	assert_int_equal(later, changes + 1);
	assert_string_equal(why, "records came after it had settled");
}

static void a_corrected_price_is_a_reason(void **state)
{
	char why[256];
	size_t changes, later;
	long long was = cost(&changes, why);

	correct_price("/api/v1/prices/host?host=" EXAMPLE_HOST "&usd_hour=0.8&since=always");
	assert_in_range(cost(&later, why), 2 * was - 2, 2 * was + 2);
	assert_int_equal(later, changes + 1);
	assert_non_null(strstr(why, "the price of node-1 was corrected"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_that_is_over_costs_the_same_until_something_says_otherwise),
		cmocka_unit_test(costs_over_time_add_up_to_the_whole),
		cmocka_unit_test(late_records_are_a_reason),
		cmocka_unit_test(a_corrected_price_is_a_reason),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
