/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "../fixture_history.h"
#include "wait.h"

/* What the earlier runs of a pipeline say about the next one: five runs as usual, and one in which
 * the tasks take three times as long. */

#define USUAL_RUNS 5

static const struct history_run RUNS[] = {
	{ "run-1", 90000, 1.00, "0.7.17", 0 }, { "run-2", 80000, 1.03, "0.7.17", 0 },
	{ "run-3", 70000, 0.97, "0.7.17", 0 }, { "run-4", 60000, 1.02, "0.7.17", 0 },
	{ "run-5", 50000, 0.99, "0.7.17", 0 }, { "run-6", 40000, 3.00, "0.7.18", 0 },
};
#define RUN_COUNT (sizeof(RUNS) / sizeof(RUNS[0]))

/* Its last task began a few seconds ago. */
static const struct history_run RUNNING = { "run-7", 185, 1.00, "0.7.17", 1 };

/* By a clock that is ahead: it has not taken any time yet. */
static const struct history_run AHEAD = { "run-8", -3600, 1.00, "0.7.17", 1 };

static struct lake lake;

static int start(void **state)
{
	static const char *const SOON[] = { "--settle-after", "1s", NULL };

	lake_make(&lake);
	lake_start(&lake, SOON);
	for (size_t i = 0; i < RUN_COUNT; i++)
		history_post(&lake, &RUNS[i], i + 1);
	/* Before the others are settled: what is concluded then lacks the history. */
	json_decref(lake_get(&lake, "/api/v1/runs/run-6/findings", 200));
	history_wait(&lake, RUN_COUNT);
	history_post(&lake, &RUNNING, RUN_COUNT + 1);
	history_post(&lake, &AHEAD, RUN_COUNT + 2);
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "(none)";
}

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

/* The row of a list with this text in a column; NULL: none. */
static const json_t *find(const json_t *answer, const char *list, const char *key,
			  const char *value)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(answer, list), i, row)
	{
		if (strcmp(text(row, key), value) == 0)
			return row;
	}
	return NULL;
}

static void a_step_has_a_box_a_run_and_one_over_all(void **state)
{
	json_t *answer = lake_get(&lake, "/api/v1/steps?pipeline=variants&step=align", 200);
	const json_t *slow, *all;

	assert_int_equal(number(find(answer, "steps", "step", "align"), "tasks"),
			 RUN_COUNT * HISTORY_TASKS);
	slow = find(answer, "boxes", "run_id", "run-6");
	assert_string_equal(text(slow, "figure"), "wall_ns");
	assert_string_equal(text(slow, "tools"), "bwa mem 0.7.18");
	assert_string_equal(text(slow, "host_type"), "4 CPUs, 16 GiB");
	assert_int_equal(number(slow, "max") / 1e6, 187200);
	all = find(answer, "boxes", "figure", "memory_peak_bytes");
	assert_true(json_is_null(json_object_get(all, "run_id")));
	assert_int_equal(number(all, "tasks"), RUN_COUNT * HISTORY_TASKS);
	json_decref(answer);
}

static void ask_again(json_t **findings)
{
	(void)usleep(500000);
	json_decref(*findings);
	*findings = lake_get(&lake, "/api/v1/runs/run-6/findings", 200);
}

static void a_slow_run_is_not_as_usual_and_the_new_version_is_named(void **state)
{
	json_t *expected = lake_get(&lake, "/api/v1/runs/run-6/expected", 200);
	json_t *findings = lake_get(&lake, "/api/v1/runs/run-6/findings", 200);
	const json_t *slow, *finding, *tools;

	assert_string_equal(text(find(expected, "steps", "step", "align"), "usual"),
			    "not as usual");
	slow = find(expected, "unusual", "kind", "slower_than_usual");
	assert_non_null(slow);
	assert_true(json_is_null(json_object_get(slow, "task_id")));
	assert_int_equal(number(slow, "history_runs"), USUAL_RUNS);
	assert_true(number(slow, "value") > 2 * number(slow, "typical_high"));
	WAIT_DOING(find(findings, "findings", "kind", "slower_than_usual"), ask_again(&findings),
		   "the findings with the history");
	finding = find(findings, "findings", "kind", "slower_than_usual");
	assert_string_equal(text(finding, "severity"), "warning");
	tools = json_object_get(
		json_object_get(json_object_get(finding, "evidence"), "differs_from_run_before"),
		"tools");
	assert_string_equal(json_string_value(json_array_get(tools, 0)), "bwa mem 0.7.17");
	assert_string_equal(json_string_value(json_array_get(tools, 1)), "bwa mem 0.7.18");
	json_decref(expected);
	json_decref(findings);
}

static void a_run_like_those_before_is_as_usual(void **state)
{
	json_t *expected = lake_get(&lake, "/api/v1/runs/run-5/expected", 200);

	assert_string_equal(text(find(expected, "steps", "step", "align"), "usual"), "as usual");
	assert_int_equal(json_array_size(json_object_get(expected, "unusual")), 0);
	json_decref(expected);
}

