/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#include "server/findings/slowness_source.h"

#define HOSTS_MAX   1000
#define OTHERS_MAX  200
#define TOOLS_MAX   10000
#define DEVICES_MAX 1000
#define FILES_MAX   3000
#define PEERS_MAX   1000
#define STALLS_MAX  1000
#define CGROUPS_MAX 1000

size_t slowness_host(const struct slowness_source *source, const char *id)
{
	for (size_t i = 0; i < source->facts.host_count; i++)
		if (strcmp(source->hosts[i].id, id) == 0)
			return i;
	return SLOW_NONE;
}

static struct slow_host host_of(const struct store_rows *rows)
{
#define READ(column) .column = row_double(rows, #column)
	return (struct slow_host){ .id = row_text(rows, "id"),
				   .name = row_text(rows, "name"),
				   READ(cpus),
				   READ(own_ns),
				   READ(sampled_ns),
				   READ(busy_ns),
				   READ(steal_ns),
				   READ(inside_ns),
				   READ(inside_idle_ns),
				   READ(tracked_ns),
				   READ(agent_ns),
				   READ(disk_busy_ns),
				   READ(block_requests),
				   READ(block_tracked_requests),
				   READ(memory_pressure_ns),
				   READ(io_pressure_ns) };
#undef READ
}

static int read_hosts(struct slowness_source *source, struct server *server, const char *id,
		      struct error *err)
{
	struct store_rows *rows;
	size_t count = 0;
	int rc = slowness_query(source, server, "slowness_hosts", id, HOSTS_MAX, &rows, err);

	while (rc == 0 && store_next(rows)) {
		if (!SLOWNESS_ROOM(source->hosts, count))
			return -ENOMEM;
		source->hosts[count++] = host_of(rows);
	}
	source->facts.hosts = source->hosts;
	source->facts.host_count = count;
	return rc;
}

static int read_others(struct slowness_source *source, struct server *server, const char *id,
		       struct error *err)
{
	struct store_rows *rows;
	size_t count = 0;
	int rc = slowness_query(source, server, "slowness_others", id, OTHERS_MAX, &rows, err);

	while (rc == 0 && store_next(rows)) {
		if (!SLOWNESS_ROOM(source->others, count))
			return -ENOMEM;
		source->others[count++] = (struct slow_other){
			.host = slowness_host(source, row_text(rows, "host_id")),
			.is_run = row_bool(rows, "is_run"),
			.name = row_text(rows, "name"),
			.cpu_ns = row_double(rows, "cpu_ns"),
		};
	}
	source->facts.others = source->others;
	source->facts.other_count = count;
	return rc;
}

static int read_cgroups(struct slowness_source *source, struct server *server, const char *id,
			struct error *err)
{
	struct store_rows *rows;
	size_t count = 0;
	int rc = slowness_query_page(source, server, "containers", id, CGROUPS_MAX, &rows, err);

	while (rc == 0 && store_next(rows)) {
		if (!SLOWNESS_ROOM(source->cgroups, count) ||
		    !SLOWNESS_ROOM(source->cgroup_ids, count))
			return -ENOMEM;
		source->cgroup_ids[count] = row_i64(rows, "cgroup_id");
#define READ(field, column) .field = (double)row_i64(rows, #column)
		source->cgroups[count++] = (struct slow_cgroup){
			.path = row_text(rows, "path"),
			.cpu_limit = row_double(rows, "cpu_limit"),
			READ(memory_limit_bytes, memory_limit_bytes),
			READ(memory_peak_bytes, memory_peak_bytes),
			READ(periods, cpu_periods),
			READ(throttled_periods, cpu_throttled_periods),
			READ(throttled_ns, cpu_throttled_ns),
			READ(memory_high_events, memory_high_events),
			READ(memory_max_events, memory_max_events),
			READ(memory_pressure_full_ns, memory_pressure_full_ns),
		};
#undef READ
	}
	source->facts.cgroups = source->cgroups;
	source->facts.cgroup_count = count;
	return rc;
}

int slowness_read_hosts(struct slowness_source *source, struct server *server, const char *id,
			struct error *err)
{
	int rc = read_hosts(source, server, id, err);

	if (rc == 0)
		rc = read_others(source, server, id, err);
	return rc ? rc : read_cgroups(source, server, id, err);
}

static int read_tools(struct slowness_source *source, struct server *server, const char *id,
		      struct error *err)
{
	struct store_rows *rows;
	size_t count = 0;
	int rc = slowness_query(source, server, "slowness_tools", id, TOOLS_MAX, &rows, err);

	while (rc == 0 && store_next(rows)) {
		if (!SLOWNESS_ROOM(source->tools, count))
			return -ENOMEM;
		source->tools[count++] =
			(struct slow_tool){ row_text(rows, "step"), row_text(rows, "name"),
					    slowness_figures(rows) };
	}
	source->facts.tools = source->tools;
	source->facts.tool_count = count;
	return rc;
}

