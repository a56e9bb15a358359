/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/input_slope.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"

#define DIFFERS 1.1 /* inputs of a pair */
#define RISING  0.8 /* share of the pairs: with fewer the input does not decide */

struct point {
	double input_bytes, wall_ns;
};

struct slopes {
	double *items;
	size_t count;
};

static int by_input(const void *one_, const void *other_)
{
	const struct point *one = one_, *other = other_;

	if (one->input_bytes != other->input_bytes)
		return one->input_bytes < other->input_bytes ? -1 : 1;
	return (one->wall_ns > other->wall_ns) - (one->wall_ns < other->wall_ns);
}

static int by_value(const void *one_, const void *other_)
{
	const double *one = one_, *other = other_;

	return (*one > *other) - (*one < *other);
}

/* Sorted; how many there are then. */
static size_t points_of(const struct diff_run *run, const struct step_group *step,
			struct point *points)
{
	size_t count = 0, taken;

	for (size_t i = 0; i < step->count; i++) {
		const struct step_task *task = &run->tasks[step->tasks[i]];

		if (task->end == STEP_TASK_SUCCEEDED && task->input_bytes > 0 && task->wall_ns > 0)
			points[count++] = (struct point){ task->input_bytes, task->wall_ns };
	}
	qsort(points, count, sizeof(*points), by_input);
	taken = count < INPUT_SLOPE_MOST ? count : INPUT_SLOPE_MOST;
	for (size_t i = 0; taken < count && i < taken; i++)
		points[i] = points[i * (count - 1) / (taken - 1)];
	return taken;
}

/* How many of the points are in a pair. */
static size_t add_pairs(const struct point *points, size_t count, struct slopes *slopes)
{
	size_t least = count, used = 0;

	for (size_t k = 1; k < count; k++) {
		size_t before = slopes->count;

		for (size_t i = 0; i < k; i++) {
			double grown = points[k].input_bytes - points[i].input_bytes;

			if (points[k].input_bytes < DIFFERS * points[i].input_bytes)
				break;
			slopes->items[slopes->count++] =
				(points[k].wall_ns - points[i].wall_ns) / grown;
			if (i + 1 > used)
				used = i + 1;
		}
		if (slopes->count > before && least == count)
			least = k;
	}
	if (used > least)
		used = least;
	return used + (count - least);
}

static double slope_of(struct slopes *slopes)
{
	size_t rising = 0;

	qsort(slopes->items, slopes->count, sizeof(*slopes->items), by_value);
	for (size_t i = 0; i < slopes->count; i++)
		rising += slopes->items[i] > 0;
	if ((double)rising < RISING * (double)slopes->count)
		return 0;
	return slopes->items[slopes->count / 2];
}

static size_t pairs_of(const struct step_group *step)
{
	size_t taken = step->count < INPUT_SLOPE_MOST ? step->count : INPUT_SLOPE_MOST;

	return taken * (taken - 1) / 2;
}

int input_slope_find(const struct diff_run *const runs[2], const struct step_group *const steps[2],
		     struct input_slope *ret)
{
	size_t most = steps[0]->count > steps[1]->count ? steps[0]->count : steps[1]->count;
	CLEANUP(freep) struct point *points = calloc(most + 1, sizeof(*points));
	CLEANUP(freep)
	double *items = calloc(1 + pairs_of(steps[0]) + pairs_of(steps[1]), sizeof(*items));
	struct slopes slopes = { items, 0 };

	*ret = (struct input_slope){ .ns_per_byte = -1 };
	if (!points || !items)
		return -ENOMEM;
	for (size_t i = 0; i < 2; i++)
		ret->tasks += add_pairs(points, points_of(runs[i], steps[i], points), &slopes);
	if (ret->tasks >= INPUT_SLOPE_TASKS)
		ret->ns_per_byte = slope_of(&slopes);
	return 0;
}
