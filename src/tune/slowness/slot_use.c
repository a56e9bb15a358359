/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/slot_use.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define WHOLE 1e-6 /* sums of weights that are equal differ by less */
#define BRIEF 0.01 /* of the time: an overlap of one task's end and another one's begin */

static int by_instant(const void *one_, const void *other_)
{
	const struct slot_point *one = one_, *other = other_;

	return (one->at > other->at) - (one->at < other->at);
}

/* From changes to levels. */
static void add_up(struct slot_use *use)
{
	double taken = 0;

	for (size_t i = 0; i < use->count; i++)
		use->points[i].taken = taken += use->points[i].taken;
}

struct level {
	double taken, ns;
};

static int by_taken(const void *one_, const void *other_)
{
	const struct level *one = one_, *other = other_;

	return (one->taken < other->taken) - (one->taken > other->taken);
}

/* Each level with the time that it lasted, the highest first. */
static int find_peak(struct slot_use *use)
{
	CLEANUP(freep) struct level *levels = calloc(use->count + 1, sizeof(*levels));
	double all = 0, above = 0;

	if (!levels)
		return -ENOMEM;
	for (size_t i = 0; i + 1 < use->count; i++) {
		levels[i].taken = use->points[i].taken;
		levels[i].ns = (double)(use->points[i + 1].at - use->points[i].at);
		all += levels[i].ns;
	}
	qsort(levels, use->count, sizeof(*levels), by_taken);
	for (size_t i = 0; i < use->count; i++) {
		above += levels[i].ns;
		use->peak = levels[i].taken;
		if (above > BRIEF * all)
			break;
	}
	return 0;
}

static int by_weight(const void *one_, const void *other_)
{
	const double *one = one_, *other = other_;

	return (*one > *other) - (*one < *other);
}

/* Each of the weights once, the least first. */
static int find_sizes(struct slot_use *use, const double *weights, size_t count)
{
	CLEANUP(freep) double *sorted = calloc(count + 1, sizeof(*sorted));

	use->sizes = calloc(SLOT_SIZES_MAX, sizeof(*use->sizes));
	if (!sorted || !use->sizes)
		return -ENOMEM;
	if (count)
		memcpy(sorted, weights, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_weight);
	for (size_t i = 0; i < count && use->size_count < SLOT_SIZES_MAX; i++)
		if (i == 0 || sorted[i] > sorted[i - 1])
			use->sizes[use->size_count++].weight = sorted[i];
	return 0;
}

/* From that point on. One that is larger than all slots runs alone. */
static bool has_no_room(const struct slot_use *use, const struct slot_size *size, size_t point)
{
	double taken = use->points[point].taken;

	return taken > WHOLE && taken + size->weight > use->peak + WHOLE;
}

static int add_up_full(struct slot_use *use, struct slot_size *size)
{
	size->full = calloc(use->count + 1, sizeof(*size->full));
	if (!size->full)
		return -ENOMEM;
	for (size_t i = 1; i < use->count; i++) {
		double lasted = (double)(use->points[i].at - use->points[i - 1].at);

		size->full[i] = size->full[i - 1] + (has_no_room(use, size, i - 1) ? lasted : 0);
	}
	return 0;
}

int slot_use_make(struct slot_use *use, const struct flow *flow, const double *weights)
{
	int rc;

	*use = (struct slot_use){ 0 };
	use->points = calloc(2 * flow->task_count + 1, sizeof(*use->points));
	if (!use->points)
		return -ENOMEM;
	for (size_t i = 0; i < flow->task_count; i++) {
		const struct flow_task *task = &flow->tasks[i];

		if (!task->started_at || task->ended_at <= task->started_at)
			continue;
		use->points[use->count++] = (struct slot_point){ task->started_at, weights[i] };
		use->points[use->count++] = (struct slot_point){ task->ended_at, -weights[i] };
	}
	qsort(use->points, use->count, sizeof(*use->points), by_instant);
	add_up(use);
	rc = find_peak(use);
	if (rc == 0)
		rc = find_sizes(use, weights, flow->task_count);
	for (size_t i = 0; rc == 0 && i < use->size_count; i++)
		rc = add_up_full(use, &use->sizes[i]);
	return rc;
}

void slot_use_clear(struct slot_use *use)
{
	for (size_t i = 0; i < use->size_count; i++)
		free(use->sizes[i].full);
	free(use->sizes);
	free(use->points);
	*use = (struct slot_use){ 0 };
}

/* Ns until then in which a task of that size had no room. */
static double full_until(const struct slot_use *use, const struct slot_size *size, int64_t at)
{
	size_t low = 0, high = use->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (use->points[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;
	return size->full[low - 1] +
	       (has_no_room(use, size, low - 1) ? (double)(at - use->points[low - 1].at) : 0);
}

double slot_use_full(const struct slot_use *use, double weight, int64_t from, int64_t to)
{
	const struct slot_size *size = use->sizes;

	if (to <= from || !use->size_count)
		return 0;
	for (size_t i = 1; i < use->size_count && use->sizes[i].weight <= weight; i++)
		size = &use->sizes[i];
	return (full_until(use, size, to) - full_until(use, size, from)) / (double)(to - from);
}
