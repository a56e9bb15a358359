/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/tune.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/tune_step.h"

/* A finding is a line here and a file of its own. */
static tune_finder *const finders[] = { tune_memory, tune_cpus };

static const char *step_of(const struct tune_task *task)
{
	return task->step ? task->step : "";
}

struct place {
	const struct tune_task *task;
	size_t index; /* in the run */
	size_t first; /* of the first task of its step */
};

static int by_step(const void *a, const void *b)
{
	const struct place *one = a, *other = b;
	int order = strcmp(step_of(one->task), step_of(other->task));
	return order != 0 ? order : (one->index > other->index) - (one->index < other->index);
}

static int by_first(const void *a, const void *b)
{
	const struct place *one = a, *other = b;
	if (one->first != other->first)
		return one->first < other->first ? -1 : 1;
	return (one->index > other->index) - (one->index < other->index);
}

/* Tasks by step, steps in the order in which they first appear. */
static struct place *sort_tasks(const struct tune_run *run)
{
	struct place *places = calloc(run->task_count, sizeof(*places));
	if (!places)
		return NULL;
	for (size_t i = 0; i < run->task_count; i++)
		places[i] = (struct place){ .task = &run->tasks[i], .index = i };
	qsort(places, run->task_count, sizeof(*places), by_step);
	for (size_t i = 0; i < run->task_count; i++) {
		bool same =
			i > 0 && strcmp(step_of(places[i].task), step_of(places[i - 1].task)) == 0;
		places[i].first = same ? places[i - 1].first : places[i].index;
	}
	qsort(places, run->task_count, sizeof(*places), by_first);
	return places;
}

static int find_in_steps(const struct tune_run *run, const struct place *places,
			 const struct tune_task *const *tasks, tune_finder *finder,
			 struct findings *ret)
{
	size_t end = 0;
	for (size_t i = 0; i < run->task_count; i = end) {
		while (end < run->task_count && places[end].first == places[i].first)
			end++;
		struct tune_step step = { .engine = run->engine,
					  .name = step_of(tasks[i]),
					  .tasks = tasks + i,
					  .count = end - i };
		int rc = finder(&step, ret);
		if (rc != 0)
			return rc;
	}
	return 0;
}

int tune_find(const struct tune_run *run, struct findings *ret)
{
	if (run->task_count == 0)
		return 0;
	CLEANUP(freep) struct place *places = sort_tasks(run);
	CLEANUP(freep)
	const struct tune_task **tasks = calloc(run->task_count, sizeof(struct tune_task *));
	if (!places || !tasks)
		return -ENOMEM;
	for (size_t i = 0; i < run->task_count; i++)
		tasks[i] = places[i].task;
	for (size_t i = 0; i < sizeof(finders) / sizeof(finders[0]); i++) {
		int rc = find_in_steps(run, places, tasks, finders[i], ret);
		if (rc != 0)
			return rc;
	}
	return 0;
}
