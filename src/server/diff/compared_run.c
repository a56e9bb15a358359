/* SPDX-License-Identifier: Apache-2.0 */
#include "server/diff/compared_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "findings/input.h"
#include "server/query/run.h"

DEFINE_CLEANUP(struct map *, map_free)

static struct map_text_key key_of(const char *id)
{
	return map_text_key(id, strlen(id));
}

/* 1 + the number of each task, by its id. */
static int index_tasks(const struct step_task_list *list, struct map *index)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < list->count; i++) {
		struct map_text_key key = key_of(list->items[i].id);

		rc = map_put(index, &key, (void *)(uintptr_t)(1 + i));
	}
	return rc;
}

/* A task of which the list of tasks has no more than the path says. */
static struct step_task bare_task(const struct slow_task *task)
{
	return (struct step_task){ .run_id = "",
				   .id = task->id,
				   .step = task->step,
				   .name = task->name,
				   .end = STEP_TASK_LOST,
				   .wall_ns = task->wall_ns,
				   .cpu_ns = -1,
				   .input_bytes = -1,
				   .read_bytes = -1,
				   .memory_peak_bytes = -1,
				   .disk_read_bytes = -1,
				   .disk_write_bytes = -1,
				   .network_bytes = -1,
				   .output_bytes = -1,
				   .requested_by = "",
				   .host_type = "",
				   .tools = "",
				   .arguments = "" };
}

/* The place of each task of the path; what the list lacks is added behind. */
static void place_tasks(struct compared_run *compared, const struct slowness_facts *facts,
			struct map *index, size_t *places)
{
	struct diff_run *run = &compared->run;

	for (size_t i = 0; i < facts->task_count; i++) {
		const struct slow_task *task = &facts->tasks[i];
		struct map_text_key key = key_of(task->id);
		size_t number = (size_t)(uintptr_t)map_get(index, &key);
		const struct slow_figures *figures = &task->figures;

		if (!number) {
			compared->tasks[run->task_count] = bare_task(task);
			compared->shared_disk[run->task_count] = -1;
			number = ++run->task_count;
		}
		places[i] = number - 1;
		if (figures->executions > 0)
			compared->shared_disk[number - 1] =
				figures->disk_ns > 0 ? figures->disk_shared_ns / figures->disk_ns
						     : 0;
	}
}

static void make_spans(struct compared_run *compared, const struct slowness_facts *facts,
		       const size_t *places)
{
	struct diff_run *run = &compared->run;

	for (size_t i = 0; i < facts->link_count; i++) {
		struct diff_span *span = &compared->spans[i];

		*span = (struct diff_span){ facts->links[i].span, facts->links[i].wall };
		if (span->span.task != SLOW_ENGINE)
			span->span.task = places[span->span.task];
		run->wall_ns += span->span.ended_at - span->span.began_at;
	}
	run->spans = compared->spans;
	run->span_count = facts->link_count;
}

static int make(struct compared_run *compared, const struct slowness_facts *facts)
{
	size_t most = compared->list.count + facts->task_count;
	CLEANUP(map_freep) struct map *index = map_new_of_texts(compared->list.count + 1);
	CLEANUP(freep) size_t *places = calloc(facts->task_count + 1, sizeof(*places));

	compared->tasks = calloc(most + 1, sizeof(*compared->tasks));
	compared->shared_disk = calloc(most + 1, sizeof(*compared->shared_disk));
	compared->spans = calloc(facts->link_count + 1, sizeof(*compared->spans));
	if (!index || !places || !compared->tasks || !compared->shared_disk || !compared->spans ||
	    index_tasks(&compared->list, index))
		return -ENOMEM;
	for (size_t i = 0; i < compared->list.count; i++) {
		compared->tasks[i] = compared->list.items[i];
		compared->shared_disk[i] = -1;
	}
	compared->run.task_count = compared->list.count;
	place_tasks(compared, facts, index, places);
	make_spans(compared, facts, places);
	compared->run.tasks = compared->tasks;
	compared->run.shared_disk = compared->shared_disk;
	return 0;
}

static void set_head(struct compared_run *compared, const struct slowness_facts *facts)
{
	static const char *const NOT_ENDED[] = { "queued", "running", "stalled", NULL };
	struct diff_run *run = &compared->run;

	run->id = row_text(compared->head, "id");
	run->pipeline = row_text(compared->head, "pipeline");
	run->engine = row_text(compared->head, "engine");
	run->running = text_is_one_of(row_text(compared->head, "status"), NOT_ENDED);
	run->slots = facts->slots > 0 ? facts->slots : -1;
	for (size_t i = 0; i < facts->host_count; i++)
		run->cpus += facts->hosts[i].cpus;
	if (!(run->cpus > 0))
		run->cpus = -1; /* not known */
}

int compared_run_read(struct compared_run *compared, struct server *server, const char *id,
		      struct error *err)
{
	const struct slowness_facts *facts;
	int rc = run_query_row(server, "run_head", id, &compared->head, err);

	if (rc)
		return rc;
	const struct finding_run run = { .id = row_text(compared->head, "id"),
					 .name = row_text(compared->head, "name"),
					 .engine = row_text(compared->head, "engine"),
					 .status = row_text(compared->head, "status") };

	rc = slowness_read(server, &run, &compared->slowness, err);
	if (rc == 0)
		rc = step_tasks_of_run(server, id, NULL, &compared->list, err);
	if (rc)
		return rc;
	facts = slowness_source_facts(compared->slowness);
	set_head(compared, facts);
	return make(compared, facts) ? error_set(err, -ENOMEM, "no memory for a run") : 0;
}

void compared_run_clear(struct compared_run *compared)
{
	free(compared->tasks);
	free(compared->shared_disk);
	free(compared->spans);
	step_tasks_clear(&compared->list);
	slowness_source_free(compared->slowness);
	store_rows_free(compared->head);
	*compared = (struct compared_run){ 0 };
}
