/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/slowness_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "findings/input.h"
#include "server/findings/slowness_source.h"
#include "server/query/run_rows.h"
#include "server/query/run_wall.h"
#include "tune/slowness/engine_wall.h"

#define TASKS_MAX DATAFLOW_TASKS_MAX

int slowness_query(struct slowness_source *source, struct server *server, const char *query,
		   const char *id, int64_t limit, struct store_rows **ret, struct error *err)
{
	const struct run_rows_query asked = { query, limit, -1 };
	struct store_rows **rows = &source->rows[source->row_count];
	int rc = run_rows_ask(server, &asked, id, rows, err);

	if (rc)
		return rc;
	source->row_count++;
	*ret = *rows;
	return 0;
}

int slowness_query_page(struct slowness_source *source, struct server *server, const char *query,
			const char *id, int64_t limit, struct store_rows **ret, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id), PARAM_I64("limit", limit) };
	struct store_rows **rows = &source->rows[source->row_count];
	int rc = QUERY(server, query, params, rows, err);

	if (rc)
		return rc;
	source->row_count++;
	*ret = *rows;
	return 0;
}

struct slow_figures slowness_figures(const struct store_rows *rows)
{
#define READ(figure) .figure = (double)row_i64(rows, #figure),
	return (struct slow_figures){ SLOW_FIGURES(READ).executions =
					      (double)row_i64(rows, "executions") };
#undef READ
}

bool slowness_room(void **items, size_t count, size_t size)
{
	void *more;

	if (count && (count & (count - 1)))
		return true; /* it doubles at powers of two */
	more = realloc(*items, (count ? 2 * count : 1) * size);
	*items = more ? more : *items;
	return more != NULL;
}

static size_t cgroup_of(const struct slowness_source *source, int64_t id)
{
	for (size_t i = 0; i < source->facts.cgroup_count; i++)
		if (source->cgroup_ids[i] == id)
			return i;
	return SLOW_NONE;
}

static struct slow_task task_of(const struct slowness_source *source, const struct store_rows *rows,
				const struct flow_task *flow)
{
	return (struct slow_task){
		.id = row_text(rows, "task_id"),
		.step = row_text(rows, "step"),
		.name = row_text(rows, "name"),
		.requested_by = row_text(rows, "requested_by"),
		.cpus_requested = row_double(rows, "cpus_requested"),
		.widest = row_double(rows, "widest"),
		.wall_ns = (double)(flow->ended_at - flow->started_at),
		.host = slowness_host(source, row_text(rows, "host_id")),
		.cgroup = cgroup_of(source, row_i64(rows, "cgroup_id")),
		.figures = slowness_figures(rows),
	};
}

/* A task that runs lasts until now. */
static void take_task(struct slowness_source *source, const struct store_rows *rows)
{
	struct dataflow *dataflow = &source->dataflow;
	const char *id = row_text(rows, "task_id");
	struct map_text_key key = map_text_key(id, strlen(id));
	size_t number = (size_t)(uintptr_t)map_get(dataflow->index, &key);
	const struct flow_task run = { dataflow->flow.began_at, dataflow->flow.ended_at };
	struct flow_task *task;

	if (!*id)
		source->facts.engine_task = task_of(source, rows, &run);
	if (!number)
		return;
	task = &dataflow->tasks[number - 1];
	if (task->started_at) {
		int64_t ended_at = row_i64(rows, "ended_at");

		source->facts.running |= !ended_at;
		task->ended_at = ended_at ? ended_at : dataflow->flow.ended_at;
	}
	source->tasks[number - 1] = task_of(source, rows, task);
}

/* Those of which no process is known have no figures. */
static int read_tasks(struct slowness_source *source, struct server *server, const char *id,
		      struct error *err)
{
	struct dataflow *dataflow = &source->dataflow;
	struct store_rows *rows;
	int rc = slowness_query(source, server, "slowness_tasks", id, TASKS_MAX, &rows, err);

	source->facts.engine_task = (struct slow_task){
		.id = "", .step = "", .name = "", .host = SLOW_NONE, .cgroup = SLOW_NONE
	};
	source->tasks = calloc(dataflow->flow.task_count + 1, sizeof(*source->tasks));
	if (!source->tasks)
		return -ENOMEM;
	for (size_t i = 0; i < dataflow->flow.task_count; i++)
		source->tasks[i] = (struct slow_task){ .id = dataflow->task_facts[i].id,
						       .step = dataflow->task_facts[i].step,
						       .name = dataflow->task_facts[i].name,
						       .requested_by = "",
						       .host = SLOW_NONE,
						       .cgroup = SLOW_NONE };
	while (rc == 0 && store_next(rows))
		take_task(source, rows);
	source->facts.tasks = source->tasks;
	source->facts.task_count = dataflow->flow.task_count;
	return rc;
}

/* The slots that a task took: what it asked for; where that is not recorded, the CPUs that one of
 * its programs used (a quarter of one is a helper's). Programs of a pipe share a slot. */
static double weight_of(const struct slow_task *task)
{
	return task->cpus_requested > 0 ? fmax(1, task->cpus_requested)
					: fmax(1, ceil(task->widest - 0.25));
}

