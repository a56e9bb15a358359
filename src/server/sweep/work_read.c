/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/work_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/query/query.h"
#include "server/server.h"
#include "server/sweep/held_price.h"
#include "server/sweep/host_read.h"
#include "server/sweep/item_list.h"
#include "sweep/sweep_policy.h"

/* More of each are not looked at: those with the longest wall time, or the most bytes, come first.
 */
#define TASKS_MAX   20000
#define REPEATS_MAX 1000
#define FOLDERS_MAX 200

struct reading {
	struct server *server;
	const struct sweep_hosts *hosts;
	struct sweep_work *work;
	int64_t now_at;
};

void sweep_work_clear(struct sweep_work *work)
{
	for (size_t i = 0; i < work->row_count; i++)
		store_rows_free(work->rows[i]);
	free(work->tasks);
	free(work->repeats);
	free(work->folders);
	*work = (struct sweep_work){ 0 };
}

static const struct sweep_host *find_host(const struct reading *reading, const char *id)
{
	for (size_t i = 0; i < reading->hosts->count; i++)
		if (strcmp(reading->hosts->hosts[i].id, id) == 0)
			return &reading->hosts->hosts[i];
	return NULL;
}

/* The rows of a query stay the work's; *ret_items has room for all of them. */
static int ask(struct reading *reading, const char *query, const struct store_param *params,
	       size_t count, size_t size, void **ret_items, struct store_rows **ret,
	       struct error *err)
{
	struct sweep_work *work = reading->work;
	size_t rows = 0;
	int rc = query_named(reading->server, query, params, count, &work->rows[work->row_count],
			     err);

	if (rc)
		return rc;
	*ret = work->rows[work->row_count++];
	return item_list_of_rows(*ret, SIZE_MAX, size, ret_items, &rows);
}
#define ASK(reading, query, params, items, rows, err)                                             \
	ask((reading), (query), (params), sizeof(params) / sizeof((params)[0]), sizeof(*(items)), \
	    (void **)&(items), (rows), (err))

static double larger(double one, double other)
{
	return one > other ? one : other;
}

/* Of the whole host where nothing else is on it: then it is up for this task. */
static int64_t price_task(const struct reading *reading, const struct store_rows *rows,
			  const struct sweep_task *task)
{
	const struct sweep_host *host = find_host(reading, task->host_id);
	const struct held held = {
		.cpus = larger(task->cpus_requested, row_double(rows, "cpus")),
		.memory_bytes =
			larger((double)task->memory_requested_bytes, (double)task->memory_bytes),
	};

	if (!host)
		return -1;
	return row_bool(rows, "alone") ? host->nusd_hour : held_nusd_hour(host, &held);
}

static struct sweep_task task_of(const struct store_rows *rows)
{
	return (struct sweep_task){
		.id = row_text(rows, "id"),
		.run_id = row_text(rows, "run_id"),
		.host_id = row_text(rows, "host_id"),
		.step = row_text(rows, "step"),
		.name = row_text(rows, "name"),
		.sample = row_text(rows, "sample"),
		.user = row_text(rows, "user"),
		.engine = row_text(rows, "engine"),
		.pipeline = row_text(rows, "pipeline"),
		.labels = row_text(rows, "labels"),
		.run_name = row_text(rows, "run_name"),
		.run_status = row_text(rows, "run_status"),
		.runtime = row_text(rows, "runtime"),
		.job_id = row_text(rows, "job_id"),
		.container = row_text(rows, "container"),
		.pids = row_text(rows, "pids"),
		.pid = row_i64(rows, "pid"),
		.started_at = row_i64(rows, "started_at"),
		.run_ended_at = row_i64(rows, "run_ended_at"),
		.progress_at = row_i64(rows, "progress_at"),
		.known_until = row_i64(rows, "known_until"),
		.complete = row_bool(rows, "complete"),
		.wakes = row_i64(rows, "wakes"),
		.stall = row_text(rows, "stall"),
		.wait = row_text(rows, "wait"),
		.cpus_requested = row_double(rows, "cpus_requested"),
		.memory_requested_bytes = (uint64_t)row_i64(rows, "memory_requested_bytes"),
		.memory_bytes = (uint64_t)row_i64(rows, "memory_bytes"),
		.history = (size_t)row_i64(rows, "history"),
		.wall_p95_s = row_double(rows, "wall_p95_s"),
		.wait_max_s = row_double(rows, "wait_max_s"),
	};
}

static int read_tasks(struct reading *reading, struct error *err)
{
	const struct store_param params[] = { PARAM_TIME("now_at", reading->now_at),
					      PARAM_I64("limit", TASKS_MAX) };
	struct sweep_work *work = reading->work;
	struct store_rows *rows;
	int rc = ASK(reading, "waste_tasks", params, work->tasks, &rows, err);

	while (rc == 0 && store_next(rows)) {
		struct sweep_task *task = &work->tasks[work->task_count++];

		*task = task_of(rows);
		task->nusd_hour = price_task(reading, rows, task);
	}
	return rc;
}

