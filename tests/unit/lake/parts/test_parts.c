/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"

/* Runs that several agents report, and what makes them one run. */

static Signal__Run *run(struct made *made, const char *id, const char *engine, double begin,
			double end)
{
	Signal__Run *ret = made_run(made, id, begin, end);

	ret->engine = (char *)(uintptr_t)engine;
	ret->command = (char *)(uintptr_t)id; /* each its own */
	return ret;
}

static void link_to(struct made *made, const char *run_id, const char *kind, const char *value,
		    bool lead)
{
	Signal__Link *link = made_add(made, "links");

	link->run_id = (char *)(uintptr_t)run_id;
	link->kind = (char *)(uintptr_t)kind;
	link->value = (char *)(uintptr_t)value;
	link->lead = lead;
}

/* Sets the agent and the host of the batch. */
static void from(struct made *made, const char *host)
{
	made->batch.agent_id = made->batch.host_id = (char *)(uintptr_t)host;
}

static void task_of(struct made *made, const char *run_id, const char *task, uint32_t pid)
{
	Signal__Execution *execution = made_execution(made, pid, task, "samtools sort", 2, 3);

	execution->run_id = (char *)(uintptr_t)run_id;
	made_task(made, task, "sort", 2, 3)->run_id = (char *)(uintptr_t)run_id;
}

static const char *list(struct lake *lake)
{
	return lake_query(lake, "runs", "status= pipeline= sort=started cursor= limit=100", "id");
}

#define SHARED "nfs filer:/work"

static void head(struct lake *lake, uint64_t sequence, double end)
{
	struct made made;

	made_init(&made, sequence);
	from(&made, "head");
	run(&made, "whole", "snakemake", 1, end);
	link_to(&made, "whole", "folder", SHARED, true);
	lake_store(lake, &made);
}

static void part(struct lake *lake, uint64_t sequence, double begin)
{
	struct made made;

	made_init(&made, sequence);
	from(&made, "node");
	run(&made, "job", "snakemake", begin, -1);
	link_to(&made, "job", "folder", SHARED, false);
	task_of(&made, "job", "task", 7);
	lake_store(lake, &made);
}

static void expect_one(struct lake *lake)
{
	assert_string_equal(list(lake), "whole\n");
	assert_string_equal(lake_query(lake, "parts", "run=whole", "id reason value"),
			    "whole - -\njob folder " SHARED "\n");
	assert_string_equal(
		lake_query(lake, "tasks", "run=whole step= status= cursor= limit=10", "id"),
		"task\n");
	assert_string_equal(lake_query(lake, "run", "run=whole", "tasks executions"), "1 1\n");
	assert_string_equal(lake_query(lake, "resolve", "run=job", "id"), "whole\n");
	assert_string_equal(lake_query(lake, "resolve_id", "run=job", "id"), "whole\n");
}

static void a_job_with_the_folder_of_its_engine_is_a_part_of_its_run(void **state)
{
	struct lake lake;

	lake_make(&lake);
	head(&lake, 1, -1);
	part(&lake, 1, 2);
	expect_one(&lake);
	lake_remove(&lake);
}

static void the_part_may_come_first_and_more_of_it_later_and_the_lake_may_start_again(void **state)
{
	struct lake lake;
	struct made made;

	lake_make(&lake);
	part(&lake, 1, 2);
	assert_string_equal(list(&lake), "job\n");
	head(&lake, 1, -1);
	expect_one(&lake);
	lake_close(&lake);
	lake_open(&lake);
	made_init(&made, 2);
	from(&made, "node");
	run(&made, "job", "snakemake", 2, 5);
	task_of(&made, "job", "later", 8);
	lake_store(&lake, &made);
	assert_string_equal(list(&lake), "whole\n");
	assert_string_equal(lake_query(&lake, "run", "run=whole", "tasks executions"), "2 2\n");
	lake_remove(&lake);
}

/* Two runs with one trace, each reported by its own agent. */
static void report_both(struct lake *lake, uint64_t sequence, double first_end, char *second,
			double second_end)
{
	struct made made;

	made_init(&made, sequence);
	from(&made, "head");
	run(&made, "whole", "command", 1, first_end);
	link_to(&made, "whole", "trace", "trial-7", true);
	lake_store(lake, &made);
	made_init(&made, sequence);
	from(&made, "node");
	run(&made, "other", "command", 2, second_end)->status = second;
	link_to(&made, "other", "trace", "trial-7", true);
	lake_store(lake, &made);
}

