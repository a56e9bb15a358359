/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/server.h"
#include "tune/tune.h"

#define TASKS_MAX 100000

static void write_saving(struct json *json, const char *key, double saving)
{
	json_key(json, key);
	if (saving < 0)
		json_none(json);
	else
		json_double(json, saving);
}

static void write_text(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

void findings_write(struct json *json, const struct findings *findings)
{
	json_key(json, "findings");
	json_array_begin(json);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		const char *evidence = finding->evidence ? finding->evidence : "{}";

		json_object_begin(json);
		write_text(json, "kind", finding->kind);
		write_text(json, "severity", finding_severity_name(finding->severity));
		write_text(json, "subject", finding->subject);
		write_text(json, "summary", finding->summary);
		json_key(json, "evidence");
		json_raw(json, evidence, strlen(evidence));
		write_text(json, "advice", finding->advice);
		write_saving(json, "saves_usd", finding->saves_usd);
		write_saving(json, "saves_s", finding->saves_s);
		json_object_end(json);
	}
	json_array_end(json);
}

/* The tasks of a run as tune wants them; texts stay those of the rows. */
struct task_list {
	struct tune_task *items;
	size_t count, capacity;
};

static int add_task(struct task_list *tasks, const struct store_rows *rows, const struct bill *bill)
{
	const struct bill_host *host = bill_host(bill, ask_text(rows, "host_id"));
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
		.id = ask_text(rows, "id"),
		.step = ask_text(rows, "step"),
		.name = ask_text(rows, "name"),
		.ended = ask_i64(rows, "ended_at") > 0,
		.succeeded = strcmp(ask_text(rows, "status"), "succeeded") == 0,
		.cpus_requested = ask_double(rows, "cpus_requested"),
		.memory_requested_bytes = (uint64_t)ask_i64(rows, "memory_requested_bytes"),
		.requested_by = ask_text(rows, "requested_by"),
		.memory_peak_bytes = (uint64_t)ask_i64(rows, "memory_peak_bytes"),
		.cpu_ns = (uint64_t)(ask_i64(rows, "user_ns") + ask_i64(rows, "kernel_ns")),
		.wall_ns = (uint64_t)(ask_double(rows, "wall_s") * (double)NS_PER_S),
		.host_cpus = host ? host->cpus : 0,
		.host_memory_bytes = host ? host->memory_bytes : 0,
		.host_usd_hour = host && host->usd_hour > 0 ? host->usd_hour : 0,
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

/* *ret_asked: a task of the run says what it asked for, which use can be compared with. */
static int find(struct server *server, const char *id, struct findings *findings, bool *ret_asked,
		struct error *err)
{
	const struct store_param params[] = { ASK_TEXT("run", id), ASK_OPTIONAL("step", NULL),
					      ASK_OPTIONAL("status", NULL),
					      ASK_OPTIONAL("cursor", NULL),
					      ASK_I64("limit", TASKS_MAX) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(bill_freep) struct bill *bill = NULL;
	const struct bill_run *run;
	struct task_list tasks = { 0 };
	int rc = ASK(server, "tasks", params, &rows, err);

	if (rc == 0)
		rc = run_bill(server, id, &bill, err);
	while (rc == 0 && store_next(rows))
		if (ask_i64(rows, "started_at")) /* what was but told of did nothing */
			rc = add_task(&tasks, rows, bill);
	if (rc == 0) {
		run = bill_run(bill, id);
		rc = tune_find(&(struct tune_run){ .engine = run ? run->engine : "",
						   .tasks = tasks.items,
						   .task_count = tasks.count },
			       findings);
	}
	*ret_asked = is_asked(&tasks);
	free(tasks.items);
	return rc;
}

int get_run_findings(struct request *request, struct reply *reply)
{
	struct findings findings = { 0 };
	char id[RUN_ID_SIZE];
	struct json json;
	bool asked = false;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = find(request->server, id, &findings, &asked, &reply->error);
	if (rc == 0) {
		reply->tagged = true;
		json_init(&json, &reply->body, false);
		json_object_begin(&json);
		findings_write(&json, &findings);
		json_key(&json, "asked");
		json_bool(&json, asked);
		json_object_end(&json);
	}
	findings_clear(&findings);
	return rc;
}
