/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/step_path.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"

#define CLASS(factor) ((factor)-DIFF_CLASS_FIRST)

static int64_t take(double ns, int64_t *left)
{
	int64_t taken = ns > 0 ? (int64_t)fmin(round(ns), (double)*left) : 0;

	if (taken > *left)
		taken = *left;
	*left -= taken;
	return taken;
}

static enum diff_factor largest_of(const struct step_path *path)
{
	size_t largest = 0;

	for (size_t i = 1; i < DIFF_CLASS_COUNT; i++)
		if (path->classes[i] > path->classes[largest])
			largest = i;
	return path->classes[largest] ? DIFF_CLASS_FIRST + largest : DIFF_UNKNOWN;
}

void step_path_add_classes(struct step_path *path, const struct wall *wall, int64_t ns)
{
	/* Of the classes but computing and unknown, which begin and end the list. */
	const enum wall_part first = WALL_COMPUTING + 1;
	double serial_ns = fmin(wall->serial_ns, wall->ns[WALL_COMPUTING]);

	path->classes[CLASS(DIFF_SERIAL)] += take(serial_ns, &ns);
	path->classes[CLASS(DIFF_PARALLEL)] += take(wall->ns[WALL_COMPUTING] - serial_ns, &ns);
	for (enum wall_part part = first; part < WALL_UNKNOWN; part++)
		path->classes[CLASS(DIFF_RUNNABLE) + part - first] += take(wall->ns[part], &ns);
	/* Rounding is no time that is not known. */
	path->classes[CLASS(ns <= WALL_PARTS ? largest_of(path) : DIFF_UNKNOWN)] += ns;
}

static void add_to(double *sum, double value)
{
	*sum = *sum < 0 || value < 0 ? -1 : *sum + value;
}

static void add_task(struct step_path *path, const struct step_task *task)
{
	path->tasks++;
	add_to(&path->input_bytes, task->input_bytes);
	add_to(&path->task_wall_ns, task->wall_ns);
}

static void add_span(struct step_path *path, const struct diff_span *span)
{
	int64_t ns = span->span.ended_at - span->span.began_at;

	if (span->span.waits) {
		path->waiting_ns += ns;
		return;
	}
	path->running_ns += ns;
	step_path_add_classes(path, &span->wall, ns);
}

int step_path_find(const struct diff_run *run, const size_t *step_of, size_t count,
		   struct step_path *ret)
{
	CLEANUP(freep) bool *seen = calloc(run->task_count + 1, sizeof(*seen));

	if (!seen)
		return -ENOMEM;
	for (size_t i = 0; i <= count; i++)
		ret[i] = (struct step_path){ 0 };
	for (size_t i = 0; i < run->span_count; i++) {
		const struct diff_span *span = &run->spans[i];
		size_t task = span->span.task;
		bool is_engine = task >= run->task_count;
		struct step_path *path = &ret[is_engine ? count : step_of[task]];

		add_span(path, span);
		if (is_engine || span->span.waits || seen[task])
			continue;
		seen[task] = true; /* it may go on after a gap */
		add_task(path, &run->tasks[task]);
	}
	return 0;
}