static void the_first_run_has_no_history_and_says_so(void **state)
{
	json_t *expected = lake_get(&lake, "/api/v1/runs/run-1/expected", 200);
	const json_t *step = find(expected, "steps", "step", "align");

	assert_string_equal(text(step, "usual"), "not enough history");
	assert_true(number(step, "runs_missing") >= 1);
	json_decref(expected);
}

static void what_is_requested_and_what_is_needed_differ(void **state)
{
	json_t *sizes = lake_get(&lake, "/api/v1/runs/run-5/sizes", 200);
	const json_t *step = find(sizes, "steps", "step", "align");
	double advised = number(step, "memory_advised_bytes");

	assert_int_equal(number(step, "memory_requested_bytes"), 8LL << 30);
	assert_in_range(advised, (uint64_t)number(step, "memory_highest_bytes"), 2ULL << 30);
	assert_int_equal(number(step, "tasks_of_history"), USUAL_RUNS * HISTORY_TASKS);
	assert_non_null(strstr(text(json_object_get(sizes, "settings"), "snakemake"),
			       "  - align:mem_mb=["));
	json_decref(sizes);
}

static void a_run_that_runs_has_an_expected_end(void **state)
{
	json_t *expected = lake_get(&lake, "/api/v1/runs/run-7/expected", 200);
	const json_t *run = json_object_get(expected, "run"),
		     *step = find(expected, "steps", "step", "align"),
		     *task = find(expected, "tasks", "id", "run-7-3");

	assert_int_equal(number(step, "done"), HISTORY_TASKS - 1);
	assert_int_equal(number(step, "running"), 1);
	assert_non_null(task);
	assert_true(number(task, "remaining_low_s") <= number(task, "remaining_s"));
	assert_true(number(task, "remaining_s") <= number(task, "remaining_high_s"));
	assert_true(json_is_string(json_object_get(run, "expected_end_at")));
	assert_true(json_is_null(json_object_get(run, "why_unknown")));
	json_decref(expected);
}

static void a_run_that_ended_has_none(void **state)
{
	json_t *expected = lake_get(&lake, "/api/v1/runs/run-6/expected", 200);
	const json_t *run = json_object_get(expected, "run");

	assert_true(json_is_null(json_object_get(run, "remaining_s")));
	assert_true(json_is_null(json_object_get(run, "why_unknown")));
	assert_int_equal(json_array_size(json_object_get(expected, "tasks")), 0);
	json_decref(expected);
}

/* Whether the list has it; it is made in the background. */
static bool is_listed(void)
{
	json_t *answer = lake_get(&lake, "/api/v1/runs", 200);
	const json_t *run = find(answer, "runs", "id", "run-7");
	bool listed = json_is_string(json_object_get(run, "expected_end_at"));

	json_decref(answer);
	return listed;
}

static void the_list_has_the_expected_end(void **state)
{
	WAIT_DOING(is_listed(), usleep(100000), "the expected end in the list");
}

/* Of a run that runs, lists conclude the end alone. */
static void the_page_of_a_listed_run_has_more_than_its_end(void **state)
{
	json_t *answer;

	WAIT_DOING(is_listed(), usleep(100000), "the expected end in the list");
	answer = lake_get(&lake, "/api/v1/runs/run-7/findings", 200);
	assert_true(json_is_true(json_object_get(answer, "asked")));
	assert_non_null(strstr(text(json_object_get(answer, "verdict"), "text"), "Running for"));
	json_decref(answer);
	assert_true(is_listed());
}

static void of_a_run_that_just_began_the_progress_is_not_known(void **state)
{
	json_t *answer;

	json_decref(lake_get(&lake, "/api/v1/runs/run-8/findings", 200)); /* analyses it */
	answer = lake_get(&lake, "/api/v1/runs", 200);
	assert_true(json_is_null(json_object_get(find(answer, "runs", "id", "run-8"), "progress")));
	json_decref(answer);
}

static void without_a_pipeline_it_is_that_of_the_latest_run(void **state)
{
	json_t *answer = lake_get(&lake, "/api/v1/steps", 200);

	assert_string_equal(text(answer, "pipeline"), "variants");
	assert_non_null(find(answer, "steps", "step", "align"));
	json_decref(answer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_has_a_box_a_run_and_one_over_all),
		cmocka_unit_test(a_slow_run_is_not_as_usual_and_the_new_version_is_named),
		cmocka_unit_test(a_run_like_those_before_is_as_usual),
		cmocka_unit_test(the_first_run_has_no_history_and_says_so),
		cmocka_unit_test(what_is_requested_and_what_is_needed_differ),
		cmocka_unit_test(a_run_that_runs_has_an_expected_end),
		cmocka_unit_test(a_run_that_ended_has_none),
		cmocka_unit_test(the_list_has_the_expected_end),
		cmocka_unit_test(the_page_of_a_listed_run_has_more_than_its_end),
		cmocka_unit_test(of_a_run_that_just_began_the_progress_is_not_known),
		cmocka_unit_test(without_a_pipeline_it_is_that_of_the_latest_run),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