/* Of buckets of a histogram (docs/signal.md, latencies) the one below which a tenth of the requests
 * is: its upper end. */
static double quiet_ns(const char *latencies, double requests)
{
	double seen = 0, most_us = 1;

	for (const char *at = latencies; *at; at++) {
		char *end;
		double count;

		if (*at != '[' && *at != ',')
			continue;
		count = strtod(at + 1, &end);
		seen += count;
		if (seen >= requests / 10 && seen > 0)
			break;
		most_us *= 2;
	}
	return most_us * (double)NS_PER_US;
}

static int read_devices(struct slowness_source *source, struct server *server, const char *id,
			struct error *err)
{
	struct store_rows *rows;
	size_t count = 0;
	int rc = slowness_query(source, server, "slowness_devices", id, DEVICES_MAX, &rows, err);

	while (rc == 0 && store_next(rows)) {
		double requests = (double)row_i64(rows, "requests");

		if (!SLOWNESS_ROOM(source->devices, count))
			return -ENOMEM;
		if (!(requests > 0))
			continue;
		source->devices[count++] = (struct slow_device){
			.step = row_text(rows, "step"),
			.name = row_text(rows, "name"),
			.operation = row_text(rows, "operation"),
			.requests = requests,
			.bytes = (double)row_i64(rows, "bytes"),
			.latency_ns = (double)row_i64(rows, "latency_ns"),
			.quiet_ns = quiet_ns(row_text(rows, "latencies"), requests),
		};
	}
	source->facts.devices = source->devices;
	source->facts.device_count = count;
	return rc;
}

static int read_files(struct slowness_source *source, struct server *server, const char *id,
		      struct error *err)
{
	struct store_rows *rows;
	size_t count = 0;
	int rc = slowness_query(source, server, "slowness_files", id, FILES_MAX, &rows, err);

	while (rc == 0 && store_next(rows)) {
		if (!SLOWNESS_ROOM(source->files, count))
			return -ENOMEM;
		source->files[count++] =
			(struct slow_file){ row_text(rows, "step"), row_text(rows, "path"),
					    (double)row_i64(rows, "moved_bytes"),
					    row_bool(rows, "reads"), row_bool(rows, "writes") };
	}
	source->facts.files = source->files;
	source->facts.file_count = count;
	return rc;
}

static bool has_connected(const struct slowness_facts *facts)
{
	for (size_t i = 0; i < facts->tool_count; i++)
		if (facts->tools[i].figures.net_connects > 0)
			return true;
	return false;
}

/* Most runs make no connection, and a query costs some milliseconds. */
static int read_peers(struct slowness_source *source, struct server *server, const char *id,
		      struct error *err)
{
	struct store_rows *rows;
	size_t count = 0;
	int rc;

	if (!has_connected(&source->facts))
		return 0;
	rc = slowness_query(source, server, "slowness_peers", id, PEERS_MAX, &rows, err);
	while (rc == 0 && store_next(rows)) {
		if (!SLOWNESS_ROOM(source->peers, count))
			return -ENOMEM;
		source->peers[count++] =
			(struct slow_peer){ row_text(rows, "step"), row_text(rows, "peer"),
					    (double)row_i64(rows, "connects"),
					    (double)row_i64(rows, "bytes") };
	}
	source->facts.peers = source->peers;
	source->facts.peer_count = count;
	return rc;
}

static int read_stalls(struct slowness_source *source, struct server *server, const char *id,
		       struct error *err)
{
	struct store_rows *rows;
	size_t count = 0;
	int rc = slowness_query(source, server, "slowness_stalls", id, STALLS_MAX, &rows, err);

	while (rc == 0 && store_next(rows)) {
		int64_t until_at = row_i64(rows, "until_at");

		if (!SLOWNESS_ROOM(source->stalls, count))
			return -ENOMEM;
		source->stalls[count++] = (struct slow_stall){
			.task_id = row_text(rows, "task_id"),
			.summary = row_text(rows, "summary"),
			.pid = row_i64(rows, "pid"),
			.start_ns = row_i64(rows, "start_ns"),
			.since_at = row_i64(rows, "since_at"),
			.until_at = until_at ? until_at : source->dataflow.flow.ended_at,
			.ended = until_at > 0,
		};
	}
	source->facts.stalls = source->stalls;
	source->facts.stall_count = count;
	return rc;
}

int slowness_read_lists(struct slowness_source *source, struct server *server, const char *id,
			struct error *err)
{
	int rc = read_tools(source, server, id, err);

	if (rc == 0)
		rc = read_devices(source, server, id, err);
	if (rc == 0)
		rc = read_files(source, server, id, err);
	if (rc == 0)
		rc = read_peers(source, server, id, err);
	if (rc == 0)
		rc = read_stalls(source, server, id, err);
	return rc ? rc : slowness_read_pipes(source, server, id, err);
}
