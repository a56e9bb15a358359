/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/recommend/fleet_work.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tune/recommend/spot_loss.h"
#include "tune/replay/task_shape.h"

struct ending {
	int64_t at;
	size_t task; /* of the work */
};

struct making {
	struct fleet_work *work;
	struct ending *endings; /* of a run, by time */
	size_t *place; /* of a task of the run, among those of the work, + 1; 0: it did not run */
	double sum_ns, squares; /* of the times of tasks */
	bool *fed;              /* beside the tasks of the work: by files that are known */
};

static int by_end(const void *one_, const void *other_)
{
	const struct ending *one = one_, *other = other_;

	if (one->at != other->at)
		return one->at < other->at ? -1 : 1;
	return (one->task > other->task) - (one->task < other->task);
}

static int by_from(const void *one_, const void *other_)
{
	const struct fleet_need *one = one_, *other = other_;

	if (one->from != other->from)
		return one->from < other->from ? -1 : 1;
	return (one->to > other->to) - (one->to < other->to);
}

/* Since when nothing but room was missing: what an engine submits it has the inputs of. */
static int64_t wanted_at(const struct replay_task *task)
{
	return task->queued_at > 0 && task->queued_at < task->started_at ? task->queued_at
									 : task->started_at;
}

/* What was asked for; where that is less than it used, what it used. */
static double memory_of(const struct replay_task *task)
{
	return fmax(task->memory_requested_bytes, task->memory_bytes);
}

static double cpus_of(const struct replay_task *task)
{
	return task->cpus_requested > 0 ? task->cpus_requested : fmax(task->slots, 1);
}

static bool has_wall(const struct replay_task *task)
{
	return task->wall.ns[WALL_COMPUTING] > 0;
}

static void add_task(struct making *making, size_t run, const struct replay_task *source)
{
	struct fleet_work *work = making->work;
	size_t number = work->plan.task_count++;
	double cores = work->runs[run].host_cpus;

	double ns = (double)(source->ended_at - source->started_at);

	making->sum_ns += ns;
	making->squares += ns * ns;
	work->sources[number] = (struct fleet_source_task){ source, run };
	work->tasks[number] =
		(struct fleet_task){ .cpus = cpus_of(source), .memory_bytes = memory_of(source) };
	work->memory_known = work->memory_known && memory_of(source) > 0;
	if (has_wall(source) && cores > 0)
		work->shapes[number] = task_shape_find(source, cores);
}

static void add_need(struct fleet_work *work, size_t from, size_t to)
{
	work->needs[work->plan.need_count++] = (struct fleet_need){ from, to };
}

/* The task of the work that waited for that file; NULL: none did. A file that was closed while the
 * other task ran is taken to be there at its end. */
static struct fleet_task *reader_of(const struct making *making, const struct replay_run *run,
				    const struct flow_edge *edge)
{
	size_t from = making->place[edge->from], to = making->place[edge->to];
	bool after = run->tasks[edge->from].ended_at <= run->tasks[edge->to].started_at;

	return from && to && after ? &making->work->tasks[to - 1] : NULL;
}

static void take_edges(struct making *making, const struct replay_run *run)
{
	for (size_t i = 0; i < run->edge_count; i++) {
		const struct flow_edge *edge = &run->edges[i];

		if (!reader_of(making, run, edge))
			continue;
		add_need(making->work, making->place[edge->from] - 1, making->place[edge->to] - 1);
		making->fed[making->place[edge->to] - 1] = true;
	}
}

