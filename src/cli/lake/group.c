/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/group.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/cleanup.h"

static void add(json_t *group, const char *key, const json_t *value)
{
	json_int_t sum = json_integer_value(json_object_get(group, key));
	json_int_t more = json_is_boolean(value) ? json_is_true(value) : json_integer_value(value);

	if (!json_is_boolean(value) && !json_is_integer(value))
		return;
	if (__builtin_add_overflow(sum, more, &sum))
		sum = INT64_MAX;
	json_object_set_new(group, key, json_integer(sum));
}

static json_t *group_of(json_t *groups, const char *name)
{
	json_t *group = json_object_get(groups, name);

	if (!group) {
		group = json_pack("{s:s}", "name", name);
		if (json_object_set_new(groups, name, group) < 0)
			return NULL;
	}
	return group;
}

static void gather(json_t *groups, const json_t *row, const struct grouping *grouping)
{
	struct buffer name CLEANUP(buffer_clear) = { 0 };
	json_t *group;

	buffer_init(&name, 0);
	grouping->name(&name, row);
	group = name.len > 0 && !name.failed ? group_of(groups, name.data) : NULL;
	if (!group)
		return;
	for (const char *const *key = grouping->sums; *key; key++)
		add(group, *key, json_object_get(row, *key));
}

static double order_of(const json_t *group, const struct grouping *grouping)
{
	double order = 0;

	for (int i = 0; i < grouping->order_sums; i++)
		order += json_number_value(json_object_get(group, grouping->sums[i]));
	return order;
}

struct ranked {
	json_t *group;
	double order;
};

static int largest_first(const void *a_, const void *b_)
{
	const struct ranked *a = a_, *b = b_;

	return (a->order < b->order) - (a->order > b->order);
}

json_t *group_rows(const json_t *rows, const struct grouping *grouping)
{
	json_t *groups CLEANUP(json_decrefp) = json_object();
	json_t *sorted = json_array(), *group;
	struct ranked *ranked CLEANUP(freep) = NULL;
	const json_t *row;
	const char *name;
	size_t i, count = 0;

	json_array_foreach(rows, i, row) gather(groups, row, grouping);
	ranked = calloc(json_object_size(groups) + 1, sizeof(*ranked));
	if (!ranked || !sorted) {
		json_decref(sorted);
		return NULL;
	}
	json_object_foreach(groups, name, group) ranked[count++] =
		(struct ranked){ group, order_of(group, grouping) };
	qsort(ranked, count, sizeof(*ranked), largest_first);
	for (i = 0; i < count; i++)
		json_array_append(sorted, ranked[i].group);
	return sorted;
}
