/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "server/findings/slowness_source.h"

#define HOSTS_MAX  1000
#define OTHERS_MAX 200
#define TOOLS_MAX  10000

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
				   READ(idle_ns),
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

int slowness_read_hosts(struct slowness_source *source, struct server *server, const char *id,
			struct error *err)
{
	int rc = read_hosts(source, server, id, err);

	return rc ? rc : read_others(source, server, id, err);
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

int slowness_read_lists(struct slowness_source *source, struct server *server, const char *id,
			struct error *err)
{
	return read_tools(source, server, id, err);
}