static void nodes_of_one_workflow_are_one_run_also_on_one_host(void **state)
{
	struct lake lake;
	struct made made;

	lake_make(&lake);
	made_init(&made, 1);
	from(&made, "node");
	run(&made, "first", "argo", 1, 5);
	run(&made, "second", "argo", 6, -1);
	run(&made, "other", "argo", 6, -1);
	link_to(&made, "first", "workflow", "argo lab rnaseq-x7kq2", true);
	link_to(&made, "second", "workflow", "argo lab rnaseq-x7kq2", true);
	link_to(&made, "other", "workflow", "argo lab rnaseq-abcde", true);
	lake_store(&lake, &made);
	assert_string_equal(list(&lake), "other\nfirst\n");
	assert_string_equal(lake_query(&lake, "parts", "run=first", "id reason"),
			    "first -\nsecond workflow\n");
	assert_string_equal(lake_query(&lake, "run", "run=first", "status"), "running\n");
	lake_remove(&lake);
}

/* A node that fails is tried again: in a pod of its own. */
static void a_node_that_a_later_try_has_done_fails_no_workflow(void **state)
{
	static const char *const pods[] = { "first", "second" };
	struct lake lake;
	struct made made;
	Signal__Task *task;

	lake_make(&lake);
	for (unsigned i = 0; i < 2; i++) {
		made_init(&made, i + 1);
		from(&made, "node");
		run(&made, pods[i], "argo", 1 + i * 5, 5 + i * 5)->status =
			i ? "succeeded" : "failed";
		link_to(&made, pods[i], "workflow", "argo lab rnaseq-x7kq2", true);
		task = made_task(&made, pods[i], "align", 2 + i * 5, 4 + i * 5);
		task->run_id = (char *)(uintptr_t)pods[i];
		task->attempt = i + 1;
		task->status = i ? "succeeded" : "failed";
		lake_store(&lake, &made);
		assert_string_equal(lake_query(&lake, "run", "run=first", "status tasks_failed"),
				    i ? "succeeded 1\n" : "failed 1\n");
	}
	lake_remove(&lake);
}

static void what_none_leads_did_as_all_of_it_did(void **state)
{
	struct lake lake;

	lake_make(&lake);
	report_both(&lake, 1, 10, "running", -1);
	assert_string_equal(lake_query(&lake, "run", "run=whole", "status ended_at"),
			    "running -\n");
	report_both(&lake, 2, 10, "failed", 31);
	assert_string_equal(lake_query(&lake, "run", "run=whole", "status wall_s"), "failed 30\n");
	assert_string_equal(lake_query(&lake, "parts", "run=whole", "id status"),
			    "whole succeeded\nother failed\n");
	lake_remove(&lake);
}

static void a_job_that_fails_is_its_engines_business(void **state)
{
	struct lake lake;
	struct made made;

	lake_make(&lake);
	head(&lake, 1, 10);
	made_init(&made, 1);
	from(&made, "node");
	run(&made, "job", "snakemake", 2, 50)->status = "failed";
	link_to(&made, "job", "folder", SHARED, false);
	lake_store(&lake, &made);
	assert_string_equal(lake_query(&lake, "run", "run=whole", "status wall_s"),
			    "succeeded 9\n");
	lake_remove(&lake);
}

static void what_began_after_the_run_had_ended_is_another(void **state)
{
	struct lake lake;

	lake_make(&lake);
	head(&lake, 1, 10);
	part(&lake, 1, 200);
	assert_string_equal(list(&lake), "job\nwhole\n");
	lake_remove(&lake);
}

static void of_two_runs_in_one_folder_none_gets_it(void **state)
{
	struct lake lake;
	struct made made;

	lake_make(&lake);
	head(&lake, 1, -1);
	made_init(&made, 2);
	from(&made, "head");
	run(&made, "other", "snakemake", 1.5, -1);
	link_to(&made, "other", "folder", SHARED, true);
	lake_store(&lake, &made);
	part(&lake, 1, 2);
	assert_string_equal(list(&lake), "job\nother\nwhole\n");
	lake_remove(&lake);
}

