/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/slow_path.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"

struct ended {
	int64_t ended_at;
	size_t task;
};

struct building {
	const struct flow *flow;
	struct ended *ended; /* tasks that ended, by their end */
	size_t ended_count;
	struct slow_path *path; /* the last span first, until it is turned round */
};

static int by_end(const void *one_, const void *other_)
{
	const struct ended *one = one_, *other = other_;

	if (one->ended_at != other->ended_at)
		return one->ended_at < other->ended_at ? -1 : 1;
	return (one->task > other->task) - (one->task < other->task);
}

static void add(struct building *building, size_t task, bool waits, int64_t from, int64_t to)
{
	if (to > from)
		building->path->spans[building->path->count++] =
			(struct slow_span){ task, waits, from, to };
}

/* How many tasks ended by then. */
static size_t ended_until(const struct building *building, int64_t at)
{
	size_t low = 0, high = building->ended_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (building->ended[middle].ended_at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* From `to` back: the task that ended last before is what was waited for, the rest is the engine's.
 */
static void go_back(struct building *building, int64_t from, int64_t to)
{
	size_t left = ended_until(building, to);
	int64_t at = to;

	while (left > 0 && at > from && building->ended[left - 1].ended_at > from) {
		const struct ended *last = &building->ended[left - 1];
		int64_t started_at = building->flow->tasks[last->task].started_at;

		left--;
		if (last->ended_at > at || started_at >= at)
			continue;
		if (started_at < from)
			started_at = from;
		add(building, SLOW_ENGINE, false, last->ended_at, at);
		add(building, last->task, false, started_at, last->ended_at);
		at = started_at;
	}
	add(building, SLOW_ENGINE, false, from, at);
}

static void follow(struct building *building, const struct critical_path *path)
{
	int64_t at = building->flow->ended_at;

	if (path->count)
		add(building, SLOW_ENGINE, false, path->links[path->count - 1].until_at, at);
	for (size_t i = path->count; i-- > 0;) {
		const struct critical_link *link = &path->links[i];
		int64_t began_at = link->until_at - link->running_ns;

		add(building, link->task, false, began_at, link->until_at);
		add(building, link->task, true, began_at - link->waiting_ns, began_at);
		at = began_at - link->waiting_ns;
	}
	go_back(building, building->flow->began_at, at);
}

static void turn_round(struct slow_path *path)
{
	for (size_t i = 0; i < path->count / 2; i++) {
		struct slow_span span = path->spans[i];

		path->spans[i] = path->spans[path->count - 1 - i];
		path->spans[path->count - 1 - i] = span;
	}
}

static int sort(struct building *building)
{
	const struct flow *flow = building->flow;

	building->ended = calloc(flow->task_count + 1, sizeof(*building->ended));
	if (!building->ended)
		return -ENOMEM;
	for (size_t i = 0; i < flow->task_count; i++)
		if (flow->tasks[i].ended_at && flow->tasks[i].started_at)
			building->ended[building->ended_count++] =
				(struct ended){ flow->tasks[i].ended_at, i };
	qsort(building->ended, building->ended_count, sizeof(*building->ended), by_end);
	return 0;
}

int slow_path_find(const struct flow *flow, struct slow_path *ret)
{
	struct building building = { .flow = flow, .path = ret };
	CLEANUP(critical_path_clear) struct critical_path path = { 0 };
	int rc = critical_path_find(flow, &path);

	*ret = (struct slow_path){ 0 };
	if (rc == 0)
		rc = sort(&building);
	if (rc == 0) {
		/* Each task is on the path twice at most, and before it once, with a gap. */
		ret->spans = calloc(4 * flow->task_count + 4, sizeof(*ret->spans));
		rc = ret->spans ? 0 : -ENOMEM;
	}
	if (rc == 0) {
		follow(&building, &path);
		turn_round(ret);
	}
	free(building.ended);
	return rc;
}

void slow_path_clear(struct slow_path *path)
{
	free(path->spans);
	*path = (struct slow_path){ 0 };
}
