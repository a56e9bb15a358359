/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/fleet_source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "cost/price.h"
#include "server/billing/sheet_read.h"
#include "server/query/query.h"

#define HOSTS_MAX  10000
#define TASKS_STEP 1024
#define HELPER     0.25 /* of a CPU: what uses less is no work of its own */

/* How long a host ran tasks. */
struct host_use {
	const char *id;
	double ns;
};

struct reading {
	struct fleet_source *source;
	struct host_use *hosts;
	struct map *index; /* of ids of hosts: its use */
	size_t task_room, run_room;
	const char *run_id; /* of the last row */
};

/* What it asked for; where that is not known, the CPUs that it used. */
static double slots_of(const struct replay_task *task)
{
	double used = task->cpu_ns / (double)(task->ended_at - task->started_at);

	return task->cpus_requested > 0 ? task->cpus_requested : fmax(1, ceil(used - HELPER));
}

static struct replay_task task_of(const struct store_rows *rows)
{
	struct replay_task task = {
		.id = row_text(rows, "id"),
		.step = row_text(rows, "step"),
		.name = "",
		.started_at = row_i64(rows, "started_at"),
		.ended_at = row_i64(rows, "ended_at"),
		.queued_at = row_i64(rows, "queued_at"),
		.cpu_ns = (double)row_i64(rows, "cpu_ns"),
		.cpus_requested = row_double(rows, "cpus_requested"),
		.memory_requested_bytes = (double)row_i64(rows, "memory_requested_bytes"),
		.memory_bytes = (double)row_i64(rows, "memory_charged_bytes"),
	};

	task.slots = slots_of(&task);
	return task;
}

static int add_run(struct reading *reading, const struct store_rows *rows)
{
	struct fleet_source *source = reading->source;

	reading->run_id = row_text(rows, "run_id");
	if (source->run_count == reading->run_room) {
		size_t room = reading->run_room ? 2 * reading->run_room : TASKS_STEP;
		struct replay_run *grown = reallocarray(source->runs, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		source->runs = grown;
		reading->run_room = room;
	}
	source->restartable = source->restartable && *row_text(rows, "engine");
	source->runs[source->run_count++] = (struct replay_run){
		.status = "succeeded",
		.began_at = row_i64(rows, "run_started_at"),
		.ended_at = row_i64(rows, "run_ended_at"),
		.complete = true,
		.engine = { .name = row_text(rows, "engine"), .command = "" },
	};
	return 0;
}

static void use_host(struct reading *reading, const char *id, double ns)
{
	struct map_text_key key = map_text_key(id, strlen(id));
	struct host_use *use = map_get(reading->index, &key);

	if (!*id)
		return;
	if (!use && reading->source->hosts < HOSTS_MAX) {
		use = &reading->hosts[reading->source->hosts];
		*use = (struct host_use){ .id = id };
		if (map_put(reading->index, &key, use))
			return;
		reading->source->hosts++;
	}
	if (use)
		use->ns += ns;
}

static int add_task(struct reading *reading, const struct store_rows *rows)
{
	struct fleet_source *source = reading->source;
	struct replay_task task = task_of(rows);
	struct replay_run *run;

	if (source->task_count == reading->task_room) {
		size_t room = reading->task_room ? 2 * reading->task_room : TASKS_STEP;
		struct replay_task *grown = reallocarray(source->tasks, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		source->tasks = grown;
		reading->task_room = room;
	}
	run = &source->runs[source->run_count - 1];
	run->task_count++;
	run->hosts = 1;
	run->host_cpus = fmax(run->host_cpus, (double)row_i64(rows, "host_cpus"));
	run->host_memory_bytes =
		fmax(run->host_memory_bytes, (double)row_i64(rows, "host_memory_bytes"));
	source->tasks[source->task_count++] = task;
	use_host(reading, row_text(rows, "host_id"), (double)(task.ended_at - task.started_at));
	return 0;
}

/* Once tasks no longer move. */
static void point_runs(struct fleet_source *source)
{
	size_t at = 0;

	for (size_t i = 0; i < source->run_count; i++) {
		source->runs[i].tasks = source->tasks + at;
		at += source->runs[i].task_count;
	}
}

static void choose_host(struct reading *reading)
{
	struct fleet_source *source = reading->source;
	const struct host_use *most = NULL;

	for (size_t i = 0; i < source->hosts; i++)
		if (!most || reading->hosts[i].ns > most->ns)
			most = &reading->hosts[i];
	if (most)
		(void)snprintf(source->host_id, sizeof(source->host_id), "%s", most->id);
}

static int read_rows(struct reading *reading)
{
	struct fleet_source *source = reading->source;
	int rc = 0;

	while (rc == 0 && store_next(source->rows)) {
		const struct store_rows *rows = source->rows;

		if (source->task_count == FLEET_TASKS_MAX) {
			source->cut = true;
			break;
		}
		if (!reading->run_id || strcmp(reading->run_id, row_text(rows, "run_id")) != 0)
			rc = add_run(reading, rows);
		if (rc == 0)
			rc = add_task(reading, rows);
	}
	point_runs(source);
	choose_host(reading);
	return rc;
}

int fleet_source_read(struct fleet_source *source, struct server *server, int64_t since_at,
		      const char *reader, struct error *err)
{
	const struct store_param params[] = { PARAM_TIME("since_at", since_at),
					      PARAM_OPTIONAL("reader", reader),
					      PARAM_I64("limit", FLEET_TASKS_MAX + 1) };
	CLEANUP(freep) struct host_use *hosts = calloc(HOSTS_MAX, sizeof(*hosts));
	struct map *index = map_new_of_texts(HOSTS_MAX);
	struct reading reading = { .source = source, .hosts = hosts, .index = index };
	int rc = hosts && index ? 0 : -ENOMEM;

	*source = (struct fleet_source){ .restartable = true };
	if (rc == 0)
		rc = QUERY(server, "recommend_tasks", params, &source->rows, err);
	if (rc == 0)
		rc = read_rows(&reading);
	map_free(index);
	return rc;
}

void fleet_source_clear(struct fleet_source *source)
{
	free(source->runs);
	free(source->tasks);
	store_rows_free(source->rows);
	*source = (struct fleet_source){ 0 };
}

int fleet_cost_read(struct server *server, int64_t since_at, int64_t until_at, double *ret_usd,
		    struct error *err)
{
	const struct store_param params[] = { PARAM_TIME("since_at", since_at),
					      PARAM_TIME("until_at", until_at) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(sheet_freep) struct sheet *sheet = NULL;
	int rc = sheet_read_hosts(server, &sheet, err);
	double usd = 0;

	if (rc == 0)
		rc = QUERY(server, "activity_hosts", params, &rows, err);
	while (rc == 0 && usd >= 0 && store_next(rows)) {
		size_t at = sheet_host(sheet, row_text(rows, "id"));
		const struct sheet_price *price =
			at == SIZE_MAX ? NULL : sheet_last_price(&sheet->hosts[at]);

		usd = price && price->known
			      ? usd + cost_usd(price->nusd_hour) * row_double(rows, "up_s") / 3600
			      : -1;
	}
	*ret_usd = usd;
	return rc;
}