static int find_slots(struct slowness_source *source)
{
	const struct flow *flow = &source->dataflow.flow;
	CLEANUP(freep) double *weights = calloc(flow->task_count + 1, sizeof(*weights));
	CLEANUP(slot_use_clear) struct slot_use use = { 0 };
	double cpus = 0;
	int rc = weights ? 0 : -ENOMEM;

	for (size_t i = 0; i < source->facts.host_count; i++)
		cpus += source->hosts[i].cpus;
	for (size_t i = 0; rc == 0 && i < flow->task_count; i++)
		weights[i] = weight_of(&source->tasks[i]);
	if (rc == 0)
		rc = slot_use_make(&use, flow, weights);
	if (rc == 0)
		rc = slot_plan_find(flow, &use, weights, cpus, &source->facts.plan);
	source->facts.slots = use.peak;
	for (size_t i = 0; rc == 0 && i < source->facts.link_count; i++) {
		struct slow_link *link = &source->links[i];

		link->full = link->span.waits &&
			     slot_plan_is_full(&use, weights[link->span.task], link->span.began_at,
					       link->span.ended_at);
	}
	return rc;
}

static int fit_engine(struct slowness_source *source, const struct wall *whole)
{
	size_t links = source->facts.link_count, count = 0;
	CLEANUP(freep) struct wall *spans = calloc(links + 1, sizeof(*spans));

	if (!spans)
		return -ENOMEM;
	for (size_t i = 0; i < links; i++)
		if (source->links[i].span.task == SLOW_ENGINE)
			spans[count++] = source->links[i].wall;
	engine_wall_fit(whole, spans, count);
	count = 0;
	for (size_t i = 0; i < links; i++)
		if (source->links[i].span.task == SLOW_ENGINE)
			source->links[i].wall = spans[count++];
	return 0;
}

/* The wall time of each span; one that waits has none. */
static int find_walls(struct slowness_source *source, const struct run_wall *walls)
{
	size_t count = source->facts.link_count;
	CLEANUP(freep) struct run_wall_span *spans = calloc(count + 1, sizeof(*spans));
	CLEANUP(freep) struct wall *found = calloc(count + 1, sizeof(*found));
	int rc;

	if (!spans || !found)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct slow_span *span = &source->links[i].span;

		spans[i] = (struct run_wall_span){
			span->task == SLOW_ENGINE ? "" : source->tasks[span->task].id,
			span->began_at, span->waits ? span->began_at : span->ended_at
		};
	}
	rc = run_wall_spans(walls, spans, count, found);
	for (size_t i = 0; rc == 0 && i < count; i++)
		source->links[i].wall = found[i];
	return rc ? rc : fit_engine(source, run_wall_engine(walls));
}

static int find_links(struct slowness_source *source, struct server *server, const char *id,
		      struct error *err)
{
	CLEANUP(slow_path_clear) struct slow_path path = { 0 };
	CLEANUP(run_wall_putp) struct run_wall *walls = NULL;
	int rc = slow_path_find(&source->dataflow.flow, &path);

	if (rc == 0)
		rc = run_wall_get_images(&walls, server, id, err);
	if (rc)
		return rc;
	source->links = calloc(path.count + 1, sizeof(*source->links));
	if (!source->links)
		return -ENOMEM;
	for (size_t i = 0; i < path.count; i++)
		source->links[i].span = path.spans[i];
	source->facts.links = source->links;
	source->facts.link_count = path.count;
	rc = find_walls(source, walls);
	return rc ? rc : find_slots(source);
}

static int read_all(struct slowness_source *source, struct server *server,
		    const struct finding_run *run, struct error *err)
{
	struct slowness_facts *facts = &source->facts;
	int rc = dataflow_make(&source->dataflow, server, run->id, err);

	facts->run_id = run->id;
	facts->run_name = run->name;
	facts->engine = run->engine;
	facts->wall_ns = (double)(source->dataflow.flow.ended_at - source->dataflow.flow.began_at);
	if (rc == 0)
		rc = slowness_read_hosts(source, server, run->id, err);
	if (rc == 0)
		rc = read_tasks(source, server, run->id, err);
	if (rc == 0)
		rc = find_links(source, server, run->id, err);
	if (rc == 0)
		rc = slowness_read_lists(source, server, run->id, err);
	return rc;
}

int slowness_read(struct server *server, const struct finding_run *run,
		  struct slowness_source **ret, struct error *err)
{
	struct slowness_source *source = calloc(1, sizeof(*source));
	int rc = source ? read_all(source, server, run, err) : -ENOMEM;

	if (rc) {
		slowness_source_free(source);
		return rc == -ENOMEM ? error_set(err, rc, "no memory for what slowed the run") : rc;
	}
	*ret = source;
	return 0;
}

const struct slowness_facts *slowness_source_facts(const struct slowness_source *source)
{
	return &source->facts;
}

void slowness_source_free(struct slowness_source *source)
{
	if (!source)
		return;
	dataflow_clear(&source->dataflow);
	free(source->links);
	free(source->tasks);
	free(source->tools);
	free(source->hosts);
	free(source->others);
	free(source->cgroups);
	free(source->cgroup_ids);
	free(source->devices);
	free(source->files);
	free(source->peers);
	free(source->pipes);
	free(source->stalls);
	for (size_t i = 0; i < source->row_count; i++)
		store_rows_free(source->rows[i]);
	free(source);
}
