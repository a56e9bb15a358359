/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/query/run_list.h"
#include "server/server.h"

/* The lists of one run: tasks, tools, processes, network, io, events, containers, files. */

static void add_task_cost(const struct store_rows *rows, struct json *json, const void *context)
{
	double usd = bill_task_usd(context, ask_text(rows, "id"));

	json_key(json, "cost_usd");
	if (usd < 0)
		json_none(json);
	else
		json_double(json, usd);
}

int get_run_tasks(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(bill_freep) struct bill *bill = NULL;
	int64_t limit = request_number(request, "limit");
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = run_resolve(request, reply, id);
	struct store_param params[] = {
		ASK_TEXT("run", id),
		ASK_OPTIONAL("step", request_text(request, "step")),
		ASK_OPTIONAL("status", request_text(request, "status")),
		ASK_OPTIONAL("cursor", request_text(request, "cursor")),
		ASK_I64("limit", limit),
	};

	if (rc == 0)
		rc = ASK_SOME(request->server, "tasks", params, &limit, &rows, &reply->error);
	if (rc == 0)
		rc = run_bill(request->server, id, &bill, &reply->error);
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	ask_page(&json, "tasks", rows, limit, add_task_cost, bill);
	json_object_end(&json);
	return 0;
}

int get_run_parts(struct request *request, struct reply *reply)
{
	static const struct run_list list = { .query = "parts", .key = "parts" };

	return run_list_answer(request, reply, &list);
}

int get_run_tools(struct request *request, struct reply *reply)
{
	static const struct run_list list = { .query = "tools",
					      .key = "tools",
					      .filters = { "all" } };

	return run_list_answer(request, reply, &list);
}

int get_run_processes(struct request *request, struct reply *reply)
{
	static const struct run_list list = { .query = "processes",
					      .key = "processes",
					      .filters = { "task", "tool", "status" },
					      .paged = true };

	return run_list_answer(request, reply, &list);
}

int get_run_network(struct request *request, struct reply *reply)
{
	static const struct run_list list = { .query = "networks",
					      .key = "network",
					      .filters = { "task", "tool" },
					      .limited = true };

	return run_list_answer(request, reply, &list);
}

int get_run_events(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *events = NULL, *losses = NULL;
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = run_resolve(request, reply, id);
	const struct store_param params[] = { ASK_TEXT("run", id),
					      ASK_I64("limit", request_number(request, "limit")) };

	if (rc == 0)
		rc = ASK(request->server, "events", params, &events, &reply->error);
	if (rc == 0)
		rc = ASK(request->server, "losses", params, &losses, &reply->error);
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	ask_list(&json, "events", events, NULL, NULL);
	ask_list(&json, "losses", losses, NULL, NULL);
	json_object_end(&json);
	return 0;
}

int get_run_containers(struct request *request, struct reply *reply)
{
	static const struct run_list list = { .query = "containers",
					      .key = "containers",
					      .limited = true };

	return run_list_answer(request, reply, &list);
}

int get_run_io(struct request *request, struct reply *reply)
{
	static const struct run_list list = {
		.query = "io_latencies", .key = "io", .filters = { "task", "tool" }, .limited = true
	};

	return run_list_answer(request, reply, &list);
}

int get_run_syscalls(struct request *request, struct reply *reply)
{
	static const struct run_list list = { .query = "syscalls",
					      .key = "syscalls",
					      .filters = { "task", "tool", "class" },
					      .limited = true };

	return run_list_answer(request, reply, &list);
}

/* What a run did with files. */
int get_run_files(struct request *request, struct reply *reply)
{
	static const struct run_list list = { .query = "files",
					      .key = "files",
					      .filters = { "task", "tool", "kind" },
					      .paged = true };

	return run_list_answer(request, reply, &list);
}
