/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/critical_path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"

static int64_t clamp(int64_t at, int64_t least, int64_t most)
{
	return at < least ? least : at > most ? most : at;
}

/* By the task they lead to, the best to follow first. */
static int by_reader(const void *one_, const void *other_)
{
	const struct flow_edge *one = *(const struct flow_edge *const *)one_;
	const struct flow_edge *other = *(const struct flow_edge *const *)other_;

	if (one->to != other->to)
		return one->to < other->to ? -1 : 1;
	if (one->closed_at != other->closed_at)
		return one->closed_at > other->closed_at ? -1 : 1;
	if (one->bytes != other->bytes)
		return one->bytes > other->bytes ? -1 : 1;
	return (one > other) - (one < other);
}

static const struct flow_edge **sort_edges(const struct flow *flow)
{
	const struct flow_edge **sorted =
		calloc(flow->edge_count ? flow->edge_count : 1, sizeof(struct flow_edge *));

	if (!sorted)
		return NULL;
	for (size_t i = 0; i < flow->edge_count; i++)
		sorted[i] = &flow->edges[i];
	qsort(sorted, flow->edge_count, sizeof(struct flow_edge *), by_reader);
	return sorted;
}

/* The first of the edges that lead to this task. */
static size_t first_of(const struct flow *flow, const struct flow_edge *const *sorted, size_t task)
{
	size_t low = 0, high = flow->edge_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sorted[middle]->to < task)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What the task waited for last until then; NULL: nothing that is known. */
static const struct flow_edge *last_input(const struct flow *flow,
					  const struct flow_edge *const *sorted, const bool *seen,
					  size_t task, int64_t until_at)
{
	for (size_t i = first_of(flow, sorted, task); i < flow->edge_count; i++) {
		if (sorted[i]->to != task)
			return NULL;
		if (sorted[i]->closed_at <= until_at && !seen[sorted[i]->from])
			return sorted[i];
	}
	return NULL;
}

static bool ended_after(const struct flow_task *one, const struct flow_task *other)
{
	return one->ended_at > other->ended_at ||
	       (one->ended_at == other->ended_at && one->started_at > other->started_at);
}

/* FLOW_NONE: none has ended. */
static size_t last_ended(const struct flow *flow)
{
	size_t last = FLOW_NONE;

	for (size_t i = 0; i < flow->task_count; i++)
		if (flow->tasks[i].ended_at &&
		    (last == FLOW_NONE || ended_after(&flow->tasks[i], &flow->tasks[last])))
			last = i;
	return last;
}

static void turn_round(struct critical_path *path)
{
	for (size_t i = 0; i < path->count / 2; i++) {
		struct critical_link link = path->links[i];

		path->links[i] = path->links[path->count - 1 - i];
		path->links[path->count - 1 - i] = link;
	}
}

/* From the last task back. What clocks of several hosts, or ticks, put outside of the run or in the
 * wrong order lasts no time: then the parts still add up to the time of the run. */
static void follow(const struct flow *flow, const struct flow_edge *const *sorted, bool *seen,
		   size_t task, struct critical_path *path)
{
	int64_t until_at = clamp(flow->tasks[task].ended_at, flow->began_at, flow->ended_at);

	path->after_ns = flow->ended_at - until_at;
	while (task != FLOW_NONE) {
		seen[task] = true;
		const struct flow_edge *input = last_input(flow, sorted, seen, task, until_at);
		int64_t ready_at =
			input ? clamp(input->closed_at, flow->began_at, until_at) : flow->began_at;
		int64_t started_at = clamp(flow->tasks[task].started_at, ready_at, until_at);

		path->links[path->count++] = (struct critical_link){
			.task = task,
			.input = input ? (size_t)(input - flow->edges) : FLOW_NONE,
			.waiting_ns = input ? started_at - ready_at : 0,
			.running_ns = until_at - started_at,
			.until_at = until_at,
		};
		if (!input)
			path->before_ns = started_at - ready_at;
		task = input ? input->from : FLOW_NONE;
		until_at = ready_at;
	}
	turn_round(path);
}

int critical_path_find(const struct flow *flow, struct critical_path *ret)
{
	CLEANUP(freep) const struct flow_edge **sorted = sort_edges(flow);
	CLEANUP(freep) bool *seen = calloc(flow->task_count + 1, sizeof(*seen));
	struct critical_path path = { 0 };
	size_t last = last_ended(flow);

	if (!sorted || !seen)
		return -ENOMEM;
	if (last != FLOW_NONE) {
		path.links = calloc(flow->task_count, sizeof(*path.links));
		if (!path.links)
			return -ENOMEM;
		follow(flow, sorted, seen, last, &path);
	}
	*ret = path;
	return 0;
}

void critical_path_clear(struct critical_path *path)
{
	free(path->links);
	*path = (struct critical_path){ 0 };
}