static void another_engine_or_folder_is_another_run(void **state)
{
	struct lake lake;
	struct made made;

	lake_make(&lake);
	head(&lake, 1, -1);
	made_init(&made, 1);
	from(&made, "node");
	run(&made, "nf", "nextflow", 2, -1);
	link_to(&made, "nf", "folder", SHARED, false);
	run(&made, "else", "snakemake", 2, -1);
	link_to(&made, "else", "folder", SHARED "/x", false);
	lake_store(&lake, &made);
	assert_string_equal(list(&lake), "nf\nelse\nwhole\n");
	lake_remove(&lake);
}

static void report(struct lake *lake, const char *host, uint64_t sequence, const char *id,
		   const char *kind, double begin, double end)
{
	struct made made;

	made_init(&made, sequence);
	from(&made, host);
	run(&made, id, "bash", begin, end);
	link_to(&made, id, kind, "mine", true);
	lake_store(lake, &made);
}

/* The earliest is the run, whoever came first. */
static void a_trace_joins_hosts_in_whatever_order_they_come(void **state)
{
	struct lake lake;

	lake_make(&lake);
	report(&lake, "b", 1, "second", "trace", 5, -1);
	report(&lake, "c", 1, "third", "trace", 6, -1);
	assert_string_equal(list(&lake), "second\n");
	report(&lake, "a", 1, "first", "trace", 1, 4);
	assert_string_equal(list(&lake), "first\n");
	assert_string_equal(lake_query(&lake, "parts", "run=first", "id reason"),
			    "first -\nsecond trace\nthird trace\n");
	lake_remove(&lake);
}

static void a_trace_id_used_again_is_another_run(void **state)
{
	struct lake lake;
	struct made made;

	lake_make(&lake);
	report(&lake, "a", 1, "first", "trace", 1, 4);
	report(&lake, "a", 2, "next-week", "trace", 7 * 86400.0, -1);
	assert_string_equal(list(&lake), "next-week\nfirst\n");
	/* Within a day, but the same command, once the first had ended. */
	made_init(&made, 3);
	from(&made, "a");
	run(&made, "again", "bash", 60, 90)->command = "first";
	link_to(&made, "again", "trace", "mine", true);
	lake_store(&lake, &made);
	assert_string_equal(list(&lake), "next-week\nagain\nfirst\n");
	/* What another host does then is of the later one. */
	report(&lake, "b", 1, "there", "trace", 61, 70);
	assert_string_equal(lake_query(&lake, "resolve", "run=there", "id"), "again\n");
	lake_remove(&lake);
}

static void a_job_or_container_joins_runs_of_two_hosts_but_not_of_one(void **state)
{
	static const char *const kinds[] = { "job", "container" };

	for (size_t i = 0; i < 2; i++) {
		struct lake lake;

		lake_make(&lake);
		report(&lake, "a", 1, "first", kinds[i], 1, -1);
		report(&lake, "a", 2, "beside", kinds[i], 2, -1);
		assert_string_equal(list(&lake), "beside\nfirst\n");
		report(&lake, "b", 1, "there", kinds[i], 3, -1);
		assert_int_equal(strlen(list(&lake)), strlen("beside\nfirst\n"));
		lake_remove(&lake);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_with_the_folder_of_its_engine_is_a_part_of_its_run),
		cmocka_unit_test(
			the_part_may_come_first_and_more_of_it_later_and_the_lake_may_start_again),
		cmocka_unit_test(what_began_after_the_run_had_ended_is_another),
		cmocka_unit_test(of_two_runs_in_one_folder_none_gets_it),
		cmocka_unit_test(another_engine_or_folder_is_another_run),
		cmocka_unit_test(a_trace_joins_hosts_in_whatever_order_they_come),
		cmocka_unit_test(a_trace_id_used_again_is_another_run),
		cmocka_unit_test(a_job_or_container_joins_runs_of_two_hosts_but_not_of_one),
		cmocka_unit_test(nodes_of_one_workflow_are_one_run_also_on_one_host),
		cmocka_unit_test(a_node_that_a_later_try_has_done_fails_no_workflow),
		cmocka_unit_test(what_none_leads_did_as_all_of_it_did),
		cmocka_unit_test(a_job_that_fails_is_its_engines_business),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
