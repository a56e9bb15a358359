/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cost/sheet_rows.h"

struct place {
	int64_t cost;
	const struct sheet_row *row;
	size_t index;
};

static int most_expensive_first(const void *a_, const void *b_)
{
	const struct place *one = a_, *other = b_;
	const struct sheet_row *a = one->row, *b = other->row;
	int order;

	if (one->cost != other->cost)
		return one->cost > other->cost ? -1 : 1;
	if (a->cpu_ns != b->cpu_ns)
		return a->cpu_ns > b->cpu_ns ? -1 : 1;
	order = strcmp(a->key, b->key);
	return order ? order : strcmp(a->id, b->id);
}

static int last_first(const void *a, const void *b)
{
	return strcmp(((const struct place *)b)->row->key, ((const struct place *)a)->row->key);
}

static int by_time(const void *a_, const void *b_)
{
	const struct sheet_point *a = a_, *b = b_;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

int sheet_rows_sort(struct sheet_rows *rows, const char *by)
{
	struct place *places = calloc(rows->count + 1, sizeof(*places));
	struct sheet_row *sorted = calloc(rows->count + 1, sizeof(*sorted));
	size_t *moved = calloc(rows->count + 1, sizeof(*moved));
	bool good = places && sorted && moved;

	for (size_t i = 0; good && i < rows->count; i++)
		places[i] = (struct place){ cost_part_sum(&rows->items[i].part) +
						    rows->items[i].unallocated_nusd,
					    &rows->items[i], i };
	if (good && rows->count)
		qsort(places, rows->count, sizeof(*places),
		      strcmp(by, "day") == 0 ? last_first : most_expensive_first);
	for (size_t i = 0; good && i < rows->count; i++) {
		sorted[i] = *places[i].row;
		moved[places[i].index] = i;
	}
	for (size_t i = 0; good && i < rows->point_count; i++)
		if (rows->points[i].row != SIZE_MAX)
			rows->points[i].row = moved[rows->points[i].row];
	if (good && rows->point_count)
		qsort(rows->points, rows->point_count, sizeof(*rows->points), by_time);
	free(places);
	free(moved);
	if (!good) {
		free(sorted);
		return -ENOMEM;
	}
	free(rows->items);
	rows->items = sorted;
	return 0;
}
