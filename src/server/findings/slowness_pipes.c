/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "server/findings/slowness_source.h"
#include "tune/slowness/pipe_limit.h"

#define MEMBERS_MAX 20000
#define PIPES_MAX   200 /* that are reported, those that lose most */

struct member {
	const char *step, *tool;
	size_t task;
	int64_t began_at, ended_at;
};

struct reading {
	struct pipe_member *members;
	struct member *names; /* beside members */
	size_t count;
};

static size_t task_of(const struct slowness_source *source, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));
	size_t number = (size_t)(uintptr_t)map_get(source->dataflow.index, &key);

	return number ? number - 1 : SLOW_ENGINE;
}

static int take(struct reading *reading, const struct slowness_source *source,
		const struct store_rows *rows)
{
	size_t i = reading->count;

	if (!SLOWNESS_ROOM(reading->members, i) || !SLOWNESS_ROOM(reading->names, i))
		return -ENOMEM;
	reading->count++;
	reading->names[i] = (struct member){ .step = row_text(rows, "step"),
					     .tool = row_text(rows, "tool"),
					     .task = task_of(source, row_text(rows, "task_id")),
					     .began_at = row_i64(rows, "started_at"),
					     .ended_at = row_i64(rows, "ended_at") };
	reading->members[i] = (struct pipe_member){
		.reads = row_bool(rows, "reads"),
		.writes = row_bool(rows, "writes"),
		.pipe_in = (uint64_t)row_i64(rows, "pipe_in"),
		.pipe_out = (uint64_t)row_i64(rows, "pipe_out"),
		.life_ns = (double)(reading->names[i].ended_at - reading->names[i].began_at),
		.read_wait_ns = (double)row_i64(rows, "wall_pipe_read_ns"),
		.write_wait_ns = (double)row_i64(rows, "wall_pipe_write_ns"),
	};
	return 0;
}

static int by_loss(const void *one_, const void *other_)
{
	const struct slow_pipe *one = one_, *other = other_;

	return (one->lost_ns < other->lost_ns) - (one->lost_ns > other->lost_ns);
}

static struct slow_pipe pipe_of(const struct reading *reading, const struct pipe_limit *limit)
{
	const struct member *slowest = &reading->names[limit->slowest];

	return (struct slow_pipe){ .step = slowest->step,
				   .slowest = slowest->tool,
				   .waits = reading->names[limit->held].tool,
				   .task = slowest->task,
				   .began_at = slowest->began_at,
				   .ended_at = slowest->ended_at,
				   .wall_ns = reading->members[limit->held].life_ns,
				   .waited_ns = reading->members[limit->held].write_wait_ns,
				   .busy_ns = limit->busy_ns,
				   .next_busy_ns = limit->next_busy_ns,
				   .lost_ns = limit->lost_ns };
}

static int find(struct slowness_source *source, const struct reading *reading)
{
	CLEANUP(freep) struct pipe_limit *limits = calloc(reading->count + 1, sizeof(*limits));
	long found = limits ? pipe_limit_find(reading->members, reading->count, limits) : -ENOMEM;

	source->pipes = calloc(found > 0 ? (size_t)found : 1, sizeof(*source->pipes));
	if (found < 0 || !source->pipes)
		return -ENOMEM;
	for (long i = 0; i < found; i++)
		source->pipes[i] = pipe_of(reading, &limits[i]);
	qsort(source->pipes, (size_t)found, sizeof(*source->pipes), by_loss);
	source->facts.pipes = source->pipes;
	source->facts.pipe_count = found < PIPES_MAX ? (size_t)found : PIPES_MAX;
	return 0;
}

int slowness_read_pipes(struct slowness_source *source, struct server *server, const char *id,
			struct error *err)
{
	struct reading reading = { 0 };
	struct store_rows *rows;
	int rc = slowness_query(source, server, "slowness_pipes", id, MEMBERS_MAX, &rows, err);

	while (rc == 0 && store_next(rows))
		rc = take(&reading, source, rows);
	if (rc == 0 && reading.count > 0)
		rc = find(source, &reading);
	free(reading.members);
	free(reading.names);
	return rc;
}
