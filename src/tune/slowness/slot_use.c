/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/slot_use.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define BRIEF 0.01 /* of the time: an overlap of one task's end and another one's begin */

static int by_instant(const void *one_, const void *other_)
{
	const struct slot_point *one = one_, *other = other_;

	return (one->at > other->at) - (one->at < other->at);
}

static int by_taken(const void *one_, const void *other_)
{
	const struct slot_point *one = one_, *other = other_;

	return (one->taken < other->taken) - (one->taken > other->taken);
}

/* From changes to levels and sums. */
static void add_up(struct slot_use *use)
{
	double taken = 0, sum = 0;

	for (size_t i = 0; i < use->count; i++) {
		struct slot_point *point = &use->points[i];

		if (i > 0)
			sum += taken * (double)(point->at - use->points[i - 1].at);
		taken += point->taken;
		point->taken = taken;
		point->sum = sum;
	}
}

/* Each level with the time that it lasted, the highest first. */
static int find_peak(struct slot_use *use)
{
	CLEANUP(freep) struct slot_point *levels = calloc(use->count + 1, sizeof(*levels));
	double all = 0, above = 0;

	if (!levels)
		return -ENOMEM;
	for (size_t i = 0; i + 1 < use->count; i++) {
		levels[i].taken = use->points[i].taken;
		levels[i].sum = (double)(use->points[i + 1].at - use->points[i].at);
		all += levels[i].sum;
	}
	qsort(levels, use->count, sizeof(*levels), by_taken);
	for (size_t i = 0; i < use->count; i++) {
		above += levels[i].sum;
		use->peak = levels[i].taken;
		if (above > BRIEF * all)
			break;
	}
	return 0;
}

int slot_use_make(struct slot_use *use, const struct flow *flow, const double *weights)
{
	*use = (struct slot_use){ 0 };
	use->points = calloc(2 * flow->task_count + 1, sizeof(*use->points));
	if (!use->points)
		return -ENOMEM;
	for (size_t i = 0; i < flow->task_count; i++) {
		const struct flow_task *task = &flow->tasks[i];

		if (!task->started_at || task->ended_at <= task->started_at)
			continue;
		use->points[use->count++] = (struct slot_point){ task->started_at, weights[i], 0 };
		use->points[use->count++] = (struct slot_point){ task->ended_at, -weights[i], 0 };
	}
	qsort(use->points, use->count, sizeof(*use->points), by_instant);
	add_up(use);
	return find_peak(use);
}

void slot_use_clear(struct slot_use *use)
{
	free(use->points);
	*use = (struct slot_use){ 0 };
}

/* Slots × ns from the first task's begin to then. */
static double sum_until(const struct slot_use *use, int64_t at)
{
	size_t low = 0, high = use->count;
	const struct slot_point *point;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (use->points[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;
	point = &use->points[low - 1];
	return point->sum + point->taken * (double)(at - point->at);
}

double slot_use_mean(const struct slot_use *use, int64_t from, int64_t to)
{
	return to > from ? (sum_until(use, to) - sum_until(use, from)) / (double)(to - from) : 0;
}
