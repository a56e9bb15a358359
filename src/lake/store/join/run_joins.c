/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/join/run_joins.h"

#include "lake/store/join/merged_runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct run_joins {
	struct run_join *list, *resolved; /* texts of list are owned */
	size_t count, capacity;
	struct merged_runs *runs; /* of the parts in the list */
};

struct run_joins *run_joins_new(void)
{
	struct run_joins *joins = calloc(1, sizeof(*joins));

	if (joins)
		joins->runs = merged_runs_new();
	if (joins && !joins->runs) {
		free(joins);
		return NULL;
	}
	return joins;
}

static void clear_join(struct run_join *join)
{
	free((void *)(uintptr_t)join->part_id);
	free((void *)(uintptr_t)join->run_id);
	free((void *)(uintptr_t)join->reason);
	free((void *)(uintptr_t)join->value);
}

static void clear_list(struct run_joins *joins)
{
	for (size_t i = 0; i < joins->count; i++)
		clear_join(&joins->list[i]);
	free(joins->list);
	free(joins->resolved);
	joins->list = joins->resolved = NULL;
	joins->count = joins->capacity = 0;
}

void run_joins_free(struct run_joins *joins)
{
	if (!joins)
		return;
	clear_list(joins);
	merged_runs_free(joins->runs);
	free(joins);
}

static int grow(struct run_joins *joins)
{
	size_t capacity = joins->capacity ? 2 * joins->capacity : 16;
	struct run_join *list = realloc(joins->list, capacity * sizeof(*list));

	if (!list)
		return -ENOMEM;
	joins->list = list;
	joins->capacity = capacity;
	return 0;
}

int run_joins_add(struct run_joins *joins, const struct run_join *join)
{
	struct run_join copy;

	if (joins->count == joins->capacity && grow(joins))
		return -ENOMEM;
	copy = (struct run_join){ .part_id = strdup(join->part_id),
				  .run_id = strdup(join->run_id),
				  .reason = strdup(join->reason),
				  .value = strdup(join->value) };
	joins->list[joins->count++] = copy;
	if (!copy.part_id || !copy.run_id || !copy.reason || !copy.value)
		return -ENOMEM;
	return merged_runs_add(joins->runs, copy.part_id, copy.run_id);
}

size_t run_joins_count(const struct run_joins *joins)
{
	return joins->count;
}

int run_joins_resolve(struct run_joins *joins, const struct run_join **ret)
{
	free(joins->resolved);
	joins->resolved = calloc(joins->count + 1, sizeof(*joins->resolved));
	if (!joins->resolved)
		return -ENOMEM;
	for (size_t i = 0; i < joins->count; i++) {
		joins->resolved[i] = joins->list[i];
		joins->resolved[i].run_id = merged_runs_find(joins->runs, joins->list[i].run_id);
	}
	*ret = joins->resolved;
	return 0;
}

void run_joins_clear(struct run_joins *joins)
{
	struct merged_runs *empty = joins->count ? merged_runs_new() : NULL;

	if (empty) {
		merged_runs_free(joins->runs);
		joins->runs = empty;
	}
	clear_list(joins);
}
