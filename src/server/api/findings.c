/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/handlers.h"
#include "server/billing/bill_read.h"
#include "server/query/run.h"
#include "server/rows/answer.h"
#include "tune/tune.h"

#define TASKS_MAX 100000

static struct cell saving_cell(double saving)
{
	return saving < 0 ? CELL_NONE : cell_double(saving);
}

void findings_write(struct row_writer *writer, const struct findings *findings)
{
	static const struct row_column COLUMNS[] = {
		{ "kind", STORE_TEXT },        { "severity", STORE_TEXT },
		{ "subject", STORE_TEXT },     { "summary", STORE_TEXT },
		{ "evidence", STORE_JSON },    { "advice", STORE_TEXT },
		{ "saves_usd", STORE_DOUBLE }, { "saves_s", STORE_DOUBLE },
	};

	ROW_LIST_BEGIN(writer, "findings", COLUMNS);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		const struct cell cells[] = {
			cell_text(finding->kind),
			cell_text(finding_severity_name(finding->severity)),
			cell_text(finding->subject),
			cell_text(finding->summary),
			cell_json(finding->evidence),
			cell_text(finding->advice),
			saving_cell(finding->saves_usd),
			saving_cell(finding->saves_s),
		};

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

/* The tasks of a run as tune wants them; texts stay those of the rows. */
struct task_list {
	struct tune_task *items;
	size_t count, capacity;
};

static int add_task(struct task_list *tasks, const struct store_rows *rows,
		    const struct bill *hosts)
{
	const struct bill_host *host = bill_host(hosts, row_text(rows, "host_id"));
	struct tune_task *task;

	if (tasks->count == tasks->capacity) {
		size_t capacity = tasks->capacity ? 2 * tasks->capacity : 64;

		task = realloc(tasks->items, capacity * sizeof(*task));
		if (!task)
			return -ENOMEM;
		tasks->items = task;
		tasks->capacity = capacity;
	}
	task = &tasks->items[tasks->count++];
	*task = (struct tune_task){
		.id = row_text(rows, "id"),
		.step = row_text(rows, "step"),
		.name = row_text(rows, "name"),
		.ended = row_i64(rows, "ended_at") > 0,
		.succeeded = strcmp(row_text(rows, "status"), "succeeded") == 0,
		.cpus_requested = row_double(rows, "cpus_requested"),
		.memory_requested_bytes = (uint64_t)row_i64(rows, "memory_requested_bytes"),
		.requested_by = row_text(rows, "requested_by"),
		.memory_peak_bytes = (uint64_t)row_i64(rows, "memory_peak_bytes"),
		.cpu_ns = (uint64_t)(row_i64(rows, "user_ns") + row_i64(rows, "kernel_ns")),
		.wall_ns = (uint64_t)(row_double(rows, "wall_s") * (double)NS_PER_S),
		.host_cpus = host ? host->cpus : 0,
		.host_memory_bytes = host ? host->memory_bytes : 0,
		.host_usd_hour = host ? host->price.usd_hour : -1,
	};
	return 0;
}

static bool is_asked(const struct task_list *tasks)
{
	for (size_t i = 0; i < tasks->count; i++)
		if (tasks->items[i].cpus_requested > 0 || tasks->items[i].memory_requested_bytes)
			return true;
	return false;
}

/* *ret_asked: a task of the run has a request, with which its use can be compared. */
static int find(struct server *server, const char *id, struct findings *findings, bool *ret_asked,
		struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id), PARAM_OPTIONAL("step", NULL),
					      PARAM_OPTIONAL("status", NULL),
					      PARAM_OPTIONAL("cursor", NULL),
					      PARAM_I64("limit", TASKS_MAX) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(store_rows_freep) struct store_rows *run = NULL;
	CLEANUP(bill_freep) struct bill *hosts = NULL;
	struct task_list tasks = { 0 };
	int rc = QUERY(server, "tasks", params, &rows, err);

	if (rc == 0)
		rc = run_query_row(server, "run", id, &run, err);
	if (rc == 0)
		rc = bill_make_hosts(server, &hosts, err);
	/* A task that only its engine reported did not start, and used nothing. */
	while (rc == 0 && store_next(rows))
		if (row_i64(rows, "started_at"))
			rc = add_task(&tasks, rows, hosts);
	if (rc == 0)
		rc = tune_find(&(struct tune_run){ .engine = row_text(run, "engine"),
						   .tasks = tasks.items,
						   .task_count = tasks.count },
			       findings);
	*ret_asked = is_asked(&tasks);
	free(tasks.items);
	return rc;
}

int get_run_findings(struct request *request, struct reply *reply)
{
	struct findings findings = { 0 };
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	bool asked = false;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = find(request->server, id, &findings, &asked, &reply->error);
	if (rc == 0) {
		answer_begin(&writer, request, reply);
		findings_write(&writer, &findings);
		row_field(&writer, "asked", cell_bool(asked));
		row_writer_end(&writer);
	}
	findings_clear(&findings);
	return rc;
}
