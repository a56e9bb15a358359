#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/handlers.h"
#include "server/run.h"
#include "server/server.h"

/* The lists of one run: tasks, tools, processes, events, samples. */

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
	int rc = run_resolve(request, id, &reply->error);
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

int get_run_tools(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = run_resolve(request, id, &reply->error);
	const struct store_param params[] = { ASK_TEXT("run", id) };

	if (rc == 0)
		rc = ASK(request->server, "tools", params, &rows, &reply->error);
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	ask_list(&json, "tools", rows, NULL, NULL);
	json_object_end(&json);
	return 0;
}

int get_run_processes(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int64_t limit = request_number(request, "limit");
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = run_resolve(request, id, &reply->error);
	struct store_param params[] = {
		ASK_TEXT("run", id),
		ASK_OPTIONAL("task", request_text(request, "task")),
		ASK_OPTIONAL("tool", request_text(request, "tool")),
		ASK_OPTIONAL("status", request_text(request, "status")),
		ASK_OPTIONAL("cursor", request_text(request, "cursor")),
		ASK_I64("limit", limit),
	};

	if (rc == 0)
		rc = ASK_SOME(request->server, "processes", params, &limit, &rows, &reply->error);
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	ask_page(&json, "processes", rows, limit, NULL, NULL);
	json_object_end(&json);
	return 0;
}

int get_run_events(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *events = NULL, *losses = NULL;
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = run_resolve(request, id, &reply->error);
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

/* *ret: how long the buckets of a run's samples are. */
static int find_interval(struct server *server, const char *id, int64_t *ret, struct error *err)
{
	const struct store_param params[] = { ASK_TEXT("run", id) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = ASK(server, "samples_interval", params, &rows, err);

	if (rc)
		return rc;
	*ret = store_next(rows) ? ask_i64(rows, "interval_s") : 0;
	if (*ret < 1)
		*ret = 1;
	return 0;
}

int get_run_samples(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int64_t interval_s = 1;
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = run_resolve(request, id, &reply->error);

	if (rc == 0)
		rc = find_interval(request->server, id, &interval_s, &reply->error);
	if (rc == 0) {
		const struct store_param params[] = {
			ASK_TEXT("run", id),
			ASK_TEXT("by", request_text(request, "by")),
			ASK_I64("interval_s", interval_s),
		};

		rc = ASK(request->server, "samples", params, &rows, &reply->error);
	}
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "interval_s");
	json_i64(&json, interval_s);
	ask_list(&json, "samples", rows, NULL, NULL);
	json_object_end(&json);
	return 0;
}
