/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "fixture_batch.h"

/* Why tasks of the example failed, as the lake's records say it: sample A lacked memory, the calls
 * a file. */
#define PATH   "/api/v1/runs/latest/findings"
#define BWA_A  1 /* among the example's executions */
#define SORT_A 2
#define CALL   5
#define EVENTS 3

static struct lake lake;

static Signal__Event *say(struct example *example, int process, char *kind, int before_s)
{
	static Signal__Event events[EVENTS], *list[EVENTS];
	static size_t count;
	const Signal__Execution *execution = &example->executions[process];
	Signal__Event *event = list[count] = &events[count];

	assert_true(count < EVENTS);
	signal__event__init(event);
	event->pid = execution->pid;
	event->start_ns = execution->start_ns;
	event->run_id = execution->run_id;
	event->task_id = execution->task_id;
	event->happened_at = execution->ended_at - before_s * NS_PER_S;
	event->kind = kind;
	example->batch.events = list;
	example->batch.n_events = ++count;
	return event;
}

static void lack_memory(struct example *example)
{
	Signal__Event *event = say(example, SORT_A, "oom_kill", 0);

	event->path = "/docker/4711";
	event->limit_bytes = event->used_bytes = 256 << 20;
	event->sender = "samtools sort";
	event->sender_pid = 111;
	example->executions[SORT_A].status = "killed";
	example->executions[SORT_A].signal = 9;
	example->executions[BWA_A].status = "failed";
	example->executions[BWA_A].exit_code = 137;
	example->executions[BWA_A].tool = "bash";
	example->executions[BWA_A].tool_kind = "shell";
	example->executions[BWA_A].ended_at += NS_PER_S;
	example->tasks[0].status = "failed";
	example->tasks[0].exit_code = 137;
}

static int serve(void **state)
{
	static struct example example;
	Signal__Event *event;

	example_make(&example, 1);
	lack_memory(&example);
	event = say(&example, CALL, "open_failed", 0);
	event->path = "/data/none.vcf";
	event->code = 2;
	say(&example, CALL, "exit_failed", 0)->code = 3;
	example.batch.n_losses = 0;
	return example_serve(&lake, &example);
}

static int end(void **state)
{
	return lake_end(&lake);
}

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

/* The findings about failures come first, in the order of time. */
static json_t *finding(json_t *json, size_t index, const char *kind)
{
	json_t *found = json_array_get(json_object_get(json, "findings"), index);

	assert_string_equal(text(found, "kind"), kind);
	assert_string_equal(text(found, "severity"), "critical");
	return json_object_get(found, "evidence");
}

static void the_kernel_killed_it_at_its_limit(void **state)
{
	json_t *json = lake_get(&lake, PATH, 200);
	const json_t *evidence = finding(json, 0, "out_of_memory");
	const json_t *chain = json_object_get(evidence, "chain");

	assert_string_equal(text(evidence, "task_id"), "task-a");
	assert_string_equal(text(evidence, "sample"), "A");
	assert_string_equal(text(evidence, "tool"), "samtools sort");
	assert_string_equal(text(evidence, "host_id"), EXAMPLE_HOST);
	assert_int_equal(json_integer_value(json_object_get(evidence, "pid")), 111);
	assert_string_equal(text(evidence, "cgroup"), "/docker/4711");
	assert_int_equal(json_integer_value(json_object_get(evidence, "limit_bytes")), 256 << 20);
	assert_int_equal(json_integer_value(json_object_get(evidence, "peak_bytes")), 300 << 20);
	assert_int_equal(json_array_size(chain), 2);
	assert_string_equal(text(json_array_get(chain, 0), "tool"), "bash");
	assert_string_equal(text(json_array_get(chain, 1), "signal"), "SIGKILL");
	json_decref(json);
}

static void a_file_was_missing(void **state)
{
	json_t *json = lake_get(&lake, PATH, 200);
	const json_t *evidence = finding(json, 1, "file_missing");

	assert_string_equal(text(evidence, "task_id"), "task-c");
	assert_string_equal(text(evidence, "path"), "/data/none.vcf");
	assert_string_equal(text(evidence, "errno"), "ENOENT");
	json_decref(json);
}

static void nothing_else_failed(void **state)
{
	json_t *json = lake_get(&lake, PATH, 200);
	json_t *third = json_array_get(json_object_get(json, "findings"), 2);

	assert_string_not_equal(text(third, "severity"), "critical");
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_killed_it_at_its_limit),
		cmocka_unit_test(a_file_was_missing),
		cmocka_unit_test(nothing_else_failed),
	};

	return cmocka_run_group_tests(tests, serve, end);
}
