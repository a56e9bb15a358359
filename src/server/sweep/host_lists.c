/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/host_lists.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "cloud/cloud.h"
#include "server/query/query.h"
#include "server/sweep/host_read.h"
#include "server/sweep/item_list.h"

#define LIST_MAX 100000 /* of each kind: more are not looked at */

struct reading {
	struct server *server;
	struct sweep_hosts *hosts;
	struct map *index; /* struct sweep_host */
	int64_t now_at;
};

static struct sweep_host *find_host(const struct reading *reading, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));

	return map_get(reading->index, &key);
}

static int index_hosts(struct reading *reading)
{
	struct sweep_hosts *hosts = reading->hosts;
	int rc = 0;

	reading->index = map_new_of_texts(hosts->count + 1);
	if (!reading->index)
		return -ENOMEM;
	for (size_t i = 0; rc == 0 && i < hosts->count; i++) {
		const char *id = hosts->hosts[i].id;
		struct map_text_key key = map_text_key(id, strlen(id));

		rc = map_put(reading->index, &key, &hosts->hosts[i]);
	}
	return rc;
}

/* since_at < 0: the query has no such parameter. */
static int ask(struct reading *reading, const char *query, int64_t since_at,
	       struct store_rows **ret, struct error *err)
{
	const struct store_param params[] = { PARAM_TIME("now_at", reading->now_at),
					      PARAM_TIME("since_at", since_at) };
	struct sweep_hosts *hosts = reading->hosts;
	int rc = query_named(reading->server, query, params, since_at < 0 ? 1 : 2,
			     &hosts->rows[hosts->row_count], err);

	if (rc == 0)
		*ret = hosts->rows[hosts->row_count++];
	return rc;
}

static int read_work(struct reading *reading, struct error *err)
{
	struct store_rows *rows;
	int rc = ask(reading, "waste_work",
		     reading->now_at - (int64_t)SWEEP_HOURS * 3600 * NS_PER_S, &rows, err);

	while (rc == 0 && store_next(rows)) {
		struct sweep_host *host = find_host(reading, row_text(rows, "host_id"));

		if (!host)
			continue;
		host->users = row_text(rows, "users");
		host->runs_engine = row_bool(rows, "runs_engine");
		host->tasks_ended = (uint64_t)row_i64(rows, "tasks_ended");
		host->tasks_restartable = (uint64_t)row_i64(rows, "tasks_restartable");
		host->task_p95_s = row_double(rows, "task_p95_s");
	}
	return rc;
}

static struct sweep_gpu gpu_of(const struct store_rows *rows, const struct sweep_host *host)
{
	int64_t known_until = row_i64(rows, "known_until");
	int64_t reserved_at = row_i64(rows, "reserved_at");

	return (struct sweep_gpu){
		.uuid = row_text(rows, "uuid"),
		.name = row_text(rows, "name"),
		.known = known_until > 0 && known_until >= host->seen_at - 60 * NS_PER_S,
		.since_at = row_i64(rows, "known_since"),
		.busy_until = row_i64(rows, "busy_until"),
		.reserved = reserved_at > 0,
		.reserved_at = reserved_at,
		.run_id = row_text(rows, "run_id"),
		.task_id = row_text(rows, "task_id"),
		.work = row_text(rows, "work"),
		.user = row_text(rows, "user"),
		.labels = row_text(rows, "labels"),
		.pid = row_i64(rows, "pid"),
		.nusd_hour = -1,
	};
}

/* What the GPUs are of the price of their host, in equal parts. */
static void price_gpus(struct sweep_host *host, struct sweep_gpu *gpus)
{
	const struct cloud_size size = { host->cpus, (double)host->gpu_count, host->memory_bytes };
	uint32_t ppm[CLOUD_WEIGHTS];

	if (host->nusd_hour < 0)
		return;
	cloud_weights(host->provider, host->instance_type, &size, ppm);
	for (size_t i = 0; i < host->gpu_count; i++)
		gpus[i].nusd_hour = (int64_t)((double)host->nusd_hour * ppm[CLOUD_GPU] / 1e6 /
					      (double)host->gpu_count);
}