/* The last of them until then; NULL: none. */
static const struct ending *last_ending(const struct ending *endings, size_t count, int64_t at)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (endings[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &endings[low - 1] : NULL;
}

/* Its engine's own time is what it took from the last of what it needs until it was wanted. */
static void time_task(struct making *making, const struct ending *endings, size_t count,
		      size_t number)
{
	struct fleet_work *work = making->work;
	const struct replay_task *source = work->sources[number].task;
	const struct ending *last = last_ending(endings, count, wanted_at(source));

	work->tasks[number].ready_ns = last ? 0 : (double)wanted_at(source) - work->began_ns;
	if (!last)
		return;
	if (!making->fed[number])
		add_need(work, last->task, number);
	work->tasks[number].lag_ns = (double)(wanted_at(source) - last->at);
}

/* Of a task that read files of others: since the last of these ended. */
static void time_fed(struct making *making, const struct replay_run *run)
{
	for (size_t i = 0; i < run->edge_count; i++) {
		struct fleet_task *reader = reader_of(making, run, &run->edges[i]);
		double lag = (double)(run->tasks[run->edges[i].to].started_at -
				      run->tasks[run->edges[i].from].ended_at);

		if (reader)
			reader->lag_ns = fmin(reader->lag_ns, lag);
	}
}

static int add_run(struct making *making, size_t number)
{
	struct fleet_work *work = making->work;
	const struct replay_run *run = &work->runs[number];
	size_t first = work->plan.task_count, count = 0;

	for (size_t i = 0; i < run->task_count; i++) {
		making->place[i] = 0;
		if (!replay_task_ran(&run->tasks[i]))
			continue;
		making->endings[count++] =
			(struct ending){ run->tasks[i].ended_at, work->plan.task_count };
		add_task(making, number, &run->tasks[i]);
		making->place[i] = work->plan.task_count;
	}
	qsort(making->endings, count, sizeof(*making->endings), by_end);
	take_edges(making, run);
	for (size_t i = first; i < work->plan.task_count; i++)
		time_task(making, making->endings, count, i);
	time_fed(making, run);
	if (count)
		work->tail_ns[number] =
			fmax((double)(run->ended_at - making->endings[count - 1].at), 0);
	return 0;
}

static size_t tasks_of(const struct replay_run *runs, size_t count)
{
	size_t tasks = 0;

	for (size_t i = 0; i < count; i++)
		tasks += runs[i].task_count;
	return tasks;
}

static size_t edges_of(const struct replay_run *runs, size_t count)
{
	size_t edges = 0;

	for (size_t i = 0; i < count; i++)
		edges += runs[i].edge_count;
	return edges;
}

static int make_room(struct fleet_work *work, size_t tasks, size_t edges)
{
	work->tasks = calloc(tasks + 1, sizeof(*work->tasks));
	work->needs = calloc(tasks + edges + 1, sizeof(*work->needs));
	work->sources = calloc(tasks + 1, sizeof(*work->sources));
	work->shapes = calloc(tasks + 1, sizeof(*work->shapes));
	work->tail_ns = calloc(work->run_count + 1, sizeof(*work->tail_ns));
	return work->tasks && work->needs && work->sources && work->shapes && work->tail_ns
		       ? 0
		       : -ENOMEM;
}

int fleet_work_make(struct fleet_work *work, const struct replay_run *runs, size_t run_count)
{
	size_t tasks = tasks_of(runs, run_count);
	CLEANUP(freep) struct ending *endings = calloc(tasks + 1, sizeof(*endings));
	CLEANUP(freep) size_t *place = calloc(tasks + 1, sizeof(*place));
	CLEANUP(freep) bool *fed = calloc(tasks + 1, sizeof(*fed));
	struct making making = { .work = work, .endings = endings, .place = place, .fed = fed };
	int rc;

	*work = (struct fleet_work){ .runs = runs, .run_count = run_count, .memory_known = true };
	rc = make_room(work, tasks, edges_of(runs, run_count));
	if (rc || !endings || !place || !fed)
		return -ENOMEM;
	work->began_ns = INFINITY;
	for (size_t i = 0; i < run_count; i++)
		work->began_ns = fmin(work->began_ns, (double)runs[i].began_at);
	for (size_t i = 0; rc == 0 && i < run_count; i++)
		rc = add_run(&making, i);
	qsort(work->needs, work->plan.need_count, sizeof(*work->needs), by_from);
	work->plan.tasks = work->tasks;
	work->plan.needs = work->needs;
	work->lost_ns = spot_lost_of(making.sum_ns, making.squares);
	return rc;
}

void fleet_work_clear(struct fleet_work *work)
{
	free(work->tasks);
	free(work->needs);
	free(work->sources);
	free(work->shapes);
	free(work->tail_ns);
	*work = (struct fleet_work){ 0 };
}

/* With as many CPUs of its own as the host has, up to what it used. Where its time went is not
 * known: as long as it took, unless it used more CPUs than there are. */
static double time_on(const struct fleet_work *work, size_t number, double cpus)
{
	const struct replay_task *source = work->sources[number].task;
	double ns = (double)(source->ended_at - source->started_at);

	if (work->shapes[number].width > 0)
		return task_shape_alone_ns(&work->shapes[number], cpus);
	return fmax(ns, source->cpu_ns / fmax(cpus, 1));
}

/* The mean of the runs, from their beginning to the end of their last task and what came after. */
static int find_wall(const struct fleet_work *work, struct fleet_answer *ret)
{
	CLEANUP(freep) double *last = calloc(work->run_count + 1, sizeof(*last));
	size_t runs = 0;

	if (!last)
		return -ENOMEM;
	for (size_t i = 0; i < work->plan.task_count; i++)
		last[work->sources[i].run] = fmax(last[work->sources[i].run], ret->times.ends[i]);
	for (size_t i = 0; i < work->run_count; i++) {
		double began = (double)work->runs[i].began_at - work->began_ns;

		if (!(last[i] > 0))
			continue;
		ret->wall_ns += last[i] - began + work->tail_ns[i];
		runs++;
	}
	ret->wall_ns = runs ? ret->wall_ns / (double)runs : 0;
	return 0;
}

int fleet_work_run(struct fleet_work *work, const struct fleet_hosts *hosts,
		   struct fleet_answer *ret)
{
	int rc;

	*ret = (struct fleet_answer){ 0 };
	for (size_t i = 0; i < work->plan.task_count; i++)
		work->tasks[i].ns = time_on(work, i, hosts->cpus);
	rc = fleet_schedule(&work->plan, hosts, &ret->times);
	return rc ? rc : find_wall(work, ret);
}

void fleet_answer_clear(struct fleet_answer *answer)
{
	fleet_times_clear(&answer->times);
}
