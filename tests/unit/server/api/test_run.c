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

#include "fixture_batch.h"
#include "signal/figures.h"

static struct lake lake;

static int start(void **state)
{
	return example_serve(&lake, NULL);
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

static long long whole(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static void each_figure_of_the_totals_is_the_sum_over_processes(void **state)
{
	json_t *run = lake_get(&lake, "/api/v1/runs/latest", 200);
	json_t *list = lake_get(&lake, "/api/v1/runs/latest/processes", 200);
	const json_t *totals = json_object_get(run, "totals"), *row;
	size_t i;

	assert_int_equal(json_array_size(json_object_get(list, "processes")), EXAMPLE_EXECUTIONS);
#define ADD_SUM(sum, value)   ((sum) + (value))
#define ADD_WAIT(sum, value)  ((sum) + (value))
#define ADD_LEVEL(sum, value) ((sum) + (value))
#define ADD_PEAK(sum, value)  ((sum) > (value) ? (sum) : (value))
#define CHECK(name, kind)                                                          \
	do {                                                                       \
		long long sum = 0;                                                 \
		json_array_foreach(json_object_get(list, "processes"), i, row)     \
		{                                                                  \
			assert_true(json_is_integer(json_object_get(row, #name))); \
			sum = ADD_##kind(sum, whole(row, #name));                  \
		}                                                                  \
		assert_true(json_is_integer(json_object_get(totals, #name)));      \
		assert_int_equal(sum, whole(totals, #name));                       \
	} while (0);
	FIGURES(CHECK)
	assert_int_equal(whole(totals, "user_ns"), 860000000000LL);
	assert_int_equal(whole(totals, "executions"), EXAMPLE_EXECUTIONS);
	assert_int_equal(whole(totals, "lost_records"), 5);
	assert_true(json_is_null(json_object_get(totals, "coverage")));
	json_decref(run);
	json_decref(list);
}

static void a_run_is_found_by_id_by_name_and_as_the_latest(void **state)
{
	static const char *const NAMES[] = { EXAMPLE_RUN, "demo", "latest", "d%65mo" };

	for (size_t i = 0; i < 4; i++) {
		char path[128];
		json_t *json;

		snprintf(path, sizeof(path), "/api/v1/runs/%s", NAMES[i]);
		json = lake_get(&lake, path, 200);
		assert_string_equal(text(json_object_get(json, "run"), "id"), EXAMPLE_RUN);
		json_decref(json);
	}
}

static void what_is_not_there_is_404_in_words(void **state)
{
	static const char *const PATHS[] = {
		"/api/v1/runs/nope",           "/api/v1/runs/nope/tasks",
		"/api/v1/runs/nope/tools",     "/api/v1/runs/nope/events",
		"/api/v1/runs/nope/samples",   "/api/v1/runs/nope/findings",
		"/api/v1/runs/nope/processes", "/api/v1/runs/nope/network",
		"/api/v1/hosts/nope",
	};

	for (size_t i = 0; i < sizeof(PATHS) / sizeof(PATHS[0]); i++) {
		json_t *json = lake_get(&lake, PATHS[i], 404);

		assert_int_equal(whole(json, "status"), 404);
		assert_non_null(strstr(text(json, "detail"), "nope"));
		json_decref(json);
	}
}

static void an_unknown_run_is_refused_with_what_lists_them(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/nope", 404);

	assert_string_equal(text(json, "detail"),
			    "no run has the id or name \"nope\"; `tracer runs` lists them");
	json_decref(json);
}

static void the_run_says_who_when_and_where(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest", 200);
	const json_t *run = json_object_get(json, "run");

	assert_string_equal(text(run, "name"), "demo");
	assert_string_equal(text(run, "pipeline"), "variants");
	assert_string_equal(text(run, "engine"), "snakemake");
	assert_string_equal(text(run, "status"), "failed");
	assert_string_equal(text(run, "user"), "ada");
	assert_string_equal(text(run, "command"), "snakemake --cores 4");
	assert_string_equal(text(json_object_get(run, "labels"), "team"), "genomics");
	assert_string_equal(json_string_value(json_array_get(json_object_get(run, "hosts"), 0)),
			    "node-1");
	assert_true(number(run, "wall_s") == EXAMPLE_WALL_S);
	assert_int_equal(strlen(text(run, "started_at")), strlen("2026-11-21T06:30:00.000000Z"));
	json_decref(json);
}

static long long nano(const json_t *object, const char *key)
{
	assert_true(json_is_number(json_object_get(object, key)));
	return llround(number(object, key) * 1e9);
}

/* 0.40 USD an hour for 600 s. The price of a part of an hour is rounded at both of its ends. */
static void assert_whole(const json_t *of)
{
	assert_in_range(nano(of, "whole_usd"), 66666666, 66666668);
}

static void cost_parts_are_the_whole_to_the_nano_dollar(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest", 200);
	json_t *list = lake_get(&lake, "/api/v1/runs/latest/tasks", 200);
	const json_t *cost = json_object_get(json, "cost"), *row;
	long long tasks = 0, steps = 0;
	size_t i;

	json_array_foreach(json_object_get(list, "tasks"), i, row) tasks += nano(row, "cost_usd");
	json_array_foreach(json_object_get(json, "steps"), i, row) steps += nano(row, "cost_usd");
	assert_whole(cost);
	assert_int_equal(nano(cost, "tasks_usd") + nano(cost, "engine_usd"),
			 nano(cost, "whole_usd"));
	assert_int_equal(nano(cost, "used_usd") + nano(cost, "unused_usd") + nano(cost, "idle_usd"),
			 nano(cost, "whole_usd"));
	assert_int_equal(tasks, nano(cost, "tasks_usd"));
	assert_int_equal(steps, tasks);
	assert_int_equal(nano(json_object_get(json, "totals"), "cost_usd"),
			 nano(cost, "whole_usd"));
	assert_string_equal(text(cost, "price_source"), "configured");
	assert_int_equal(json_array_size(json_object_get(cost, "hosts")), 1);
	json_decref(json);
	json_decref(list);
}

static void every_key_of_cost_adds_up_to_the_same_whole(void **state)
{
	static const char *const KEYS[] = { "pipeline",    "run",      "step",       "task",
					    "tool",        "sample",   "user",       "host",
					    "day",         "instance", "label:team", "pod",
					    "cost_centre", "container" };

	for (size_t k = 0; k < sizeof(KEYS) / sizeof(KEYS[0]); k++) {
		bool by_day = strcmp(KEYS[k], "day") == 0;
		char path[64];
		json_t *json;
		const json_t *row;
		long long sum = 0;
		double cpu_s = 0;
		size_t i;

		snprintf(path, sizeof(path), "/api/v1/cost?by=%s&days=1", KEYS[k]);
		json = lake_get(&lake, path, 200);
		json_array_foreach(json_object_get(json, "rows"), i, row)
		{
			sum += nano(row, "cost_usd");
			cpu_s += number(row, "cpu_s");
			assert_int_equal(whole(row, "runs"), 1);
		}
		assert_int_equal(sum, nano(json, "cost_usd"));
		assert_int_equal(sum + nano(json, "unallocated_usd"), nano(json, "whole_usd"));
		assert_int_equal(nano(json, "used_usd") + nano(json, "unused_usd") +
					 nano(json, "idle_usd"),
				 sum);
		assert_whole(json);
		/* A task that runs over midnight counts with all of its CPU time on both days. */
		assert_true(by_day || fabs(cpu_s - 946) < 1e-6);
		json_decref(json);
	}
}

static void tasks_are_paged_without_gap_or_repeat(void **state)
{
	static const char *const WANTED[] = { "task-a", "task-b", "task-c" };
	char path[256] = "/api/v1/runs/latest/tasks?limit=1";

	for (size_t i = 0; i < 3; i++) {
		json_t *json = lake_get(&lake, path, 200);
		const json_t *tasks = json_object_get(json, "tasks");
		const char *next = json_string_value(json_object_get(json, "next"));

		assert_int_equal(json_array_size(tasks), 1);
		assert_string_equal(text(json_array_get(tasks, 0), "id"), WANTED[i]);
		assert_int_equal(next != NULL, i < 2);
		if (next) {
			char *space;

			snprintf(path, sizeof(path), "/api/v1/runs/latest/tasks?limit=1&cursor=%s",
				 next);
			while ((space = strchr(path, ' ')))
				*space = '+';
		}
		json_decref(json);
	}
}

static size_t count_of(const char *path, const char *key)
{
	json_t *json = lake_get(&lake, path, 200);
	size_t count = json_array_size(json_object_get(json, key));

	json_decref(json);
	return count;
}

static void filters_select(void **state)
{
	assert_int_equal(count_of("/api/v1/runs?status=failed", "runs"), 1);
	assert_int_equal(count_of("/api/v1/runs?status=running", "runs"), 0);
	assert_int_equal(count_of("/api/v1/runs?pipeline=variants&sort=wall", "runs"), 1);
	assert_int_equal(count_of("/api/v1/runs?pipeline=other", "runs"), 0);
	assert_int_equal(count_of("/api/v1/runs/latest/tasks?step=align", "tasks"), 2);
	assert_int_equal(count_of("/api/v1/runs/latest/tasks?status=failed", "tasks"), 1);
	assert_int_equal(count_of("/api/v1/runs/latest/processes?tool=bwa%20mem", "processes"), 2);
	assert_int_equal(count_of("/api/v1/runs/latest/processes?task=task-a", "processes"), 2);
	assert_int_equal(count_of("/api/v1/runs/latest/tools", "tools"), 4);
	assert_int_equal(count_of("/api/v1/runs/latest/network?task=task-a", "network"), 2);
	assert_int_equal(count_of("/api/v1/runs/latest/network?task=task-b", "network"), 0);
	assert_int_equal(count_of("/api/v1/runs/latest/network?tool=bwa%20mem", "network"), 2);
	assert_int_equal(count_of("/api/v1/runs/latest/network?limit=1", "network"), 1);
	assert_int_equal(count_of("/api/v1/runs/latest/io?task=task-a", "io"), 1);
	assert_int_equal(count_of("/api/v1/runs/latest/io?tool=samtools%20sort", "io"), 0);
	assert_int_equal(count_of("/api/v1/runs/latest/events", "events"), 1);
	assert_int_equal(count_of("/api/v1/runs/latest/events", "losses"), 1);
	json_decref(lake_get(&lake, "/api/v1/runs?status=done", 400));
	json_decref(lake_get(&lake, "/api/v1/runs?limit=0", 400));
	json_decref(lake_get(&lake, "/api/v1/runs?cursor=x", 400));
	json_decref(lake_get(&lake, "/api/v1/runs/latest/samples?by=pid", 400));
}

static void a_tool_has_the_versions_that_are_known(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/tools", 200);
	const json_t *tool;
	size_t i, found = 0;

	json_array_foreach(json_object_get(json, "tools"), i, tool)
	{
		char *versions = json_dumps(json_object_get(tool, "versions"), JSON_COMPACT);

		if (strcmp(text(tool, "name"), "samtools sort") == 0)
			found += strcmp(versions, "[\"1.17\",\"1.18\"]") == 0;
		else if (strcmp(text(tool, "name"), "bwa mem") == 0)
			found += strcmp(versions, "[\"0.7.17\"]") == 0;
		else
			found += strcmp(versions, "[]") == 0;
		free(versions);
	}
	assert_int_equal(found, 4);
	json_decref(json);
	json = lake_get(&lake, "/api/v1/runs/latest/processes?tool=bwa%20mem", 200);
	json_array_foreach(json_object_get(json, "processes"), i, tool)
		assert_true(i == 1 ? strcmp(text(tool, "version"), "0.7.17") == 0
				   : json_is_null(json_object_get(tool, "version")));
	assert_int_equal(i, 2);
	json_decref(json);
}

static void a_task_says_what_it_asked_for_and_what_it_used(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/tasks?status=failed", 200);
	const json_t *task = json_array_get(json_object_get(json, "tasks"), 0);

	assert_string_equal(text(task, "step"), "call");
	assert_int_equal(whole(task, "exit_code"), 3);
	assert_true(json_is_null(json_object_get(task, "signal")));
	assert_true(number(task, "cpus_requested") == 4);
	assert_int_equal(whole(task, "memory_requested_bytes"), 12LL << 30);
	assert_int_equal(whole(task, "memory_peak_bytes"), 120LL << 20);
	assert_string_equal(text(task, "host"), "node-1");
	assert_string_equal(json_string_value(json_array_get(json_object_get(task, "tools"), 0)),
			    "bcftools call");
	json_decref(json);
}

static void samples_add_up_to_the_totals_whatever_they_are_keyed_by(void **state)
{
	static const char *const KEYS[] = { "run", "share", "task", "tool", "task&figures=use" };

	for (size_t k = 0; k < sizeof(KEYS) / sizeof(KEYS[0]); k++) {
		char path[64];
		json_t *json;
		const json_t *row;
		double user_ns = 0;
		size_t i;

		snprintf(path, sizeof(path), "/api/v1/runs/latest/samples?by=%s", KEYS[k]);
		json = lake_get(&lake, path, 200);
		json_array_foreach(json_object_get(json, "samples"), i, row) user_ns +=
			number(row, "user_ns");
		assert_true(fabs(user_ns - 860e9) < 1e6);
		assert_true(whole(json, "interval_s") >= 1);
		json_decref(json);
	}
}

static void what_moved_through_sockets_is_told_by_their_kind(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/network", 200);
	const json_t *rows = json_object_get(json, "network");
	const json_t *first = json_array_get(rows, 0), *second = json_array_get(rows, 1);

	assert_int_equal(json_array_size(rows), 2);
	assert_string_equal(text(first, "tool"), "bwa mem");
	assert_string_equal(text(first, "task_id"), "task-a");
	assert_string_equal(text(first, "family"), "inet");
	assert_string_equal(text(first, "protocol"), "tcp");
	assert_true(json_is_false(json_object_get(first, "loopback")));
	assert_true(json_is_true(json_object_get(second, "loopback")));
	assert_int_equal(whole(first, "rx_bytes"), 123456789);
	assert_int_equal(whole(first, "rx_calls"), 7);
	assert_int_equal(whole(first, "connects"), 2);
	assert_int_equal(whole(first, "connect_ns"), 3000000);
	assert_string_equal(json_string_value(json_object_get(first, "peer")), "192.0.2.7:443");
	assert_true(json_is_null(json_object_get(second, "peer")));
	assert_int_equal(whole(second, "rx_bytes"), 10);
	json_decref(json);
}

static void how_long_disks_took_is_told_by_device_and_operation(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/io", 200);
	const json_t *rows = json_object_get(json, "io"), *first = json_array_get(rows, 0);
	const json_t *latencies = json_object_get(first, "latencies");

	assert_int_equal(json_array_size(rows), 1);
	assert_string_equal(text(first, "tool"), "bwa mem");
	assert_string_equal(text(first, "device"), "vda");
	assert_string_equal(text(first, "operation"), "read");
	assert_int_equal(whole(first, "requests"), 100);
	assert_int_equal(whole(first, "bytes"), 409600);
	assert_int_equal(whole(first, "latency_ns"), 25600000);
	assert_int_equal(json_array_size(latencies), 24);
	assert_int_equal(json_integer_value(json_array_get(latencies, 8)), 98);
	assert_int_equal(json_integer_value(json_array_get(latencies, 12)), 2);
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_figure_of_the_totals_is_the_sum_over_processes),
		cmocka_unit_test(how_long_disks_took_is_told_by_device_and_operation),
		cmocka_unit_test(a_run_is_found_by_id_by_name_and_as_the_latest),
		cmocka_unit_test(what_is_not_there_is_404_in_words),
		cmocka_unit_test(an_unknown_run_is_refused_with_what_lists_them),
		cmocka_unit_test(the_run_says_who_when_and_where),
		cmocka_unit_test(cost_parts_are_the_whole_to_the_nano_dollar),
		cmocka_unit_test(every_key_of_cost_adds_up_to_the_same_whole),
		cmocka_unit_test(tasks_are_paged_without_gap_or_repeat),
		cmocka_unit_test(filters_select),
		cmocka_unit_test(what_moved_through_sockets_is_told_by_their_kind),
		cmocka_unit_test(a_tool_has_the_versions_that_are_known),
		cmocka_unit_test(a_task_says_what_it_asked_for_and_what_it_used),
		cmocka_unit_test(samples_add_up_to_the_totals_whatever_they_are_keyed_by),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
