/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/engine_split.h"

#include <math.h>

/* From when to when tasks ran. */
struct span {
	int64_t first, last;
};

/* A part of the engine's life. */
struct part {
	int64_t from, to;
	double cpu_ns;
	double before_ns, beside_ns, after_ns; /* of its time, as in struct replay_engine */
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

static double overlap_ns(const struct part *part, int64_t from, int64_t to)
{
	int64_t begin = part->from > from ? part->from : from;
	int64_t end = part->to < to ? part->to : to;

	return end > begin ? (double)(end - begin) : 0;
}

static struct part part_of(const struct replay_run *run, const struct span *span, int64_t from,
			   int64_t to, const struct engine_buckets *buckets)
{
	struct part part = { .from = from, .to = to };

	for (size_t i = 0; i < buckets->count; i++)
		if (buckets->items[i].at >= from && buckets->items[i].at < to)
			part.cpu_ns += buckets->items[i].cpu_ns;
	part.before_ns = overlap_ns(&part, run->began_at, span->first);
	part.beside_ns = overlap_ns(&part, span->first, span->last);
	part.after_ns = overlap_ns(&part, span->last, run->ended_at);
	return part;
}

static void take(struct replay_engine *engine, const struct part *part, double alone_cpu_ns)
{
	double alone_ns = part->before_ns + part->after_ns;

	engine->beside_cpu_ns += part->cpu_ns - alone_cpu_ns;
	if (alone_ns > 0) {
		engine->before_cpu_ns += alone_cpu_ns * part->before_ns / alone_ns;
		engine->after_cpu_ns += alone_cpu_ns * part->after_ns / alone_ns;
	}
}

/* Beside tasks the engine did as much in a unit of time as in the middle of the run; the rest while
 * no task ran, as far as so many threads at once can do it in that time. */
static void take_edge(struct replay_engine *engine, const struct part *part, double rate,
		      double at_once)
{
	double most_ns = at_once * (part->before_ns + part->after_ns);

	take(engine, part, fmin(fmax(part->cpu_ns - rate * part->beside_ns, 0), most_ns));
}

/* Of a run that is too short to have a middle. */
static void take_by_time(struct replay_run *run, const struct span *span,
			 const struct engine_buckets *buckets)
{
	for (size_t i = 0; i < buckets->count; i++) {
		int64_t at = buckets->items[i].at;
		struct part part = part_of(run, span, at, at + buckets->width_ns, buckets);
		double alone_ns = part.before_ns + part.after_ns;
		double all_ns = alone_ns + part.beside_ns;

		take(&run->engine, &part, all_ns > 0 ? part.cpu_ns * alone_ns / all_ns : 0);
	}
}

/* The begin of the bucket in which an instant lies, and so many further. */
static int64_t bucket_of(const struct engine_buckets *buckets, int64_t at, int further)
{
	double origin = (double)buckets->items[0].at, width = (double)buckets->width_ns;
	double number = floor(((double)at - origin) / width) + further;

	return buckets->items[0].at + (int64_t)number * buckets->width_ns;
}

static double threads_at_once(const struct replay_engine *engine,
			      const struct engine_buckets *buckets)
{
	double computing_ns = engine->wall.ns[WALL_COMPUTING], cpu_ns = 0;

	for (size_t i = 0; i < buckets->count; i++)
		cpu_ns += buckets->items[i].cpu_ns;
	return computing_ns > 0 ? fmax(cpu_ns / computing_ns, 1) : 1;
}

void engine_split(struct replay_run *run, const struct engine_buckets *buckets)
{
	struct span span = span_of(run);
	struct part head, middle, tail;
	double at_once = threads_at_once(&run->engine, buckets), rate;
	int64_t from, to;

	if (!buckets->count)
		return;
	/* A sample lasts as long as a bucket and may lie in two. */
	from = bucket_of(buckets, span.first, 2);
	to = bucket_of(buckets, span.last, -1);
	if (from >= to) {
		take_by_time(run, &span, buckets);
		return;
	}
	head = part_of(run, &span, INT64_MIN, from, buckets);
	middle = part_of(run, &span, from, to, buckets);
	tail = part_of(run, &span, to, INT64_MAX, buckets);
	rate = middle.cpu_ns / middle.beside_ns;
	take_edge(&run->engine, &head, rate, at_once);
	take(&run->engine, &middle, 0);
	take_edge(&run->engine, &tail, rate, at_once);
}
