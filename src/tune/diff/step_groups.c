/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/step_groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

struct named {
	const char *step;
	size_t task;
};

static int by_step(const void *one_, const void *other_)
{
	const struct named *one = one_, *other = other_;
	int order = strcmp(one->step, other->step);

	return order ? order : (one->task > other->task) - (one->task < other->task);
}

static void divide(struct step_groups *groups, const struct named *named, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || strcmp(named[i].step, named[i - 1].step) != 0)
			groups->items[groups->count++] =
				(struct step_group){ named[i].step, &groups->tasks[i], 0, false };
		groups->items[groups->count - 1].count++;
		groups->tasks[i] = named[i].task;
		groups->of_task[named[i].task] = groups->count - 1;
	}
}

int step_groups_make(struct step_groups *groups, const struct step_task *tasks, size_t count)
{
	CLEANUP(freep) struct named *named = calloc(count + 1, sizeof(*named));

	groups->items = calloc(count + 1, sizeof(*groups->items));
	groups->tasks = calloc(count + 1, sizeof(*groups->tasks));
	groups->of_task = calloc(count + 1, sizeof(*groups->of_task));
	if (!named || !groups->items || !groups->tasks || !groups->of_task)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		named[i] = (struct named){ tasks[i].step, i };
	qsort(named, count, sizeof(*named), by_step);
	divide(groups, named, count);
	return 0;
}

/* The name after the first `most` of both; NULL: there are no more. */
static const char *name_after(const struct step_groups *from, const struct step_groups *to,
			      size_t most)
{
	size_t i = 0, k = 0;

	while (i < from->count || k < to->count) {
		int order = i == from->count ? 1
			    : k == to->count ? -1
					     : strcmp(from->items[i].step, to->items[k].step);

		if (most-- == 0)
			return order <= 0 ? from->items[i].step : to->items[k].step;
		i += order <= 0;
		k += order >= 0;
	}
	return NULL;
}

/* The tasks of these groups follow each other. */
static void join_from(struct step_groups *groups, const char *name)
{
	size_t first = 0, count = groups->count;

	while (first < count && strcmp(groups->items[first].step, name) < 0)
		first++;
	if (first == count)
		return;
	for (size_t i = first; i < count; i++) {
		const struct step_group *group = &groups->items[i];

		for (size_t k = 0; k < group->count; k++)
			groups->of_task[group->tasks[k]] = first;
		if (i > first)
			groups->items[first].count += group->count;
	}
	groups->items[first].step = name;
	groups->items[first].is_rest = true;
	groups->count = first + 1;
}

void step_groups_limit(struct step_groups *from, struct step_groups *to, size_t most)
{
	const char *name = name_after(from, to, most);

	if (!name)
		return;
	join_from(from, name);
	join_from(to, name);
}

void step_groups_clear(struct step_groups *groups)
{
	free(groups->items);
	free(groups->tasks);
	free(groups->of_task);
	*groups = (struct step_groups){ 0 };
}
