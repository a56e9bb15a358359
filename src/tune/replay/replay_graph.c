/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/replay_graph.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "tune/slowness/slot_use.h"

#define WHOLE    1e-6           /* sums of slots that are equal differ by less */
#define LOOK_MAX 256            /* changes of the use that are looked at before a begin */
#define BURSTS   2              /* threads of an engine beside those that are ready on average */
#define PROMPTLY (NS_PER_S / 2) /* an engine that has what a task needs starts it so soon */

struct making {
	struct replay_graph *graph;
	const struct replay_run *run;
	const struct engine_slots *slots;
	struct slot_use use;
	struct flow_task *times;
	double *weights;
	struct ending {
		int64_t at;
		size_t job;
	} * endings;     /* of tasks, sorted */
	size_t *place;   /* of a task among the jobs; 0: it did not run */
	int64_t *ready;  /* by job: when its last input was there; 0: none is known */
	double slowdown; /* of the engine: wall time for its CPU time, where it is one thread */
	struct task_shape engine;
};

struct started {
	int64_t at;
	size_t task;
};

static int by_begin(const void *one_, const void *other_)
{
	const struct started *one = one_, *other = other_;

	if (one->at != other->at)
		return one->at < other->at ? -1 : 1;
	return (one->task > other->task) - (one->task < other->task);
}

static int by_end(const void *one_, const void *other_)
{
	const struct ending *one = one_, *other = other_;

	if (one->at != other->at)
		return one->at < other->at ? -1 : 1;
	return (one->job > other->job) - (one->job < other->job);
}

static int by_from(const void *one_, const void *other_)
{
	const struct replay_need *one = one_, *other = other_;

	if (one->from != other->from)
		return one->from < other->from ? -1 : 1;
	if (one->part < other->part || one->part > other->part)
		return one->part < other->part ? -1 : 1;
	return (one->to > other->to) - (one->to < other->to);
}

static const struct replay_task *task_of(const struct making *making, size_t job)
{
	return &making->run->tasks[making->graph->tasks[job]];
}

static void add_need(struct making *making, size_t from, size_t to, double part)
{
	struct replay_plan *plan = &making->graph->plan;

	making->graph->needs[plan->need_count++] = (struct replay_need){ from, to, part };
}

/* Tasks become the jobs 1 to n. */
static int sort_tasks(struct making *making)
{
	const struct replay_run *run = making->run;
	struct replay_graph *graph = making->graph;
	CLEANUP(freep) struct started *started = calloc(run->task_count + 1, sizeof(*started));
	size_t count = 0;

	if (!started)
		return -ENOMEM;
	for (size_t i = 0; i < run->task_count; i++)
		if (replay_task_ran(&run->tasks[i]))
			started[count++] = (struct started){ run->tasks[i].started_at, i };
	qsort(started, count, sizeof(*started), by_begin);
	for (size_t i = 0; i < count; i++) {
		graph->tasks[i + 1] = started[i].task;
		making->place[started[i].task] = i + 1;
		making->endings[i] = (struct ending){ run->tasks[started[i].task].ended_at, i + 1 };
	}
	qsort(making->endings, count, sizeof(*making->endings), by_end);
	graph->tasks[0] = graph->tasks[count + 1] = FLOW_NONE;
	graph->plan.job_count = count + 2;
	return 0;
}

/* A task that began after another one had ended needs its end: engines look for outputs then. */
static void take_edges(struct making *making)
{
	const struct replay_run *run = making->run;
	struct replay_graph *graph = making->graph;

	for (size_t i = 0; i < run->edge_count; i++) {
		const struct flow_edge *edge = &run->edges[i];
		size_t from = making->place[edge->from], to = making->place[edge->to];
		const struct replay_task *source = &run->tasks[edge->from];
		const struct replay_task *reader = &run->tasks[edge->to];
		int64_t at = edge->closed_at;

		if (!from || !to || from == to)
			continue;
		graph->edges++;
		if (reader->started_at >= source->ended_at)
			at = source->ended_at;
		if (at > reader->started_at)
			continue; /* it did not wait for it */
		if (from > to || at <= source->started_at) {
			graph->contradictions++;
			continue;
		}
		add_need(making, from, to,
			 (double)(at - source->started_at) /
				 (double)(source->ended_at - source->started_at));
		if (at > making->ready[to])
			making->ready[to] = at;
	}
}

