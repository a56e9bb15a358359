/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/end/flow_times.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tune/history/quantiles.h"

/* From this part of the most tasks at once on the run counts as full. */
#define FULL 0.9

static bool counts(const struct step_task *task)
{
	return task->end == STEP_TASK_SUCCEEDED && task->started_at > 0 &&
	       task->ended_at >= task->started_at;
}

static int64_t first_begin(const struct step_history *steps, size_t step_count, const char *run_id)
{
	int64_t first = INT64_MAX;
	for (size_t i = 0; i < step_count; i++) {
		const struct step_history_run *run = step_history_run(&steps[i], run_id);
		for (size_t j = 0; run && j < run->count; j++) {
			const struct step_task *task = steps[i].tasks[run->first + j];
			if (counts(task) && task->started_at < first)
				first = task->started_at;
		}
	}
	return first;
}

static size_t count_tasks(const struct step_history *steps, size_t step_count, const char *run_id)
{
	size_t count = 0;
	for (size_t i = 0; i < step_count; i++) {
		const struct step_history_run *run = step_history_run(&steps[i], run_id);
		count += run ? run->count : 0;
	}
	return count;
}

static void fill(const struct step_history *history, const char *run_id, int64_t first,
		 struct step_times *ret)
{
	const struct step_history_run *run = step_history_run(history, run_id);

	for (size_t i = 0; run && i < run->count; i++) {
		const struct step_task *task = history->tasks[run->first + i];
		if (!counts(task))
			continue;
		ret->starts[ret->count] = (double)(task->started_at - first);
		ret->ends[ret->count++] = (double)(task->ended_at - first);
	}
	quantiles_sort(ret->starts, ret->count);
	quantiles_sort(ret->ends, ret->count);
}

/* Walks over all begins and ends; calls visit with how many run from one instant to the next. */
static void walk(const double *starts, const double *ends, size_t count, struct flow_times *times)
{
	size_t began = 0, ended = 0;
	double last = 0, full_ns = 0;

	for (size_t i = 0; i < 2 * count && ended < count; i++) {
		bool begins = began < count && starts[began] < ends[ended];
		double now = begins ? starts[began] : ends[ended];
		size_t running = began - ended;
		if ((double)running >= FULL * (double)times->at_once)
			full_ns += now - last;
		last = now;
		began += begins;
		ended += !begins;
		if (began - ended > times->at_once) {
			times->at_once = began - ended;
			full_ns = 0;
		}
	}
	times->part_at_most = last > 0 ? full_ns / last : 0;
}

static int find_at_once(struct flow_times *times, size_t count)
{
	CLEANUP(freep) double *starts = malloc((count + 1) * sizeof(*starts));
	CLEANUP(freep) double *ends = malloc((count + 1) * sizeof(*ends));
	size_t all = 0;

	if (!starts || !ends)
		return -ENOMEM;
	for (size_t i = 0; i < times->step_count; i++)
		for (size_t j = 0; j < times->steps[i].count; j++) {
			starts[all] = times->steps[i].starts[j];
			ends[all++] = times->steps[i].ends[j];
		}
	quantiles_sort(starts, all);
	quantiles_sort(ends, all);
	walk(starts, ends, all, times); /* finds the most */
	walk(starts, ends, all, times); /* how long there were so many */
	return 0;
}

int flow_times_find(const struct step_history *steps, size_t step_count, const char *run_id,
		    struct flow_times *ret)
{
	int64_t first = first_begin(steps, step_count, run_id);
	size_t count = count_tasks(steps, step_count, run_id), used = 0;
	struct flow_times times = { .step_count = step_count };
	int error = 0;

	times.steps = calloc(step_count + 1, sizeof(*times.steps));
	times.memory = malloc((2 * count + 1) * sizeof(*times.memory));
	if (!times.steps || !times.memory)
		error = -ENOMEM;
	for (size_t i = 0; error == 0 && i < step_count; i++) {
		const struct step_history_run *run = step_history_run(&steps[i], run_id);
		size_t most = run ? run->count : 0;
		times.steps[i].starts = times.memory + used;
		times.steps[i].ends = times.memory + used + most;
		used += 2 * most;
		fill(&steps[i], run_id, first, &times.steps[i]);
	}
	if (error == 0)
		error = find_at_once(&times, count);
	if (error) {
		flow_times_clear(&times);
		return error;
	}
	*ret = times;
	return 0;
}

void flow_times_clear(struct flow_times *times)
{
	free(times->steps);
	free(times->memory);
	*times = (struct flow_times){ 0 };
}
