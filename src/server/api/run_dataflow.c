/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/handlers.h"
#include "server/query/dataflow.h"
#include "server/query/run.h"
#include "server/query/run_wall.h"
#include "server/rows/answer.h"

/* The dataflow of one run: its tasks, the files between them, and its critical path. */

static void write_tasks(struct row_writer *writer, const struct dataflow *dataflow)
{
	static const struct row_column COLUMNS[] = {
		{ "id", STORE_TEXT },    { "ready_at", STORE_TIME }, { "queue_s", STORE_DOUBLE },
		{ "fed_by", STORE_I64 }, { "feeds", STORE_I64 },     { "untold_opens", STORE_I64 },
	};

	ROW_LIST_BEGIN(writer, "tasks", COLUMNS);
	for (size_t i = 0; i < dataflow->flow.task_count; i++) {
		const struct dataflow_task *facts = &dataflow->task_facts[i];
		int64_t queue_ns = 0;
		bool queued = dataflow_queue_ns(dataflow, i, &queue_ns);
		const struct cell cells[] = {
			cell_text(facts->id),
			cell_time(facts->ready_at),
			queued ? cell_seconds(queue_ns) : CELL_NONE,
			cell_i64(facts->fed_by),
			cell_i64(facts->feeds),
			cell_i64(facts->untold_opens),
		};

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

static struct cell path_cell(const char *path)
{
	return cell_text(*path ? path : NULL);
}

static void write_edges(struct row_writer *writer, const struct dataflow *dataflow, size_t most)
{
	static const struct row_column COLUMNS[] = {
		{ "from", STORE_TEXT },         { "to", STORE_TEXT },
		{ "files", STORE_I64 },         { "size_bytes", STORE_I64 },
		{ "written_bytes", STORE_I64 }, { "read_bytes", STORE_I64 },
		{ "closed_at", STORE_TIME },    { "path", STORE_TEXT },
	};

	ROW_LIST_BEGIN(writer, "edges", COLUMNS);
	for (size_t i = 0; i < dataflow->flow.edge_count && i < most; i++) {
		const struct dataflow_edge *facts = &dataflow->edge_facts[i];
		const struct flow_edge *edge = &dataflow->edges[i];
		const struct cell cells[] = {
			cell_text(dataflow->task_facts[edge->from].id),
			cell_text(dataflow->task_facts[edge->to].id),
			cell_i64(facts->files),
			cell_i64(facts->size_bytes),
			cell_i64(facts->written_bytes),
			cell_i64(facts->read_bytes),
			cell_time(edge->closed_at),
			path_cell(facts->path),
		};

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

#define LINK_COLUMNS 8 /* besides those of wall time */

static void write_links(struct row_writer *writer, const struct dataflow *dataflow)
{
	static const struct row_column COLUMNS[] = {
		{ "task_id", STORE_TEXT },
		{ "step", STORE_TEXT },
		{ "name", STORE_TEXT },
		{ "sample", STORE_TEXT },
		{ "ready_at", STORE_TIME },
		{ "waiting_s", STORE_DOUBLE },
		{ "running_s", STORE_DOUBLE },
		{ "path", STORE_TEXT },
		RUN_WALL_COLUMNS,
	};

	ROW_LIST_BEGIN(writer, "links", COLUMNS);
	for (size_t i = 0; i < dataflow->path.count; i++) {
		const struct critical_link *link = &dataflow->path.links[i];
		const struct dataflow_task *facts = &dataflow->task_facts[link->task];
		bool fed = link->input != FLOW_NONE;
		struct cell cells[LINK_COLUMNS + RUN_WALL_COUNT] = {
			cell_text(facts->id),
			cell_text(facts->step),
			cell_text(facts->name),
			path_cell(facts->sample),
			cell_time(fed ? dataflow->edges[link->input].closed_at : 0),
			cell_seconds(link->waiting_ns),
			cell_seconds(link->running_ns),
			path_cell(fed ? dataflow->edge_facts[link->input].path : ""),
		};

		run_wall_cells(&dataflow->path_walls[i], cells + LINK_COLUMNS);
		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

/* Where the running time of all links went. */
static void write_wall(struct row_writer *writer, const struct dataflow *dataflow)
{
	static const struct row_column COLUMNS[] = { RUN_WALL_COLUMNS };
	struct cell cells[RUN_WALL_COUNT];
	struct wall sum = { 0 };

	for (size_t i = 0; i < dataflow->path.count; i++)
		wall_add(&sum, &dataflow->path_walls[i]);
	run_wall_cells(&sum, cells);
	for (size_t i = 0; i < RUN_WALL_COUNT; i++)
		row_field(writer, COLUMNS[i].name, cells[i]);
}

static void write_path(struct row_writer *writer, const struct dataflow *dataflow)
{
	const struct critical_path *path = &dataflow->path;
	int64_t waiting_ns = 0, running_ns = 0;

	if (path->count == 0) {
		row_field(writer, "critical_path", CELL_NONE);
		return;
	}
	for (size_t i = 0; i < path->count; i++) {
		waiting_ns += path->links[i].waiting_ns;
		running_ns += path->links[i].running_ns;
	}
	row_group_begin(writer, "critical_path");
	row_field(writer, "wall_s",
		  cell_seconds(dataflow->flow.ended_at - dataflow->flow.began_at));
	row_field(writer, "before_s", cell_seconds(path->before_ns));
	row_field(writer, "waiting_s", cell_seconds(waiting_ns));
	row_field(writer, "running_s", cell_seconds(running_ns));
	row_field(writer, "after_s", cell_seconds(path->after_ns));
	write_wall(writer, dataflow);
	write_links(writer, dataflow);
	row_group_end(writer);
}

int get_run_dataflow(struct request *request, struct reply *reply)
{
	CLEANUP(dataflow_clear) struct dataflow dataflow = { 0 };
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = dataflow_make(&dataflow, request->server, id, &reply->error);
	if (rc == 0)
		rc = dataflow_make_walls(&dataflow, request->server, id, &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	write_tasks(&writer, &dataflow);
	write_edges(&writer, &dataflow, (size_t)request_number(request, "limit"));
	row_field(&writer, "edges_known", cell_i64((int64_t)dataflow.flow.edge_count));
	row_field(&writer, "complete", cell_bool(dataflow.complete));
	write_path(&writer, &dataflow);
	row_writer_end(&writer);
	return 0;
}