static struct sweep_repeat repeat_of(const struct store_rows *rows)
{
	return (struct sweep_repeat){
		.id = row_text(rows, "id"),
		.step = row_text(rows, "step"),
		.tool = row_text(rows, "tool"),
		.version = row_text(rows, "version"),
		.first_run_id = row_text(rows, "first_run_id"),
		.first_run = row_text(rows, "first_run"),
		.first_user = row_text(rows, "first_user"),
		.first_ended_at = row_i64(rows, "first_ended_at"),
		.run_id = row_text(rows, "run_id"),
		.run_name = row_text(rows, "run_name"),
		.task_id = row_text(rows, "task_id"),
		.users = row_text(rows, "users"),
		.tasks = (size_t)row_i64(rows, "tasks"),
		.inputs = (size_t)row_i64(rows, "inputs"),
		.input_bytes = (uint64_t)row_i64(rows, "input_bytes"),
		.same_files = row_bool(rows, "same_files"),
		.same_outputs = row_bool(rows, "same_outputs"),
		.rewritten = row_bool(rows, "rewritten"),
		.since_at = row_i64(rows, "since_at"),
		.until_at = row_i64(rows, "until_at"),
		.wall_s = row_double(rows, "wall_s"),
		.engine = row_text(rows, "engine"),
		.command = row_text(rows, "command"),
		.pipeline = row_text(rows, "pipeline"),
		.labels = row_text(rows, "labels"),
		.folder = row_text(rows, "folder"),
	};
}

/* What the tasks of a row held of a host, as the mean over the wall time of the step. */
static int64_t price_row(const struct reading *reading, const struct store_rows *rows)
{
	const struct sweep_host *host = find_host(reading, row_text(rows, "host_id"));
	double wall_s = row_double(rows, "wall_s");
	const struct held held = {
		.cpus = wall_s > 0 ? row_double(rows, "cpu_s") / wall_s : 0,
		.memory_bytes = wall_s > 0 ? row_double(rows, "byte_s") / wall_s : 0,
		.gpus = wall_s > 0 ? row_double(rows, "gpu_s") / wall_s : 0,
	};
	int64_t nusd_hour = host ? held_nusd_hour(host, &held) : -1;

	return nusd_hour < 0 ? -1 : (int64_t)((double)nusd_hour * wall_s / 3600 + 0.5);
}

static bool is_of(const struct sweep_repeat *repeat, const char *id)
{
	return repeat->id && strcmp(repeat->id, id) == 0;
}

static void add_cost(struct sweep_repeat *repeat, int64_t nusd)
{
	repeat->wasted_nusd = nusd < 0 || repeat->wasted_nusd < 0 ? -1 : repeat->wasted_nusd + nusd;
}

/* A step has a row for each of its hosts, one behind the other. */
static int read_repeats(struct reading *reading, struct error *err)
{
	const struct store_param params[] = {
		PARAM_TIME("since_at", reading->now_at - SWEEP_HOURS * 3600 * NS_PER_S),
		PARAM_TIME("now_at", reading->now_at), PARAM_I64("limit", REPEATS_MAX)
	};
	struct sweep_work *work = reading->work;
	struct store_rows *rows;
	int rc = ASK(reading, "waste_repeats", params, work->repeats, &rows, err);

	while (rc == 0 && store_next(rows)) {
		size_t count = work->repeat_count;
		int64_t nusd = price_row(reading, rows);

		if (count == 0 || !is_of(&work->repeats[count - 1], row_text(rows, "id")))
			work->repeats[work->repeat_count++] = repeat_of(rows);
		add_cost(&work->repeats[work->repeat_count - 1], nusd);
	}
	return rc;
}

static int read_folders(struct reading *reading, struct error *err)
{
	const double *limits = reading->server->waste_policy->thresholds;
	double patience_s = limits[SWEEP_UNREAD_SCRATCH_S] < limits[SWEEP_UNREAD_PATIENCE_S]
				    ? limits[SWEEP_UNREAD_SCRATCH_S]
				    : limits[SWEEP_UNREAD_PATIENCE_S];
	const struct store_param params[] = {
		PARAM_TIME("now_at", reading->now_at),
		PARAM_TIME("unused_since", reading->now_at - (int64_t)(patience_s * 1e9)),
		PARAM_I64("bytes", (int64_t)limits[SWEEP_UNREAD_BYTES]),
		PARAM_I64("limit", FOLDERS_MAX)
	};
	struct sweep_work *work = reading->work;
	struct store_rows *rows;
	int rc = ASK(reading, "waste_folders", params, work->folders, &rows, err);

	while (rc == 0 && store_next(rows))
		work->folders[work->folder_count++] = (struct sweep_folder){
			.host_id = row_text(rows, "host_id"),
			.path = row_text(rows, "path"),
			.user = row_text(rows, "user"),
			.run_id = row_text(rows, "run_id"),
			.run_name = row_text(rows, "run_name"),
			.pipeline = row_text(rows, "pipeline"),
			.labels = row_text(rows, "labels"),
			.files = (size_t)row_i64(rows, "files"),
			.bytes = (uint64_t)row_i64(rows, "bytes"),
			.written_at = row_i64(rows, "written_at"),
			.read_at = row_i64(rows, "read_at"),
			.known_since = row_i64(rows, "known_since"),
			.scratch = row_bool(rows, "scratch"),
		};
	return rc;
}

int sweep_work_read(struct server *server, int64_t now_at, const struct sweep_hosts *hosts,
		    struct sweep_work *ret, struct error *err)
{
	struct reading reading = { server, hosts, ret, now_at };
	int rc = read_tasks(&reading, err);

	if (rc == 0)
		rc = read_repeats(&reading, err);
	if (rc == 0)
		rc = read_folders(&reading, err);
	return rc == -ENOMEM && !err->text[0] ? error_set(err, rc, "work: no memory") : rc;
}
