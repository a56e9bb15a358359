/* SPDX-License-Identifier: Apache-2.0 */
#include "server/steps/step_task_list.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/query/query.h"
#include "server/query/run_wall.h"

/* The status of a task, and how its attempt ended; of any other it is lost. */
static const struct {
	const char *status;
	enum step_task_end end;
} ENDS[] = {
	{ "running", STEP_TASK_RUNS },  { "stalled", STEP_TASK_RUNS },
	{ "queued", STEP_TASK_RUNS },   { "succeeded", STEP_TASK_SUCCEEDED },
	{ "failed", STEP_TASK_FAILED }, { "killed", STEP_TASK_FAILED },
};

static enum step_task_end end_of(const struct store_rows *rows)
{
	const char *status = row_text(rows, "status");
	enum step_task_end end = STEP_TASK_LOST;

	for (size_t i = 0; i < sizeof(ENDS) / sizeof(ENDS[0]); i++)
		if (strcmp(status, ENDS[i].status) == 0)
			end = ENDS[i].end;
	if (end != STEP_TASK_FAILED)
		return end;
	if (row_bool(rows, "out_of_memory"))
		return STEP_TASK_OUT_OF_MEMORY;
	return row_bool(rows, "out_of_time") ? STEP_TASK_OUT_OF_TIME : end;
}

/* Of a column in which null is "unknown". */
static double known(const struct store_rows *rows, const char *column)
{
	size_t at = store_column(rows, column);

	return store_is_null(rows, at) ? -1 : (double)store_i64(rows, at);
}

/* The same of two that are known together. */
static double known_sum(const struct store_rows *rows, const char *one, const char *other)
{
	double first = known(rows, one), second = known(rows, other);

	return first < 0 || second < 0 ? -1 : first + second;
}

/* An array of numbers, as run_wall_document.c writes them. */
static void read_parts(const char *text, struct step_task *task)
{
	json_t *numbers = *text ? json_loads(text, 0, NULL) : NULL;

	for (size_t i = 0; i < WALL_PARTS && json_array_size(numbers) > WALL_PARTS; i++)
		task->parts[i] = json_number_value(json_array_get(numbers, i));
	task->serial_ns = json_number_value(json_array_get(numbers, WALL_PARTS));
	json_decref(numbers);
}

static struct step_task read_task(const struct store_rows *rows)
{
	struct step_task task = {
		.run_id = row_text(rows, "run_id"),
		.id = row_text(rows, "id"),
		.step = row_text(rows, "step"),
		.name = row_text(rows, "name"),
		.started_at = row_i64(rows, "started_at"),
		.ended_at = row_i64(rows, "ended_at"),
		.queued_at = row_i64(rows, "queued_at"),
		.attempt = (unsigned)row_i64(rows, "attempt"),
		.end = end_of(rows),
		.wall_ns = row_double(rows, "wall_s") * (double)NS_PER_S,
		.cpu_ns = known_sum(rows, "user_ns", "kernel_ns"),
		.input_bytes = known(rows, "input_bytes"),
		.read_bytes = known(rows, "read_bytes"),
		.output_bytes = known(rows, "output_bytes"),
		.memory_peak_bytes = known(rows, "memory_charged_bytes"),
		.disk_read_bytes = known(rows, "disk_read_bytes"),
		.disk_write_bytes = known(rows, "disk_write_bytes"),
		.network_bytes = known_sum(rows, "net_rx_bytes", "net_tx_bytes"),
		.cpus_requested = row_double(rows, "cpus_requested"),
		.memory_requested_bytes = (double)row_i64(rows, "memory_requested_bytes"),
		.requested_by = row_text(rows, "requested_by"),
		.host_cpus = (double)row_i64(rows, "host_cpus"),
		.host_memory_bytes = (double)row_i64(rows, "host_memory_bytes"),
		.host_type = row_text(rows, "host_type"),
		.tools = row_text(rows, "versions"),
		.arguments = row_text(rows, "arguments"),
	};

	read_parts(row_text(rows, "wall"), &task);
	return task;
}

static int read_rows(struct step_task_list *list)
{
	size_t capacity = 0;

	while (store_next(list->rows)) {
		struct step_task *more = list->items;

		if (list->count == STEP_TASKS_MAX) {
			list->cut = true;
			break;
		}
		if (list->count == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			more = realloc(more, capacity * sizeof(*more));
			if (!more)
				return -ENOMEM;
			list->items = more;
		}
		more[list->count++] = read_task(list->rows);
	}
	return 0;
}

/* The wall time of the tasks, as the pages of the run have it. */
static int read_walls(struct step_task_list *list, struct server *server, const char *run_id,
		      struct error *err)
{
	CLEANUP(run_wall_putp) struct run_wall *walls = NULL;
	int rc = list->count ? run_wall_get(&walls, server, run_id, err) : 0;

	for (size_t i = 0; rc == 0 && i < list->count; i++) {
		const struct wall *wall = run_wall_task(walls, list->items[i].id);

		if (!wall)
			continue;
		memcpy(list->items[i].parts, wall->ns, sizeof(wall->ns));
		list->items[i].serial_ns = wall->serial_ns;
	}
	return rc;
}

int step_tasks_of_run(struct server *server, const char *run_id, const char *step,
		      struct step_task_list *ret, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", run_id),
					      PARAM_OPTIONAL("step", step),
					      PARAM_I64("limit", STEP_TASKS_MAX + 1) };
	int rc = QUERY(server, "step_tasks", params, &ret->rows, err);

	if (rc == 0 && read_rows(ret))
		rc = error_set(err, -ENOMEM, "no memory for the tasks of the run");
	return rc ? rc : read_walls(ret, server, run_id, err);
}

int step_tasks_of_history(struct server *server, const struct history_scope *scope,
			  struct step_task_list *ret, struct error *err)
{
	const struct store_param params[] = {
		PARAM_TEXT("pipeline", scope->pipeline),
		PARAM_OPTIONAL("step", scope->step),
		PARAM_OPTIONAL("except", scope->except),
		{ .name = "before",
		  .type = scope->before_at ? STORE_TIME : STORE_NULL,
		  .i64 = scope->before_at },
		PARAM_OPTIONAL("owner", scope->owner),
		PARAM_OPTIONAL("labels", scope->labels),
		PARAM_OPTIONAL("reader", scope->reader),
		PARAM_I64("runs", HISTORY_RUNS_MAX),
		PARAM_I64("limit", STEP_TASKS_MAX + 1),
	};
	int rc = QUERY(server, "step_history", params, &ret->rows, err);

	if (rc == 0 && read_rows(ret))
		rc = error_set(err, -ENOMEM, "no memory for the history of the pipeline");
	return rc;
}

void step_tasks_clear(struct step_task_list *list)
{
	free(list->items);
	store_rows_free(list->rows);
	*list = (struct step_task_list){ 0 };
}
