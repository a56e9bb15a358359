/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/end/step_flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/expect/end/flow_times.h"

/* Clocks of records are that exact. */
#define TOLERANCE_NS 1.5e9
/* In such a part of a run as many tasks ran at once as ever: that is a limit. */
#define LIMITED_LEAST 0.25

struct flow_runs {
	const char *ids[STEP_FLOW_RUNS];
	int64_t begins[STEP_FLOW_RUNS];
	struct flow_times times[STEP_FLOW_RUNS];
	size_t count;
};

static void runs_clear(struct flow_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		flow_times_clear(&runs->times[i]);
}

/* When a run began: its first task of any step; INT64_MAX: not yet. */
static int64_t begin_of(const struct step_history *steps, size_t count, const char *run_id)
{
	int64_t begin = INT64_MAX;
	for (size_t i = 0; i < count; i++) {
		const struct step_history_run *run = step_history_run(&steps[i], run_id);
		if (run && run->started_at > 0 && run->started_at < begin)
			begin = run->started_at;
	}
	return begin;
}

static bool is_listed(const struct flow_runs *runs, const char *run_id)
{
	for (size_t i = 0; i < runs->count; i++)
		if (strcmp(runs->ids[i], run_id) == 0)
			return true;
	return false;
}

/* Keeps the latest ones; the list is sorted, the latest first. */
static void list_run(struct flow_runs *runs, const char *run_id, int64_t begin)
{
	size_t at = runs->count < STEP_FLOW_RUNS ? runs->count++ : STEP_FLOW_RUNS - 1;

	if (at == STEP_FLOW_RUNS - 1 && runs->ids[at] && runs->begins[at] >= begin)
		return;
	for (; at > 0 && runs->begins[at - 1] < begin; at--) {
		runs->ids[at] = runs->ids[at - 1];
		runs->begins[at] = runs->begins[at - 1];
	}
	runs->ids[at] = run_id;
	runs->begins[at] = begin;
}

/* The latest runs of each step that began before: of a history those are at its end. */
static void choose_runs(const struct step_history *steps, size_t count, const char *run_id,
			struct flow_runs *runs)
{
	int64_t begin = begin_of(steps, count, run_id);

	for (size_t i = 0; i < count; i++) {
		size_t looked_at = 0;
		for (size_t j = steps[i].run_count; j > 0 && looked_at < STEP_FLOW_RUNS; j--) {
			const struct step_history_run *run = &steps[i].runs[j - 1];
			int64_t began;
			if (strcmp(run->run_id, run_id) == 0 || is_listed(runs, run->run_id))
				continue;
			began = begin_of(steps, count, run->run_id);
			if (began >= begin)
				continue;
			list_run(runs, run->run_id, began);
			looked_at++;
		}
	}
}

static int find_times(const struct step_history *steps, size_t count, struct flow_runs *runs)
{
	int error = 0;
	for (size_t i = 0; i < runs->count && error == 0; i++)
		error = flow_times_find(steps, count, runs->ids[i], &runs->times[i]);
	return error;
}

size_t step_flow_needed(size_t index, size_t tasks, size_t others)
{
	return ((index + 1) * others + tasks - 1) / tasks;
}

static bool follows_in(const struct step_times *after, const struct step_times *before)
{
	for (size_t i = 0; i < after->count; i++) {
		size_t needed = step_flow_needed(i, after->count, before->count);
		if (after->starts[i] + TOLERANCE_NS < before->ends[needed - 1])
			return false;
	}
	return true;
}

/* In all runs that have both, and there is one. */
static bool follows(const struct flow_runs *runs, size_t after, size_t before)
{
	bool together = false;
	for (size_t i = 0; i < runs->count; i++) {
		const struct step_times *a = &runs->times[i].steps[after];
		const struct step_times *b = &runs->times[i].steps[before];
		if (a->count == 0 || b->count == 0)
			continue;
		together = true;
		if (!follows_in(a, b))
			return false;
	}
	return together;
}

static double median_lag(const struct flow_runs *runs, size_t after, size_t before)
{
	double lags[STEP_FLOW_RUNS];
	size_t count = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const struct step_times *a = &runs->times[i].steps[after];
		const struct step_times *b = &runs->times[i].steps[before];
		size_t middle = a->count / 2;
		if (a->count == 0 || b->count == 0)
			continue;
		lags[count++] = a->starts[middle] -
				b->ends[step_flow_needed(middle, a->count, b->count) - 1];
	}
	return median_of(lags, count);
}