/* Those of a host are next to each other. */
static int read_gpus(struct reading *reading, struct error *err)
{
	struct sweep_hosts *hosts = reading->hosts;
	struct store_rows *rows;
	struct sweep_host *host = NULL;
	size_t count = 0, taken = 0;
	int rc = ask(reading, "waste_gpus",
		     reading->now_at - (int64_t)SWEEP_MINUTES * 60 * NS_PER_S, &rows, err);

	if (rc == 0)
		rc = item_list_of_rows(rows, LIST_MAX, sizeof(*hosts->gpus), &hosts->gpus, &count);
	while (rc == 0 && taken < count && store_next(rows)) {
		struct sweep_host *of = find_host(reading, row_text(rows, "host_id"));

		if (!of) {
			count--;
			continue;
		}
		if (of != host)
			of->gpus = &hosts->gpus[taken];
		host = of;
		hosts->gpus[taken++] = gpu_of(rows, host);
		host->gpu_count++;
	}
	for (size_t i = 0; rc == 0 && i < hosts->count; i++)
		if (hosts->hosts[i].gpu_count)
			price_gpus(&hosts->hosts[i],
				   &hosts->gpus[hosts->hosts[i].gpus - hosts->gpus]);
	return rc;
}

static struct sweep_session session_of(const struct store_rows *rows, const struct sweep_host *host)
{
	int memory = store_column(rows, "memory_bytes");

	return (struct sweep_session){
		.run_id = row_text(rows, "run_id"),
		.host_id = row_text(rows, "host_id"),
		.user = row_text(rows, "user"),
		.command = row_text(rows, "command"),
		.labels = row_text(rows, "labels"),
		.started_at = row_i64(rows, "started_at"),
		.used_until = row_i64(rows, "used_until"),
		.known_until = host ? host->seen_at : 0,
		.memory_bytes =
			store_is_null(rows, (size_t)memory) ? -1 : row_i64(rows, "memory_bytes"),
		.pid = row_i64(rows, "pid"),
		.notebook = row_bool(rows, "notebook"),
	};
}

static int read_sessions(struct reading *reading, struct error *err)
{
	struct sweep_hosts *hosts = reading->hosts;
	struct store_rows *rows;
	size_t count = 0;
	int rc = ask(reading, "waste_sessions", -1, &rows, err);

	if (rc == 0)
		rc = item_list_of_rows(rows, LIST_MAX, sizeof(*hosts->sessions), &hosts->sessions,
				       &count);
	while (rc == 0 && hosts->session_count < count && store_next(rows))
		hosts->sessions[hosts->session_count++] =
			session_of(rows, find_host(reading, row_text(rows, "host_id")));
	return rc;
}

static enum sweep_queue_for waits_for(const char *name)
{
	return strcmp(name, "slurm") == 0    ? QUEUE_SLURM
	       : strcmp(name, "engine") == 0 ? QUEUE_ENGINE
					     : QUEUE_OTHER;
}

static int read_queues(struct reading *reading, struct error *err)
{
	struct sweep_hosts *hosts = reading->hosts;
	struct store_rows *rows;
	size_t count = 0;
	int rc = ask(reading, "waste_queues", -1, &rows, err);

	if (rc == 0)
		rc = item_list_of_rows(rows, LIST_MAX, sizeof(*hosts->queues), &hosts->queues,
				       &count);
	while (rc == 0 && hosts->queue_count < count && store_next(rows))
		hosts->queues[hosts->queue_count++] = (struct sweep_queue){
			.run_id = row_text(rows, "run_id"),
			.run_name = row_text(rows, "run_name"),
			.engine = row_text(rows, "engine"),
			.user = row_text(rows, "user"),
			.waits_for = waits_for(row_text(rows, "waits_for")),
			.tasks = (size_t)row_i64(rows, "tasks"),
			.queued_at = row_i64(rows, "queued_at"),
			.cpus = row_double(rows, "cpus"),
			.memory_bytes = (uint64_t)row_i64(rows, "memory_bytes"),
			.task_limit = row_i64(rows, "task_limit"),
			.host_id = row_text(rows, "host_id"),
			.running = (size_t)row_i64(rows, "running"),
		};
	return rc;
}

int host_lists_read(struct server *server, int64_t now_at, struct sweep_hosts *hosts,
		    struct error *err)
{
	struct reading reading = { server, hosts, NULL, now_at };
	int rc = index_hosts(&reading);

	if (rc == 0)
		rc = read_work(&reading, err);
	if (rc == 0)
		rc = read_gpus(&reading, err);
	if (rc == 0)
		rc = read_sessions(&reading, err);
	if (rc == 0)
		rc = read_queues(&reading, err);
	map_free(reading.index);
	return rc;
}
