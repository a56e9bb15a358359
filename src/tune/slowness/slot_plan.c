/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/slot_plan.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tune/slowness/slot_schedule.h"

#define FULL      0.75 /* of the time: between two tasks the engine needs some */
#define SLOTS_MAX 64   /* times as many as now */
#define WORTH     1.2  /* times what half as many slots save */

struct plan {
	const struct flow *flow;
	const struct slot_use *use;
	double *ends;          /* of tasks, sorted */
	size_t *order;         /* tasks by their begin */
	size_t *place;         /* of a task in that order */
	double *ready;         /* by task: its last input that it waited for; < 0: none */
	struct slot_job *jobs; /* in the order */
	struct slot_need *needs;
	size_t job_count, need_count;
};

bool slot_plan_is_full(const struct slot_use *use, double weight, int64_t from, int64_t to)
{
	return slot_use_full(use, weight, from, to) >= FULL;
}

struct started {
	int64_t started_at;
	size_t task;
};

static int by_begin(const void *one_, const void *other_)
{
	const struct started *one = one_, *other = other_;

	if (one->started_at != other->started_at)
		return one->started_at < other->started_at ? -1 : 1;
	return (one->task > other->task) - (one->task < other->task);
}

static int by_from(const void *one_, const void *other_)
{
	const struct slot_need *one = one_, *other = other_;

	return (one->from > other->from) - (one->from < other->from);
}

static int by_size(const void *one_, const void *other_)
{
	const double *one = one_, *other = other_;

	return (*one > *other) - (*one < *other);
}

static bool ran(const struct flow_task *task)
{
	return task->started_at > 0 && task->ended_at > task->started_at;
}

static int sort_tasks(struct plan *plan)
{
	const struct flow *flow = plan->flow;
	CLEANUP(freep) struct started *started = calloc(flow->task_count + 1, sizeof(*started));

	if (!started)
		return -ENOMEM;
	for (size_t i = 0; i < flow->task_count; i++)
		if (ran(&flow->tasks[i]))
			started[plan->job_count++] =
				(struct started){ flow->tasks[i].started_at, i };
	qsort(started, plan->job_count, sizeof(*started), by_begin);
	for (size_t i = 0; i < plan->job_count; i++) {
		plan->order[i] = started[i].task;
		plan->place[started[i].task] = i;
	}
	return 0;
}

/* A task that began after another one had ended, and read what that wrote, needs its end: engines
 * look for outputs then. What it reads later than it begins it did not wait for. */
static void take_needs(struct plan *plan)
{
	for (size_t i = 0; i < plan->flow->edge_count; i++) {
		const struct flow_edge *edge = &plan->flow->edges[i];
		const struct flow_task *from = &plan->flow->tasks[edge->from];
		const struct flow_task *to = &plan->flow->tasks[edge->to];
		int64_t at = to->started_at >= from->ended_at ? from->ended_at : edge->closed_at;

		if (!ran(from) || !ran(to) || at > to->started_at || at <= from->started_at ||
		    plan->place[edge->from] >= plan->place[edge->to])
			continue;
		plan->needs[plan->need_count++] =
			(struct slot_need){ plan->place[edge->from], plan->place[edge->to],
					    (double)(at - from->started_at) };
		if ((double)at > plan->ready[edge->to])
			plan->ready[edge->to] = (double)at;
	}
	qsort(plan->needs, plan->need_count, sizeof(*plan->needs), by_from);
}

static int sort_ends(struct plan *plan)
{
	plan->ends = calloc(plan->job_count + 1, sizeof(*plan->ends));
	if (!plan->ends)
		return -ENOMEM;
	for (size_t i = 0; i < plan->job_count; i++)
		plan->ends[i] = (double)plan->flow->tasks[plan->order[i]].ended_at;
	qsort(plan->ends, plan->job_count, sizeof(*plan->ends), by_size);
	return 0;
}

/* The last end of a task until then; 0: none. */
static double last_end(const struct plan *plan, double at)
{
	size_t low = 0, high = plan->job_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (plan->ends[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? plan->ends[low - 1] : 0;
}

/* What a wait for a slot was beyond the end of the task that freed it is what the engine takes to
 * start a task. A wait while slots were free was not for a slot: it stays. So does the begin of a
 * task of which no input is known, unless all slots were taken until then. */
static void make_jobs(struct plan *plan, const double *weights)
{
	int64_t first = plan->job_count ? plan->flow->tasks[plan->order[0]].started_at : 0;

	for (size_t i = 0; i < plan->job_count; i++) {
		size_t number = plan->order[i];
		const struct flow_task *task = &plan->flow->tasks[number];
		int64_t ready = plan->ready[number] > 0 ? (int64_t)plan->ready[number] : first;
		bool full = slot_plan_is_full(plan->use, weights[number], ready, task->started_at);
		double started_at = (double)task->started_at, waited = started_at - (double)ready;
		double lag = fmin(waited, started_at - last_end(plan, started_at));
		struct slot_job *job = &plan->jobs[i];

		*job = (struct slot_job){ .duration = (double)(task->ended_at - task->started_at),
					  .weight = weights[number] };
		if (plan->ready[number] > 0)
			job->lag = full ? lag : waited;
		else
			job->ready = full ? 0 : waited;
	}
}

static int make(struct plan *plan, const double *weights)
{
	size_t tasks = plan->flow->task_count + 1, edges = plan->flow->edge_count + 1;
	int rc;

	plan->order = calloc(tasks, sizeof(*plan->order));
	plan->place = calloc(tasks, sizeof(*plan->place));
	plan->ready = calloc(tasks, sizeof(*plan->ready));
	plan->jobs = calloc(tasks, sizeof(*plan->jobs));
	plan->needs = calloc(edges, sizeof(*plan->needs));
	if (!plan->order || !plan->place || !plan->ready || !plan->jobs || !plan->needs)
		return -ENOMEM;
	rc = sort_tasks(plan);
	if (rc)
		return rc;
	take_needs(plan);
	rc = sort_ends(plan);
	if (rc == 0)
		make_jobs(plan, weights);
	return rc;
}

static void clear(struct plan *plan)
{
	free(plan->order);
	free(plan->place);
	free(plan->ready);
	free(plan->jobs);
	free(plan->needs);
	free(plan->ends);
}

static int lasts(const struct plan *plan, double slots, double *ret)
{
	return slot_schedule(plan->jobs, plan->job_count, plan->needs, plan->need_count, slots,
			     ret);
}

/* Twice as many slots, as long as that saves more. */
static int choose(const struct plan *plan, double cpus, struct slot_plan *ret)
{
	double now, then, used = plan->use->peak;
	int rc = lasts(plan, used, &now);

	for (unsigned times = 2; rc == 0 && times <= SLOTS_MAX; times *= 2) {
		if (times > 2 && times * used > cpus)
			break;
		rc = lasts(plan, times * used, &then);
		if (rc || now - then <= WORTH * ret->saves_ns)
			break;
		*ret = (struct slot_plan){ times * used, now - then };
	}
	return rc;
}

int slot_plan_find(const struct flow *flow, const struct slot_use *use, const double *weights,
		   double cpus, struct slot_plan *ret)
{
	struct plan plan = { .flow = flow, .use = use };
	struct slot_plan found = { 0 };
	int rc = make(&plan, weights);

	if (rc == 0 && use->peak > 0)
		rc = choose(&plan, cpus, &found);
	clear(&plan);
	if (rc == 0)
		*ret = found;
	return rc;
}
