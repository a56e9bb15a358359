/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "signal/batch.h"
#include "wait.h"

struct posted {
	Signal__Batch batch;
	Signal__Host host, *hosts[1];
	Signal__Run run, *runs[1];
	Signal__Task tasks[HISTORY_TASKS], *task_list[HISTORY_TASKS];
	Signal__Execution executions[HISTORY_TASKS], *execution_list[HISTORY_TASKS];
	Signal__Figures figures[HISTORY_TASKS];
	char ids[HISTORY_TASKS][80], names[HISTORY_TASKS][16];
};

/* Tasks differ a little, the same in each run. */
static const double SPREAD[HISTORY_TASKS] = { 0.97, 1.0, 1.04, 1.01 };

static void make_host(struct posted *posted)
{
	Signal__Host *host = &posted->host;

	signal__host__init(host);
	host->hostname = "node-1";
	host->cpus = 4;
	host->memory_bytes = 16ULL << 30;
	host->seen_at = clock_real_ns();
	host->booted_at = host->seen_at - 86400 * NS_PER_S;
	host->price_usd_hour = 0.4;
	posted->hosts[0] = host;
	posted->batch.hosts = posted->hosts;
	posted->batch.n_hosts = 1;
}

static void make_run(struct posted *posted, const struct history_run *of, int64_t began_at,
		     int64_t ended_at)
{
	Signal__Run *run = &posted->run;

	signal__run__init(run);
	run->run_id = (char *)of->id;
	run->name = (char *)of->id;
	run->pipeline = "variants";
	run->engine = "snakemake";
	run->status = of->running ? "running" : "succeeded";
	run->pid = 100;
	run->start_ns = (uint64_t)began_at;
	run->user = "ada";
	run->started_at = began_at;
	run->ended_at = of->running ? 0 : ended_at;
	posted->runs[0] = run;
	posted->batch.runs = posted->runs;
	posted->batch.n_runs = 1;
}

static void make_task(struct posted *posted, const struct history_run *of, int i, int64_t began_at,
		      int64_t ended_at)
{
	int runs = of->running && i == HISTORY_TASKS - 1;
	Signal__Execution *execution = &posted->executions[i];
	Signal__Figures *figures = &posted->figures[i];
	Signal__Task *task = &posted->tasks[i];

	snprintf(posted->ids[i], sizeof(posted->ids[i]), "%s-%d", of->id, i);
	snprintf(posted->names[i], sizeof(posted->names[i]), "align (S%d)", i);
	signal__task__init(task);
	task->task_id = posted->ids[i];
	task->run_id = (char *)of->id;
	task->step = "align";
	task->name = posted->names[i];
	task->status = runs ? "running" : "succeeded";
	task->pid = 200 + (uint32_t)i;
	task->start_ns = (uint64_t)began_at;
	task->started_at = began_at;
	task->ended_at = runs ? 0 : ended_at;
	task->cpus_requested = 4;
	task->memory_requested_bytes = 8ULL << 30;
	task->requested_by = "snakemake";
	task->attempt = 1;
	posted->task_list[i] = task;

	signal__execution__init(execution);
	signal__figures__init(figures);
	execution->pid = task->pid;
	execution->start_ns = task->start_ns;
	execution->image_seq = 1;
	execution->ppid = 100;
	execution->started_at = began_at;
	execution->ended_at = task->ended_at;
	execution->wall_ns = runs ? 0 : (uint64_t)(ended_at - began_at);
	execution->status = task->status;
	execution->tool = "bwa mem";
	execution->tool_kind = "tool";
	execution->version = (char *)of->version;
	execution->exe = "/usr/bin/bwa";
	execution->run_id = (char *)of->id;
	execution->task_id = posted->ids[i];
	figures->user_ns = 2 * (uint64_t)(ended_at - began_at);
	figures->threads_peak = 4;
	figures->rss_peak_bytes = (uint64_t)((1ULL << 30) * SPREAD[i]);
	execution->figures = figures;
	posted->execution_list[i] = execution;
}

static void make_tasks(struct posted *posted, const struct history_run *of, int64_t began_at,
		       int64_t *ret_ended_at)
{
	int64_t at = began_at;

	for (int i = 0; i < HISTORY_TASKS; i++) {
		int64_t ended_at = at + (int64_t)(60 * SPREAD[i] * of->factor * (double)NS_PER_S);

		make_task(posted, of, i, at, ended_at);
		at = ended_at;
	}
	posted->batch.tasks = posted->task_list;
	posted->batch.executions = posted->execution_list;
	posted->batch.n_tasks = posted->batch.n_executions = HISTORY_TASKS;
	*ret_ended_at = at;
}

void history_post(const struct lake *lake, const struct history_run *run, uint64_t sequence)
{
	int64_t now = clock_real_ns(), ended_at;
	int64_t began_at = now - (int64_t)(run->began_s * (double)NS_PER_S);
	struct posted posted = { 0 };
	struct buffer packed;
	struct answer answer;

	signal__batch__init(&posted.batch);
	posted.batch.host_id = "host-1";
	posted.batch.boot_id = "boot-1";
	posted.batch.agent_id = "agent-1";
	posted.batch.sequence = sequence;
	posted.batch.created_at = now;
	make_host(&posted);
	make_tasks(&posted, run, began_at, &ended_at);
	make_run(&posted, run, began_at, ended_at);
	buffer_init(&packed, 0);
	assert_int_equal(batch_pack(&posted.batch, &packed), 0);
	lake_ask(lake, "POST", "/api/v1/ingest", lake->ingest,
		 "Content-Type: application/x-protobuf\r\nContent-Encoding: zstd\r\n", packed.data,
		 packed.len, &answer);
	assert_int_equal(answer.status, 200);
	answer_clear(&answer);
	buffer_clear(&packed);
}

static int settled_runs(const struct lake *lake)
{
	json_t *answer = lake_get(lake, "/api/v1/steps?pipeline=variants", 200);
	int runs = (int)json_integer_value(json_object_get(answer, "runs"));

	json_decref(answer);
	return runs;
}

void history_wait(const struct lake *lake, int runs)
{
	WAIT_DOING(settled_runs(lake) == runs, usleep(500000), "the runs are settled");
}