/* The last end of a task until then; NULL: none. */
static const struct ending *last_ending(const struct making *making, int64_t at)
{
	size_t low = 0, high = making->graph->plan.job_count - 2;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (making->endings[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &making->endings[low - 1] : NULL;
}

/* The points of the use until that instant. */
static size_t points_until(const struct slot_use *use, int64_t at)
{
	size_t low = 0, high = use->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (use->points[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* When a task of that weight had room at last, before it began; 0: it had since it was ready. */
static int64_t had_room_at(const struct making *making, double weight, int64_t ready,
			   int64_t started_at)
{
	const struct slot_point *points = making->use.points;
	size_t at = points_until(&making->use, started_at - 1);
	int64_t since = started_at; /* there was room from then on */

	for (size_t looked = 0; at > 0 && looked < LOOK_MAX; at--, looked++) {
		if (since <= ready)
			return 0;
		if (points[at - 1].taken > WHOLE &&
		    points[at - 1].taken + weight > making->slots->slots + WHOLE)
			return since;
		since = points[at - 1].at;
	}
	return 0;
}

/* Adds what explains its begin, if that is no input, and returns since when it could have begun.
 * What would have been long before explains nothing, where another task had just ended. */
static int64_t explain_begin(struct making *making, size_t job)
{
	const struct replay_task *task = task_of(making, job);
	const struct ending *ending = last_ending(making, task->started_at);
	int64_t input = making->ready[job];
	int64_t ready = input ? input : task_of(making, 1)->started_at;
	int64_t room = had_room_at(making, making->weights[making->graph->tasks[job]], ready,
				   task->started_at);
	int64_t since = room ? room : ready;
	bool explained = (room || input) && task->started_at - since <= PROMPTLY;

	if (!explained && ending && ending->at > since) {
		making->graph->guessed++;
		add_need(making, ending->job, job, 1);
		return ending->at;
	}
	if (!input)
		add_need(making, 0, job, 1);
	return since;
}

/* The engine's CPU time beside tasks is spread evenly over their begins. What does not fit into the
 * time that it took to start one it did while tasks ran. */
static void take_lag(struct making *making, struct replay_job *job, double lag_ns)
{
	double all = making->run->engine.beside_cpu_ns;
	double cpu_ns = all / (double)(making->graph->plan.job_count - 2);

	job->lag_cpu_ns = fmin(cpu_ns, lag_ns / making->slowdown);
	job->lag_wait_ns = fmax(lag_ns - job->lag_cpu_ns * making->slowdown, 0);
	job->beside_ns = cpu_ns - job->lag_cpu_ns;
}

static void make_task(struct making *making, size_t number, double cores)
{
	const struct replay_task *task = task_of(making, number);
	struct replay_job *job = &making->graph->jobs[number];
	struct task_shape *shape = &making->graph->shapes[number];
	int64_t since = explain_begin(making, number);

	*shape = task_shape_find(task, cores);
	*job = (struct replay_job){
		.serial_ns = shape->serial_ns,
		.parallel_ns = shape->parallel_ns,
		.width = shape->width,
		.wait_ns = shape->wait_ns + shape->unknown_ns,
		.slots = making->weights[making->graph->tasks[number]],
		.memory_bytes = task->memory_bytes,
	};
	take_lag(making, job, (double)(task->started_at - since));
	add_need(making, number, making->graph->plan.job_count - 1, 1);
}

/* What the engine does while no task runs, so that it takes as long on as many cores. */
static struct replay_job engine_job(const struct making *making, double cpu_ns, double ns,
				    double cores)
{
	const struct task_shape *shape = &making->engine;
	double all = shape->serial_ns + shape->parallel_ns, part = all > 0 ? cpu_ns / all : 0;
	struct task_shape own = { .serial_ns = shape->serial_ns * part,
				  .parallel_ns = shape->parallel_ns * part,
				  .width = shape->width };

	return (struct replay_job){ .serial_ns = own.serial_ns,
				    .parallel_ns = own.parallel_ns,
				    .width = own.width,
				    .wait_ns = fmax(ns - task_shape_alone_ns(&own, cores), 0) };
}

/* Most engines have threads that compute in bursts: where their number does not follow, it is taken
 * as twice as many as were ready on average. */
static void find_pace(struct making *making, double cores)
{
	const struct replay_engine *engine = &making->run->engine;
	double cpu_ns = engine->before_cpu_ns + engine->beside_cpu_ns + engine->after_cpu_ns;
	double wall_ns = engine->wall.ns[WALL_COMPUTING] + engine->wall.ns[WALL_RUNNABLE];
	double ready = wall_ns > 0 ? (cpu_ns + engine->runnable_ns) / wall_ns : 1;
	const struct replay_task of_engine = { .cpu_ns = cpu_ns,
					       .runnable_ns = engine->runnable_ns,
					       .wall = engine->wall,
					       .threads = ceil(BURSTS * ready),
					       .slots = ceil(BURSTS * ready) };

	making->engine = task_shape_find(&of_engine, cores);
	making->slowdown = cpu_ns > 0 ? fmax(wall_ns / cpu_ns, 1) : 1;
}

static void make_engine(struct making *making, double cores)
{
	const struct replay_run *run = making->run;
	size_t last = making->graph->plan.job_count - 1;
	int64_t began = last > 1 ? task_of(making, 1)->started_at : run->ended_at;
	int64_t ended = last > 1 ? making->endings[last - 2].at : run->ended_at;

	find_pace(making, cores);
	making->graph->jobs[0] = engine_job(making, run->engine.before_cpu_ns,
					    fmax((double)(began - run->began_at), 0), cores);
	making->graph->jobs[last] = engine_job(making, run->engine.after_cpu_ns,
					       fmax((double)(run->ended_at - ended), 0), cores);
}

static int make_room(struct making *making)
{
	const struct replay_run *run = making->run;
	struct replay_graph *graph = making->graph;
	size_t jobs = run->task_count + 2;

	graph->jobs = calloc(jobs, sizeof(*graph->jobs));
	graph->shapes = calloc(jobs, sizeof(*graph->shapes));
	graph->tasks = calloc(jobs, sizeof(*graph->tasks));
	/* Of a task: its edges, what explains its begin, and that the last job needs it. */
	graph->needs = calloc(run->edge_count + 2 * jobs, sizeof(*graph->needs));
	making->times = calloc(jobs, sizeof(*making->times));
	making->weights = calloc(jobs, sizeof(*making->weights));
	making->endings = calloc(jobs, sizeof(*making->endings));
	making->place = calloc(jobs, sizeof(*making->place));
	making->ready = calloc(jobs, sizeof(*making->ready));
	return graph->jobs && graph->shapes && graph->tasks && graph->needs && making->times &&
			       making->weights && making->endings && making->place && making->ready
		       ? 0
		       : -ENOMEM;
}

static int find_use(struct making *making)
{
	const struct replay_run *run = making->run;
	const struct flow flow = { .tasks = making->times, .task_count = run->task_count };
	int rc;

	for (size_t i = 0; i < run->task_count; i++) {
		making->times[i] =
			(struct flow_task){ run->tasks[i].started_at, run->tasks[i].ended_at };
		making->weights[i] = fmax(run->tasks[i].slots, 1);
	}
	rc = slot_use_make(&making->use, &flow, making->weights);
	making->graph->slots_peak = making->use.peak;
	return rc;
}

static void clear(struct making *making)
{
	slot_use_clear(&making->use);
	free(making->times);
	free(making->weights);
	free(making->endings);
	free(making->place);
	free(making->ready);
}

int replay_graph_peak(const struct replay_run *run, double *ret)
{
	struct replay_graph graph = { 0 };
	struct making making = { .graph = &graph, .run = run };
	int rc = make_room(&making);

	if (rc == 0)
		rc = find_use(&making);
	*ret = fmax(graph.slots_peak, 1);
	clear(&making);
	replay_graph_clear(&graph);
	return rc;
}

int replay_graph_make(struct replay_graph *graph, const struct replay_run *run, double cores,
		      const struct engine_slots *slots)
{
	struct making making = { .graph = graph, .run = run, .slots = slots };
	int rc;

	*graph = (struct replay_graph){ 0 };
	rc = make_room(&making);
	if (rc == 0)
		rc = find_use(&making);
	if (rc == 0)
		rc = sort_tasks(&making);
	if (rc == 0) {
		take_edges(&making);
		make_engine(&making, cores);
		for (size_t i = 1; i + 1 < graph->plan.job_count; i++)
			make_task(&making, i, cores);
		if (graph->plan.job_count == 2)
			add_need(&making, 0, 1, 1);
		qsort(graph->needs, graph->plan.need_count, sizeof(*graph->needs), by_from);
		graph->plan.jobs = graph->jobs;
		graph->plan.needs = graph->needs;
	}
	clear(&making);
	return rc;
}

void replay_graph_clear(struct replay_graph *graph)
{
	free(graph->jobs);
	free(graph->needs);
	free(graph->shapes);
	free(graph->tasks);
	*graph = (struct replay_graph){ 0 };
}
