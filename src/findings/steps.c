/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static const char *step_of(const struct finding_task *task)
{
	return task->step ? task->step : "";
}

struct place {
	const struct finding_task *task;
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
static struct place *sort_tasks(const struct finding_task *tasks, size_t count)
{
	struct place *places = calloc(count, sizeof(*places));
	if (!places)
		return NULL;
	for (size_t i = 0; i < count; i++)
		places[i] = (struct place){ .task = &tasks[i], .index = i };
	qsort(places, count, sizeof(*places), by_step);
	for (size_t i = 0; i < count; i++) {
		bool same =
			i > 0 && strcmp(step_of(places[i].task), step_of(places[i - 1].task)) == 0;
		places[i].first = same ? places[i - 1].first : places[i].index;
	}
	qsort(places, count, sizeof(*places), by_first);
	return places;
}

int steps_make(const struct finding_task *tasks, size_t count, struct steps *ret)
{
	if (count == 0)
		return 0;
	CLEANUP(freep) struct place *places = sort_tasks(tasks, count);
	ret->tasks = calloc(count, sizeof(struct finding_task *));
	ret->items = calloc(count, sizeof(*ret->items));
	if (!places || !ret->tasks || !ret->items)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		ret->tasks[i] = places[i].task;
		if (i == 0 || places[i].first != places[i - 1].first)
			ret->items[ret->count++] =
				(struct finding_step){ .name = step_of(places[i].task),
						       .tasks = &ret->tasks[i] };
		ret->items[ret->count - 1].count++;
	}
	return 0;
}

void steps_clear(struct steps *steps)
{
	free(steps->items);
	free(steps->tasks);
}
