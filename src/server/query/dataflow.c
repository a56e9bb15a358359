/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/dataflow.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "server/query/query.h"
#include "server/query/run_wall.h"
#include "server/query/run_wall_document.h"

static int64_t later(int64_t one, int64_t other)
{
	return one > other ? one : other;
}

static int make_room(struct dataflow *dataflow)
{
	dataflow->tasks = calloc(DATAFLOW_TASKS_MAX, sizeof(*dataflow->tasks));
	dataflow->task_facts = calloc(DATAFLOW_TASKS_MAX, sizeof(*dataflow->task_facts));
	dataflow->edges = calloc(DATAFLOW_EDGES_MAX, sizeof(*dataflow->edges));
	dataflow->edge_facts = calloc(DATAFLOW_EDGES_MAX, sizeof(*dataflow->edge_facts));
	dataflow->index = map_new(sizeof(struct map_text_key), DATAFLOW_TASKS_MAX);
	dataflow->flow.tasks = dataflow->tasks;
	dataflow->flow.edges = dataflow->edges;
	return dataflow->tasks && dataflow->task_facts && dataflow->edges && dataflow->edge_facts &&
			       dataflow->index
		       ? 0
		       : -ENOMEM;
}

static int take_task(struct dataflow *dataflow)
{
	const struct store_rows *rows = dataflow->task_rows;
	size_t number = dataflow->flow.task_count++;
	const char *id = row_text(rows, "id");
	struct map_text_key key = map_text_key(id, strlen(id));

	dataflow->tasks[number] =
		(struct flow_task){ row_i64(rows, "started_at"), row_i64(rows, "ended_at") };
	dataflow->task_facts[number] = (struct dataflow_task){
		.id = id,
		.step = row_text(rows, "step"),
		.name = row_text(rows, "name"),
		.sample = row_text(rows, "sample"),
		.untold_opens = row_i64(rows, "untold_opens"),
	};
	return map_put(dataflow->index, &key, (void *)(uintptr_t)(number + 1));
}

static size_t task_of(const struct dataflow *dataflow, const char *column)
{
	const char *id = row_text(dataflow->edge_rows, column);
	struct map_text_key key = map_text_key(id, strlen(id));

	return (size_t)(uintptr_t)map_get(dataflow->index, &key);
}

static void take_edge(struct dataflow *dataflow)
{
	const struct store_rows *rows = dataflow->edge_rows;
	size_t from = task_of(dataflow, "from_id"), to = task_of(dataflow, "to_id");
	size_t number = dataflow->flow.edge_count;
	int64_t closed_at = row_i64(rows, "closed_at");

	if (!from || !to)
		return; /* of a task that was left out */
	dataflow->flow.edge_count++;
	dataflow->edges[number] =
		(struct flow_edge){ from - 1, to - 1, closed_at, row_i64(rows, "size_bytes") };
	dataflow->edge_facts[number] = (struct dataflow_edge){
		.files = row_i64(rows, "files"),
		.size_bytes = row_i64(rows, "size_bytes"),
		.written_bytes = row_i64(rows, "written_bytes"),
		.read_bytes = row_i64(rows, "read_bytes"),
		.path = row_text(rows, "path"),
	};
	dataflow->task_facts[from - 1].feeds++;
	dataflow->task_facts[to - 1].fed_by++;
	dataflow->task_facts[to - 1].ready_at =
		later(dataflow->task_facts[to - 1].ready_at, closed_at);
}

/* Runs a query with a limit. One row beyond `most` means that there are more. */
static int query_limited(struct server *server, const char *query, const char *id, int64_t most,
			 struct store_rows **ret, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id), PARAM_I64("limit", most + 1) };

	return QUERY(server, query, params, ret, err);
}

static int query_span(struct dataflow *dataflow, struct server *server, const char *id,
		      struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id) };
	CLEANUP(store_rows_freep) struct store_rows *span = NULL;
	int rc = QUERY(server, "run_span", params, &span, err);

	if (rc)
		return rc;
	if (store_next(span)) {
		dataflow->flow.began_at = row_i64(span, "started_at");
		dataflow->flow.ended_at = later(dataflow->flow.began_at, row_i64(span, "ended_at"));
	}
	return 0;
}

static int take(struct dataflow *dataflow)
{
	bool more;
	int rc = 0;

	while (rc == 0 && (more = store_next(dataflow->task_rows)) &&
	       dataflow->flow.task_count < DATAFLOW_TASKS_MAX)
		rc = take_task(dataflow);
	dataflow->complete = !more;
	while (rc == 0 && (more = store_next(dataflow->edge_rows)) &&
	       dataflow->flow.edge_count < DATAFLOW_EDGES_MAX)
		take_edge(dataflow);
	dataflow->complete &= !more;
	return rc;
}

int dataflow_make(struct dataflow *dataflow, struct server *server, const char *id,
		  struct error *err)
{
	int rc = make_room(dataflow);

	if (rc == 0)
		rc = query_limited(server, "dataflow_tasks", id, DATAFLOW_TASKS_MAX,
				   &dataflow->task_rows, err);
	if (rc == 0)
		rc = query_limited(server, "dataflow", id, DATAFLOW_EDGES_MAX, &dataflow->edge_rows,
				   err);
	if (rc == 0)
		rc = query_span(dataflow, server, id, err);
	if (rc == 0)
		rc = take(dataflow);
	if (rc == 0)
		rc = critical_path_find(&dataflow->flow, &dataflow->path);
	return rc;
}

int dataflow_make_walls(struct dataflow *dataflow, struct server *server, const char *id,
			struct error *err)
{
	const struct critical_path *path = &dataflow->path;
	CLEANUP(freep) struct run_wall_span *spans = calloc(path->count + 1, sizeof(*spans));
	CLEANUP(run_wall_putp) struct run_wall *walls = NULL;
	int rc;

	dataflow->path_walls = calloc(path->count + 1, sizeof(*dataflow->path_walls));
	if (!spans || !dataflow->path_walls)
		return -ENOMEM;
	for (size_t i = 0; i < path->count; i++) {
		const struct critical_link *link = &path->links[i];

		spans[i] =
			(struct run_wall_span){ dataflow->task_facts[link->task].id,
						link->until_at - link->running_ns, link->until_at };
	}
	if (path->count == 0 || run_wall_document_path(dataflow, server, id))
		return 0;
	rc = run_wall_get_images(&walls, server, id, err);
	return rc ? rc : run_wall_spans(walls, spans, path->count, dataflow->path_walls);
}

void dataflow_clear(struct dataflow *dataflow)
{
	critical_path_clear(&dataflow->path);
	free(dataflow->path_walls);
	map_free(dataflow->index);
	free(dataflow->tasks);
	free(dataflow->edges);
	free(dataflow->task_facts);
	free(dataflow->edge_facts);
	store_rows_free(dataflow->task_rows);
	store_rows_free(dataflow->edge_rows);
	*dataflow = (struct dataflow){ 0 };
}

bool dataflow_queue_ns(const struct dataflow *dataflow, size_t task, int64_t *ret)
{
	int64_t ready_at = dataflow->task_facts[task].ready_at;
	int64_t started_at = dataflow->tasks[task].started_at;

	if (!ready_at || !started_at)
		return false;
	*ret = later(0, started_at - ready_at);
	return true;
}
