/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "fixture_batch.h"
#include "wait.h"

#define PAUSE_US 200000

/* The list of runs, beside the page of a run. */

static const char *const UNSETTLED[] = { "--settle-after", "3600s", NULL };

static json_t *first_run(const struct lake *lake)
{
	json_t *answer = lake_get(lake, "/api/v1/runs?limit=1", 200);
	json_t *run = json_incref(json_array_get(json_object_get(answer, "runs"), 0));

	json_decref(answer);
	return run;
}

static double cost_in_list(const struct lake *lake)
{
	json_t *run = first_run(lake);
	double cost = json_number_value(json_object_get(run, "cost_usd"));

	json_decref(run);
	return cost;
}

static double cost_in_page(const struct lake *lake)
{
	json_t *answer = lake_get(lake, "/api/v1/runs/" EXAMPLE_RUN, 200);
	double cost =
		json_number_value(json_object_get(json_object_get(answer, "totals"), "cost_usd"));

	json_decref(answer);
	return cost;
}

static bool is_lost(const struct lake *lake)
{
	json_t *run = first_run(lake);
	const char *status = json_string_value(json_object_get(run, "status"));
	bool lost = status && strcmp(status, "lost") == 0;

	json_decref(run);
	return lost;
}

/* Two processes of a task run; the batch was closed 20 s after they began, their samples reach to
 * 210 s. */
static void post_running(const struct lake *lake)
{
	struct example example;

	example_make(&example, 1);
	example.batch.created_at = example.began_at + 20 * NS_PER_S;
	example.run.status = example.tasks[0].status = (char *)"running";
	example.run.ended_at = example.tasks[0].ended_at = 0;
	example.batch.n_tasks = 1;
	example.batch.executions = &example.execution_list[1];
	example.batch.n_executions = 2;
	for (int i = 1; i <= 2; i++) {
		example.executions[i].status = (char *)"running";
		example.executions[i].ended_at = 0;
	}
	assert_int_equal(example_post(lake, &example, NULL), 200);
}

/* The bill is made for the time of the runs as their records have it. Samples know that a run that
 * was lost went on. */
static void a_lost_run_costs_the_same_in_list_and_page(void **state)
{
	struct lake lake;

	(void)state;
	lake_make(&lake);
	lake_start(&lake, UNSETTLED);
	post_running(&lake);
	assert_true(cost_in_list(&lake) > 0);
	assert_int_equal(example_post_scan(&lake, 2), 200);
	WAIT_DOING(is_lost(&lake), usleep(PAUSE_US), "the run to be lost");
	assert_true(cost_in_page(&lake) > 0);
	assert_true(fabs(cost_in_list(&lake) - cost_in_page(&lake)) < 2e-9);
	assert_int_equal(lake_end(&lake), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lost_run_costs_the_same_in_list_and_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
