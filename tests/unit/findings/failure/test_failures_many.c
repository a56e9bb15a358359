/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "findings/failure/failure_facts.h"
#include "findings/failure/failures.h"

/* Runs with more failed tasks than are read. */

#define READ_TASKS 1000
#define ALL_TASKS  100000

/* Tasks of one step, each a process with its own exit code or all with the same. */
struct crowd {
	struct tree_process processes[READ_TASKS];
	struct failure_process facts[READ_TASKS];
	struct failure_task tasks[READ_TASKS];
	struct failure_facts all;
};

static void crowd_make(struct crowd *crowd, int codes)
{
	memset(crowd, 0, sizeof(*crowd));
	for (size_t i = 0; i < READ_TASKS; i++) {
		int code = 3 + (int)i % codes;

		crowd->processes[i] = (struct tree_process){ .parent = PROCESS_NONE,
							     .task = i + 1,
							     .tool = "bwa",
							     .kind = "tool",
							     .status = PROCESS_FAILED,
							     .exit_code = code,
							     .started_at = 1,
							     .ended_at = 2 + (int64_t)i };
		crowd->facts[i].host_id = "host";
		crowd->tasks[i] = (struct failure_task){ .id = "id",
							 .step = "ALIGN",
							 .name = "ALIGN (x)",
							 .sample = "",
							 .host_id = "host",
							 .status = PROCESS_FAILED,
							 .exit_code = code,
							 .root = i,
							 .ended_at = 2 + (int64_t)i,
							 .requested_by = "",
							 .later_id = "",
							 .instance_type = "",
							 .notice = "" };
	}
	crowd->all = (struct failure_facts){
		.run = { .id = "run-id",
			 .name = "run-1",
			 .engine = "nextflow",
			 .user = "",
			 .status = PROCESS_FAILED,
			 .root = PROCESS_NONE,
			 .last_task = "",
			 .last_task_id = "",
			 .inner_id = "",
			 .inner_name = "",
			 .tasks = ALL_TASKS,
			 .tasks_failed = ALL_TASKS },
		.processes = crowd->processes,
		.process_facts = crowd->facts,
		.process_count = READ_TASKS,
		.tasks = crowd->tasks,
		.task_count = READ_TASKS,
	};
}

static void a_hundred_thousand_failed_tasks_are_one_finding(void **state)
{
	CLEANUP(freep) struct crowd *crowd = malloc(sizeof(*crowd));
	CLEANUP(findings_clear) struct findings findings = { 0 };
	json_t *evidence;

	crowd_make(crowd, 1);
	assert_int_equal(
		failures_find(&(struct finding_input){ .failure = &crowd->all }, &findings), 0);
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.items[0].subject, "step ALIGN");
	assert_non_null(strstr(findings.items[0].summary,
			       "999 more tasks failed the same way: ALIGN (x), ALIGN (x), "
			       "ALIGN (x) …"));
	assert_non_null(
		strstr(findings.items[0].summary, "99000 more tasks failed and were not examined"));
	evidence = json_loads(findings.items[0].evidence, 0, NULL);
	assert_int_equal(json_integer_value(json_object_get(evidence, "tasks_concerned")), 1000);
	assert_int_equal(json_array_size(json_object_get(evidence, "tasks")), 20);
	assert_int_equal(json_integer_value(json_object_get(evidence, "tasks_not_examined")),
			 99000);
	json_decref(evidence);
}

static void many_different_causes_are_few_findings(void **state)
{
	CLEANUP(freep) struct crowd *crowd = malloc(sizeof(*crowd));
	CLEANUP(findings_clear) struct findings findings = { 0 };
	size_t concerned = 0;

	crowd_make(crowd, 100);
	assert_int_equal(
		failures_find(&(struct finding_input){ .failure = &crowd->all }, &findings), 0);
	assert_true(findings.count > 1 && findings.count <= 50);
	for (size_t i = 0; i < findings.count; i++) {
		json_t *evidence = json_loads(findings.items[i].evidence, 0, NULL);

		concerned +=
			(size_t)json_integer_value(json_object_get(evidence, "tasks_concerned"));
		json_decref(evidence);
	}
	assert_int_equal(concerned, READ_TASKS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hundred_thousand_failed_tasks_are_one_finding),
		cmocka_unit_test(many_different_causes_are_few_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
