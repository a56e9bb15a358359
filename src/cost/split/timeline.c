/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/split/timeline.h"

#include <errno.h>
#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
	const struct split_entry *one = *(struct split_entry *const *)a;
	const struct split_entry *other = *(struct split_entry *const *)b;
	return (one->since_at > other->since_at) - (one->since_at < other->since_at);
}

static int by_place(const void *a, const void *b)
{
	const struct split_entry *one = *(struct split_entry *const *)a;
	const struct split_entry *other = *(struct split_entry *const *)b;
	return (one > other) - (one < other);
}

int timeline_make(struct timeline *timeline, struct split_entry *entries, size_t count)
{
	*timeline = (struct timeline){ .count = count };
	timeline->starts = calloc(count + 1, sizeof(struct split_entry *));
	timeline->active = calloc(count + 1, sizeof(struct split_entry *));
	timeline->arrived = calloc(count + 1, sizeof(struct split_entry *));
	if (!timeline->starts || !timeline->active || !timeline->arrived)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		timeline->starts[i] = &entries[i];
	qsort(timeline->starts, count, sizeof(struct split_entry *), by_start);
	return 0;
}

static void leave_ended(struct timeline *timeline, int64_t since_at)
{
	size_t kept = 0;
	for (size_t i = 0; i < timeline->active_count; i++)
		if (timeline->active[i]->until_at > since_at)
			timeline->active[kept++] = timeline->active[i];
	timeline->active_count = kept;
}

static size_t take_up(struct timeline *timeline, int64_t since_at, int64_t until_at)
{
	size_t count = 0;
	while (timeline->next < timeline->count &&
	       timeline->starts[timeline->next]->since_at < until_at) {
		struct split_entry *entry = timeline->starts[timeline->next++];
		if (entry->until_at > since_at)
			timeline->arrived[count++] = entry;
	}
	return count;
}

void timeline_visit(struct timeline *timeline, int64_t since_at, int64_t until_at)
{
	leave_ended(timeline, since_at);
	size_t count = take_up(timeline, since_at, until_at), old = timeline->active_count;
	size_t end = old + count;
	qsort(timeline->arrived, count, sizeof(struct split_entry *), by_place);
	timeline->active_count = end;
	while (count > 0) /* merges from the end, where there is room */
		timeline->active[--end] =
			old > 0 && timeline->active[old - 1] > timeline->arrived[count - 1]
				? timeline->active[--old]
				: timeline->arrived[--count];
}

void timeline_clear(struct timeline *timeline)
{
	free(timeline->starts);
	free(timeline->active);
	free(timeline->arrived);
}
