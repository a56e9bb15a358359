/* SPDX-License-Identifier: Apache-2.0 */
#include "server/replay/replay_engine.h"

#include <string.h>

#include "base/clock.h"
#include "server/query/query.h"

/* From when to when tasks ran. */
struct span {
	int64_t first, last;
};

static struct span span_of(const struct replay_run *run)
{
	struct span span = { run->ended_at, run->began_at };

	for (size_t i = 0; i < run->task_count; i++) {
		const struct replay_task *task = &run->tasks[i];

		if (!replay_task_ran(task))
			continue;
		if (task->started_at < span.first)
			span.first = task->started_at;
		if (task->ended_at > span.last)
			span.last = task->ended_at;
	}
	return span;
}

/* The part of a bucket that lies between two instants. */
static double part_of(int64_t at, int64_t width, int64_t from, int64_t to)
{
	int64_t begin = at > from ? at : from, end = at + width < to ? at + width : to;

	return end > begin ? (double)(end - begin) / (double)width : 0;
}

/* The engine computes between its tasks, and waits while they run: what lies in a bucket in which
 * the first task begins was before it, as far as it fits there. */
static void take_bucket(struct replay_engine *engine, const struct store_rows *rows,
			const struct replay_run *run, const struct span *span, int64_t width)
{
	double cpu_ns = (double)row_i64(rows, "user_ns") + (double)row_i64(rows, "kernel_ns");
	int64_t at = row_i64(rows, "at");
	double before = part_of(at, width, run->began_at - width, span->first);
	double after = part_of(at, width, span->last, run->ended_at + width);

	engine->before_cpu_ns += cpu_ns * before;
	engine->after_cpu_ns += cpu_ns * after;
	engine->beside_cpu_ns += cpu_ns * (1 - before - after);
}

static int find_width(struct server *server, const struct store_param *run, int64_t *ret,
		      struct error *err)
{
	const struct store_param params[] = { *run };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "samples_interval", params, &rows, err);

	if (rc)
		return rc;
	*ret = store_next(rows) ? row_i64(rows, "interval_s") : 0;
	if (*ret < 1)
		*ret = 1;
	return 0;
}

int replay_engine_read(struct replay_run *run, struct server *server, const char *id,
		       struct error *err)
{
	struct store_param params[] = { PARAM_TEXT("run", id), PARAM_I64("interval_s", 1) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct span span = span_of(run);
	int64_t width_s = 1;
	int rc = find_width(server, &params[0], &width_s, err);

	if (rc)
		return rc;
	params[1].i64 = width_s;
	rc = QUERY(server, "samples_shares", params, &rows, err);
	while (rc == 0 && store_next(rows))
		if (strcmp(row_text(rows, "key"), "engine") == 0)
			take_bucket(&run->engine, rows, run, &span, width_s * NS_PER_S);
	return rc;
}