static void describe(const struct flow_runs *runs, size_t at, struct flow_step *step)
{
	double counts[STEP_FLOW_RUNS], starts[STEP_FLOW_RUNS], spans[STEP_FLOW_RUNS];
	size_t count = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const struct step_times *times = &runs->times[i].steps[at];
		if (times->count == 0)
			continue;
		counts[count] = (double)times->count;
		spans[count] = times->starts[times->count - 1] - times->starts[0];
		starts[count++] = times->starts[0];
	}
	/* A step that fewer than half of the runs have is not expected. */
	step->tasks = 2 * count >= runs->count ? (size_t)(median_of(counts, count) + 0.5) : 0;
	step->start_ns = median_of(starts, count);
	step->span_ns = median_of(spans, count);
	step->closest = STEP_FLOW_NONE;
}

static void find_closest(const struct flow_runs *runs, const struct step_flow *flow, size_t at)
{
	struct flow_step *step = &flow->steps[at];

	for (size_t i = 0; i < flow->step_count; i++) {
		double lag;
		if (!flow->follows[at * flow->step_count + i])
			continue;
		lag = median_lag(runs, at, i);
		if (step->closest != STEP_FLOW_NONE && lag >= step->lag_ns)
			continue;
		step->closest = i;
		step->lag_ns = lag;
	}
	step->lag_ns = step->lag_ns > 0 ? step->lag_ns : 0;
}

/* Of steps that last no time each may seem to follow the other. */
static void drop_mutual(struct step_flow *flow)
{
	size_t n = flow->step_count;
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < a; b++)
			if (flow->follows[a * n + b] && flow->follows[b * n + a])
				flow->follows[a * n + b] = flow->follows[b * n + a] = false;
}

/* Removes what follows from two other pairs: a before b before c. */
static int reduce(struct step_flow *flow)
{
	size_t n = flow->step_count;
	CLEANUP(freep) bool *all = malloc(n * n + 1);

	if (!all)
		return -ENOMEM;
	memcpy(all, flow->follows, n * n);
	for (size_t c = 0; c < n; c++)
		for (size_t b = 0; b < n; b++)
			for (size_t a = 0; all[c * n + b] && a < n; a++)
				if (all[b * n + a])
					flow->follows[c * n + a] = false;
	return 0;
}

static int by_start(const void *left, const void *right, void *context)
{
	const struct flow_step *steps = context;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	if (steps[a].start_ns != steps[b].start_ns)
		return steps[a].start_ns < steps[b].start_ns ? -1 : 1;
	return (a > b) - (a < b);
}

static void find_slots(const struct flow_runs *runs, struct step_flow *flow)
{
	size_t limited = 0;
	for (size_t i = 0; i < runs->count; i++) {
		limited += runs->times[i].part_at_most >= LIMITED_LEAST;
		if (runs->times[i].at_once > flow->slots)
			flow->slots = runs->times[i].at_once;
	}
	if (2 * limited < runs->count || runs->count == 0)
		flow->slots = 0;
}

static int find(const struct flow_runs *runs, struct step_flow *flow)
{
	size_t n = flow->step_count;
	int error;

	flow->run_count = runs->count;
	for (size_t i = 0; i < n; i++) {
		describe(runs, i, &flow->steps[i]);
		flow->order[i] = i;
		for (size_t j = 0; j < n; j++)
			flow->follows[i * n + j] = i != j && follows(runs, i, j);
	}
	drop_mutual(flow);
	error = reduce(flow);
	if (error)
		return error;
	for (size_t i = 0; i < n; i++)
		find_closest(runs, flow, i);
	qsort_r(flow->order, n, sizeof(*flow->order), by_start, flow->steps);
	find_slots(runs, flow);
	return 0;
}

int step_flow_find(const struct step_history *steps, size_t step_count, const char *run_id,
		   struct step_flow *ret)
{
	CLEANUP(runs_clear) struct flow_runs runs = { 0 };
	struct step_flow flow = { .step_count = step_count };
	int error;

	if (step_count > STEP_FLOW_STEPS)
		return -E2BIG;
	choose_runs(steps, step_count, run_id, &runs);
	error = find_times(steps, step_count, &runs);
	flow.steps = calloc(step_count + 1, sizeof(*flow.steps));
	flow.order = calloc(step_count + 1, sizeof(*flow.order));
	flow.follows = calloc(step_count * step_count + 1, sizeof(*flow.follows));
	if (!flow.steps || !flow.order || !flow.follows)
		error = -ENOMEM;
	if (error == 0)
		error = find(&runs, &flow);
	if (error) {
		step_flow_clear(&flow);
		return error;
	}
	*ret = flow;
	return 0;
}

void step_flow_clear(struct step_flow *flow)
{
	free(flow->steps);
	free(flow->order);
	free(flow->follows);
	*flow = (struct step_flow){ 0 };
}
