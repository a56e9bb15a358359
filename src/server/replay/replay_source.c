/* SPDX-License-Identifier: Apache-2.0 */
#include "server/replay/replay_source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "server/billing/sheet_read.h"
#include "server/query/query.h"
#include "server/query/run.h"
#include "server/query/run_rows.h"
#include "server/query/run_wall.h"
#include "server/replay/replay_engine.h"
#include "server/replay/replay_history.h"
#include "server/server.h"
#include "server/steps/step_task_list.h"

#define CGROUPS_MAX 1000
#define HELPER      0.25 /* of a CPU: what uses less is no work of its own */

/* The task of the flow with this id; NULL: none. */
static struct replay_task *task_of(const struct replay_source *source, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));
	size_t number = (size_t)(uintptr_t)map_get(source->dataflow.index, &key);

	return number ? &source->tasks[number - 1] : NULL;
}

/* What it asked for; where that is not recorded, the CPUs that one of its programs used. Programs
 * of a pipe share a slot. */
static double slots_of(const struct store_rows *rows)
{
	double asked = row_double(rows, "cpus_requested");

	return asked > 0 ? fmax(1, asked) : fmax(1, ceil(row_double(rows, "widest") - HELPER));
}

/* Voluntary context switches are not counted by what was waited for: they are divided by the time
 * of each wait, without that for children, which is long and has one switch a child. */
static double pipe_wakes_of(const struct store_rows *rows)
{
	static const char *const others[] = { "disk_ns",  "paging_ns", "network_ns", "lock_ns",
					      "sleep_ns", "poll_ns",   "other_ns" };
	double pipe_ns =
		(double)row_i64(rows, "pipe_read_ns") + (double)row_i64(rows, "pipe_write_ns");
	double all_ns = pipe_ns;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		all_ns += (double)row_i64(rows, others[i]);
	return all_ns > 0 ? (double)row_i64(rows, "ctx_voluntary") * pipe_ns / all_ns : 0;
}

static void take_place(struct replay_source *source, const struct store_rows *rows)
{
	const char *host = row_text(rows, "host_id");
	int64_t cgroup = row_i64(rows, "cgroup_id");

	if (!*host)
		return;
	if (!*source->host_id) {
		(void)snprintf(source->host_id, sizeof(source->host_id), "%s", host);
		source->cgroup_id = cgroup;
		source->run.hosts = 1;
	}
	source->run.hosts += strcmp(source->host_id, host) != 0;
	if (source->cgroup_id != cgroup)
		source->cgroup_id = -1;
}

/* A row without a task's id is about the processes of no task. */
static void take_task(struct replay_source *source)
{
	const struct store_rows *rows = source->task_rows;
	struct replay_task *task = task_of(source, row_text(rows, "task_id"));
	double runnable_ns = (double)row_i64(rows, "runnable_ns");

	take_place(source, rows);
	if (!*row_text(rows, "task_id"))
		source->run.engine.runnable_ns = runnable_ns;
	if (!task)
		return;
	task->step = row_text(rows, "step");
	task->name = row_text(rows, "name");
	task->cpu_ns = (double)row_i64(rows, "user_ns") + (double)row_i64(rows, "kernel_ns");
	task->runnable_ns = runnable_ns;
	task->pipe_write_ns = (double)row_i64(rows, "pipe_write_ns");
	task->pipe_wakes = pipe_wakes_of(rows);
	task->longest_ns = fmax(row_double(rows, "longest_ns"), 0);
	task->threads = (double)row_i64(rows, "threads_peak");
	task->slots = slots_of(rows);
	task->storage_read_bytes = (double)row_i64(rows, "disk_read_bytes");
	task->storage_write_bytes = (double)row_i64(rows, "disk_write_bytes");
	task->network_bytes =
		(double)row_i64(rows, "net_rx_bytes") + (double)row_i64(rows, "net_tx_bytes");
}

/* Those of which no process is known have no figures. */
static int read_tasks(struct replay_source *source, struct server *server, const char *id,
		      struct error *err)
{
	const struct run_rows_query asked = { "slowness_tasks", DATAFLOW_TASKS_MAX, -1 };
	const struct dataflow *dataflow = &source->dataflow;
	int rc = run_rows_ask(server, &asked, id, &source->task_rows, err);

	source->tasks = calloc(dataflow->flow.task_count + 1, sizeof(*source->tasks));
	if (!source->tasks)
		return -ENOMEM;
	for (size_t i = 0; i < dataflow->flow.task_count; i++)
		source->tasks[i] = (struct replay_task){
			.id = dataflow->task_facts[i].id,
			.step = dataflow->task_facts[i].step,
			.name = dataflow->task_facts[i].name,
			.started_at = dataflow->tasks[i].started_at,
			.ended_at = dataflow->tasks[i].ended_at,
			.slots = 1,
		};
	while (rc == 0 && store_next(source->task_rows))
		take_task(source);
	return rc;
}

