/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"

/* What people, engines and GPUs have of hosts, as sweeps see it at an instant. */

static void own(struct made *made, char *run, uint32_t pid)
{
	Signal__Execution *execution = made->batch.executions[made->batch.n_executions - 1];

	execution->run_id = run;
	execution->pid = pid;
	execution->start_ns = pid * UINT64_C(1000);
}

static Signal__Run *add_run(struct made *made, char *id, char *engine, double begin, double end)
{
	Signal__Run *run = made_run(made, id, begin, end);

	run->engine = engine;
	run->name = id;
	run->user = strcmp(engine, "session") ? "ann" : "bob";
	return run;
}

/* A shell in which samtools ran until 100 s, one with a program that runs, and one that ended. */
static void add_shells(struct made *made)
{
	static char *const IDS[] = { "shell", "shell 2", "shell 3" };

	for (uint32_t i = 0; i < 3; i++) {
		Signal__Run *run = add_run(made, IDS[i], "session", 10, i == 2 ? 90 : -1);

		run->pid = 1 + i;
		run->start_ns = run->pid * UINT64_C(1000);
		run->command = "bash";
		made_execution(made, 1 + i, "", "bash", 10, i == 2 ? 90 : -1);
		made->batch.executions[made->batch.n_executions - 1]->figures->rss_bytes = 5 << 20;
		own(made, IDS[i], 1 + i);
	}
	add_run(made, "shell 4", "session", 10, -1)->status = "lost";
	made_task(made, "typed", "samtools", 60, 100)->run_id = "shell";
	made_execution(made, 10, "typed", "samtools", 60, 100);
	own(made, "shell", 10);
	made_task(made, "long", "wget", 70, -1)->run_id = "shell 2";
	made_execution(made, 11, "long", "wget", 70, -1);
	own(made, "shell 2", 11);
}

/* An engine with a task that runs, two that wait, and one that ended. */
static void add_engine(struct made *made)
{
	Signal__Run *run = add_run(made, "flow", "snakemake", 20, -1);
	Signal__Task *task;

	run->pid = 20;
	run->task_limit = 1;
	made_execution(made, 20, "", "snakemake", 20, -1);
	own(made, "flow", 20);
	made_task(made, "done", "map", 30, 50)->run_id = "flow";
	made_task(made, "runs", "map", 50, -1)->run_id = "flow";
	made_execution(made, 21, "runs", "bwa", 50, -1);
	own(made, "flow", 21);
	for (int i = 0; i < 2; i++) {
		task = made_task(made, i ? "wait 2" : "wait 1", "map", 0, -1);
		task->run_id = "flow";
		task->status = "queued";
		task->started_at = 0;
		task->queued_at = T0 + (40 + i) * S;
		task->cpus_requested = 2;
		task->memory_requested_bytes = 1 << 30;
	}
}

/* Of "a" a process computed until 60 s, and has it open; "b" does not say how busy it is. */
static void add_gpus(struct made *made)
{
	for (uint32_t i = 0; i < 2; i++) {
		Signal__Gpu *gpu = made_add(made, "gpus");

		gpu->uuid = i ? "b" : "a";
		gpu->index = i;
		gpu->name = "NVIDIA H200";
		gpu->seen_at = T0;
		for (int64_t at = 0; at < 200; at += 20) {
			Signal__GpuSample *sample = made_add(made, "gpu_samples");

			sample->uuid = i ? "b" : "a";
			sample->since_at = T0 + at * S;
			sample->until_at = T0 + (at + 20) * S;
			sample->busy_known_ns = i ? 0 : 20 * (uint64_t)S;
			sample->busy_ns = !i && at < 60 ? (uint64_t)S : 0;
			sample->processes = !i && at >= 20;
		}
	}
}

static int fill(void **state)
{
	Signal__Host *host;
	struct made made;

	if (lake_setup(state))
		return -1;
	made_init(&made, 1);
	host = made_add(&made, "hosts");
	host->hostname = "node";
	host->cpus = 4;
	add_shells(&made);
	add_engine(&made);
	add_gpus(&made);
	lake_store(*state, &made);
	return 0;
}

#define SESSION "run_id user command used_until memory_bytes pid notebook"

static void a_shell_is_used_while_a_program_runs_that_was_started_in_it(void **state)
{
	assert_string_equal(lake_query(*state, "waste_sessions", "now_at=@200", SESSION),
			    "shell bob bash @100 5242880 1 0\n"
			    "shell 2 bob bash @200 5242880 2 0\n");
	assert_string_equal(lake_query(*state, "waste_sessions", "now_at=@80", "run_id used_until"),
			    "shell @80\nshell 2 @80\nshell 3 @10\n");
}

#define QUEUE "run_id user tasks queued_at cpus memory_bytes running task_limit waits_for"

static void tasks_wait_for_the_engine_whose_tasks_are_on_its_host(void **state)
{
	assert_string_equal(lake_query(*state, "waste_queues", "now_at=@200", QUEUE),
			    "flow ann 2 @40 2 1073741824 1 1 engine\n");
	assert_string_equal(lake_query(*state, "waste_queues", "now_at=@40", "run_id"), "");
}

static void tasks_wait_for_slurm_where_the_engine_submits_jobs(void **state)
{
	Signal__Link *link;
	struct made made;

	made_init(&made, 2);
	link = made_add(&made, "links");
	link->run_id = "flow";
	link->kind = "job";
	link->value = "7";
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "waste_queues", "now_at=@200", "waits_for"),
			    "slurm\n");
}

#define GPU "uuid known_since known_until busy_until reserved_at"

static void a_gpu_is_busy_until_its_last_sample_with_work(void **state)
{
	assert_string_equal(lake_query(*state, "waste_gpus", "since_at=@-1 now_at=@200", GPU),
			    "a @0 @200 @60 @20\nb - - - -\n");
	assert_string_equal(lake_query(*state, "waste_gpus", "since_at=@-1 now_at=@50", GPU),
			    "a @0 @50 @50 @20\nb - - - -\n");
}

static void a_gpu_is_reserved_by_the_only_process_that_uses_any(void **state)
{
	Signal__Execution *execution;
	struct made made;

	made_init(&made, 3);
	execution = made_execution(&made, 21, "runs", "bwa", 50, -1);
	own(&made, "flow", 21);
	execution->figures->gpu_memory_bytes = 1 << 20;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "waste_gpus", "since_at=@-1 now_at=@200",
				       "uuid reserved_at run_id task_id work user pid"),
			    "a @50 flow runs map ann 21\nb - - - - - -\n");
}

static void work_that_no_engine_repeats_counts_as_such(void **state)
{
	assert_string_equal(lake_query(*state, "waste_work", "since_at=@-1 now_at=@200",
				       "host_id users runs_engine tasks_ended tasks_restartable"),
			    "host ann, bob 1 5 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shell_is_used_while_a_program_runs_that_was_started_in_it),
		cmocka_unit_test(tasks_wait_for_the_engine_whose_tasks_are_on_its_host),
		cmocka_unit_test(tasks_wait_for_slurm_where_the_engine_submits_jobs),
		cmocka_unit_test(a_gpu_is_busy_until_its_last_sample_with_work),
		cmocka_unit_test(a_gpu_is_reserved_by_the_only_process_that_uses_any),
		cmocka_unit_test(work_that_no_engine_repeats_counts_as_such),
	};

	return cmocka_run_group_tests(tests, fill, lake_teardown);
}
