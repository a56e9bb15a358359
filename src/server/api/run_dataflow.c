/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "server/query/dataflow.h"
#include "server/api/handlers.h"
#include "server/query/run.h"

/* The dataflow of one run, as JSON. */

static void write_text(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

static void write_i64(struct json *json, const char *key, int64_t number)
{
	json_key(json, key);
	json_i64(json, number);
}

static void write_seconds(struct json *json, const char *key, int64_t ns)
{
	json_key(json, key);
	json_double(json, (double)ns / (double)NS_PER_S);
}

static void write_task(struct json *json, const struct dataflow *dataflow, size_t task)
{
	const struct dataflow_task *facts = &dataflow->task_facts[task];
	int64_t queue_ns;

	json_object_begin(json);
	write_text(json, "id", facts->id);
	ask_time(json, "ready_at", facts->ready_at);
	if (dataflow_queue_ns(dataflow, task, &queue_ns)) {
		write_seconds(json, "queue_s", queue_ns);
	} else {
		json_key(json, "queue_s");
		json_none(json);
	}
	write_i64(json, "fed_by", facts->fed_by);
	write_i64(json, "feeds", facts->feeds);
	write_i64(json, "untold_opens", facts->untold_opens);
	json_object_end(json);
}

static void write_edge(struct json *json, const struct dataflow *dataflow, size_t edge)
{
	const struct dataflow_edge *facts = &dataflow->edge_facts[edge];

	json_object_begin(json);
	write_text(json, "from", dataflow->task_facts[dataflow->edges[edge].from].id);
	write_text(json, "to", dataflow->task_facts[dataflow->edges[edge].to].id);
	write_i64(json, "files", facts->files);
	write_i64(json, "size_bytes", facts->size_bytes);
	write_i64(json, "written_bytes", facts->written_bytes);
	write_i64(json, "read_bytes", facts->read_bytes);
	ask_time(json, "closed_at", dataflow->edges[edge].closed_at);
	write_text(json, "path", *facts->path ? facts->path : NULL);
	json_object_end(json);
}

static void write_link(struct json *json, const struct dataflow *dataflow,
		       const struct critical_link *link)
{
	const struct dataflow_task *facts = &dataflow->task_facts[link->task];
	const char *path = "";
	int64_t ready_at = 0;

	if (link->input != FLOW_NONE) {
		path = dataflow->edge_facts[link->input].path;
		ready_at = dataflow->edges[link->input].closed_at;
	}
	json_object_begin(json);
	write_text(json, "task_id", facts->id);
	write_text(json, "step", facts->step);
	write_text(json, "name", facts->name);
	write_text(json, "sample", *facts->sample ? facts->sample : NULL);
	ask_time(json, "ready_at", ready_at);
	write_seconds(json, "waiting_s", link->waiting_ns);
	write_seconds(json, "running_s", link->running_ns);
	write_text(json, "path", *path ? path : NULL);
	json_object_end(json);
}

static void write_path(struct json *json, const struct dataflow *dataflow)
{
	const struct critical_path *path = &dataflow->path;
	int64_t waiting_ns = 0, running_ns = 0;

	json_key(json, "critical_path");
	if (path->count == 0) {
		json_none(json);
		return;
	}
	for (size_t i = 0; i < path->count; i++) {
		waiting_ns += path->links[i].waiting_ns;
		running_ns += path->links[i].running_ns;
	}
	json_object_begin(json);
	write_seconds(json, "wall_s", dataflow->flow.ended_at - dataflow->flow.began_at);
	write_seconds(json, "before_s", path->before_ns);
	write_seconds(json, "waiting_s", waiting_ns);
	write_seconds(json, "running_s", running_ns);
	write_seconds(json, "after_s", path->after_ns);
	json_key(json, "links");
	json_array_begin(json);
	for (size_t i = 0; i < path->count; i++)
		write_link(json, dataflow, &path->links[i]);
	json_array_end(json);
	json_object_end(json);
}

static void write_dataflow(struct json *json, const struct dataflow *dataflow, size_t most)
{
	const struct flow *flow = &dataflow->flow;

	json_object_begin(json);
	json_key(json, "tasks");
	json_array_begin(json);
	for (size_t i = 0; i < flow->task_count; i++)
		write_task(json, dataflow, i);
	json_array_end(json);
	json_key(json, "edges");
	json_array_begin(json);
	for (size_t i = 0; i < flow->edge_count && i < most; i++)
		write_edge(json, dataflow, i);
	json_array_end(json);
	write_i64(json, "edges_known", (int64_t)flow->edge_count);
	json_key(json, "complete");
	json_bool(json, dataflow->complete);
	write_path(json, dataflow);
	json_object_end(json);
}

int get_run_dataflow(struct request *request, struct reply *reply)
{
	CLEANUP(dataflow_clear) struct dataflow dataflow = { 0 };
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = dataflow_make(&dataflow, request->server, id, &reply->error);
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	write_dataflow(&json, &dataflow, (size_t)request_number(request, "limit"));
	return 0;
}