static int read_walls(struct replay_source *source, struct server *server, const char *id,
		      struct error *err)
{
	CLEANUP(run_wall_putp) struct run_wall *walls = NULL;
	int rc = run_wall_get(&walls, server, id, err);

	for (size_t i = 0; rc == 0 && i < source->run.task_count; i++) {
		const struct wall *wall = run_wall_task(walls, source->tasks[i].id);

		if (wall)
			source->tasks[i].wall = *wall;
	}
	if (rc == 0)
		source->run.engine.wall = *run_wall_engine(walls);
	return rc;
}

static void take_request(struct replay_task *task, const struct step_task *attempt)
{
	task->memory_bytes = fmax(attempt->memory_peak_bytes, 0);
	task->memory_requested_bytes = fmax(attempt->memory_requested_bytes, 0);
	task->cpus_requested = fmax(attempt->cpus_requested, 0);
	task->queued_at = attempt->queued_at;
}

static int read_memory(struct replay_source *source, struct server *server, const char *id,
		       struct error *err)
{
	CLEANUP(step_tasks_clear) struct step_task_list list = { 0 };
	int rc = step_tasks_of_run(server, id, NULL, &list, err);

	for (size_t i = 0; rc == 0 && i < list.count; i++) {
		struct replay_task *task = task_of(source, list.items[i].id);

		if (task)
			take_request(task, &list.items[i]);
	}
	return rc;
}

static int read_host(struct replay_source *source, struct server *server, struct error *err)
{
	CLEANUP(sheet_freep) struct sheet *sheet = NULL;
	int rc = sheet_read_hosts(server, &sheet, err);
	size_t at = rc ? SIZE_MAX : sheet_host(sheet, source->host_id);
	const struct sheet_price *price;

	if (at == SIZE_MAX)
		return rc;
	price = sheet_last_price(&sheet->hosts[at]);
	source->run.host_cpus = sheet->hosts[at].cpus;
	source->run.host_memory_bytes = (double)sheet->hosts[at].memory_bytes;
	if (price && price->known)
		source->usd_hour = cost_usd(price->nusd_hour);
	return 0;
}

/* That of a control group holds for the run only if all of it was in there. */
static int read_limit(struct replay_source *source, struct server *server, const char *id,
		      struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id),
					      PARAM_I64("limit", CGROUPS_MAX) };
	CLEANUP(store_rows_freep) struct store_rows *cgroups = NULL;
	int rc = source->cgroup_id > 0 ? QUERY(server, "containers", params, &cgroups, err) : 0;

	while (rc == 0 && cgroups && store_next(cgroups))
		if (row_i64(cgroups, "cgroup_id") == source->cgroup_id)
			source->run.cpu_limit = row_double(cgroups, "cpu_limit");
	return rc;
}

static int read_run(struct replay_source *source, struct server *server, const char *id,
		    struct error *err)
{
	int rc = run_query_row(server, "run", id, &source->run_rows, err);

	if (rc)
		return rc;
	source->run.status = row_text(source->run_rows, "status");
	source->run.lost_records = row_i64(source->run_rows, "lost_records");
	source->run.engine.name = row_text(source->run_rows, "engine");
	source->run.engine.command = row_text(source->run_rows, "command");
	return 0;
}

static void take_flow(struct replay_source *source)
{
	const struct dataflow *dataflow = &source->dataflow;

	source->run.began_at = dataflow->flow.began_at;
	source->run.ended_at = dataflow->flow.ended_at;
	source->run.task_count = dataflow->flow.task_count;
	source->run.edges = dataflow->edges;
	source->run.edge_count = dataflow->flow.edge_count;
	source->run.complete = dataflow->complete;
	source->run.tasks = source->tasks;
}

int replay_source_read(struct replay_source *source, struct server *server, const char *id,
		       const char *reader, struct error *err)
{
	int rc = read_run(source, server, id, err);

	source->usd_hour = -1;
	if (rc == 0)
		rc = dataflow_make(&source->dataflow, server, id, err);
	if (rc == 0)
		rc = read_tasks(source, server, id, err);
	if (rc)
		return rc;
	take_flow(source);
	rc = read_walls(source, server, id, err);
	if (rc == 0)
		rc = read_memory(source, server, id, err);
	if (rc == 0)
		rc = read_host(source, server, err);
	if (rc == 0)
		rc = read_limit(source, server, id, err);
	if (rc == 0)
		rc = replay_engine_read(&source->run, server, id, err);
	return rc ? rc : replay_history_read(&source->run, server, source->run_rows, reader, err);
}

void replay_source_clear(struct replay_source *source)
{
	free(source->tasks);
	dataflow_clear(&source->dataflow);
	store_rows_free(source->run_rows);
	store_rows_free(source->task_rows);
	*source = (struct replay_source){ 0 };
}
