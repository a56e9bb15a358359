/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "cost/sheet_private.h"
#include "cost/sheet_rows.h"

size_t sheet_row_add(struct sheet_rows *rows, const char *key, const char *id)
{
	struct sheet_row *row;

	if (!SHEET_GROW(rows->items, rows->count))
		return SIZE_MAX;
	row = &rows->items[rows->count++];
	*row = (struct sheet_row){ .key = strdup(key),
				   .id = strdup(id),
				   .input_bytes = -1,
				   .priced = true,
				   .host = SIZE_MAX,
				   .first_run = SIZE_MAX };
	return row->key && row->id ? rows->count - 1 : SIZE_MAX;
}

size_t sheet_row_find(struct sheet_rows *rows, const char *key, const char *id)
{
	const char *name = *id ? id : key;
	struct map_text_key text = map_text_key(name, strlen(name));
	size_t at = (size_t)(uintptr_t)map_get(rows->index, &text);

	if (at)
		return at - 1;
	at = sheet_row_add(rows, key, id);
	return at == SIZE_MAX || map_put(rows->index, &text, (void *)(uintptr_t)(at + 1)) ? SIZE_MAX
											  : at;
}

enum seen_kind { SEEN_TASK, SEEN_RUN, SEEN_SAMPLE };

/* Whether it is the first time, in this row. < 0: -ENOMEM. */
static int first_time(struct sheet_rows *rows, size_t row, enum seen_kind kind, uint64_t thing)
{
	const uint64_t place[] = { row, (uint64_t)kind, thing };
	const struct map_text_key key = map_text_key((const char *)place, sizeof(place));

	if (map_get(rows->seen, &key))
		return 0;
	return map_put(rows->seen, &key, rows) ? -ENOMEM : 1;
}

int sheet_row_count_run(struct sheet_rows *rows, size_t at, size_t run)
{
	struct sheet_row *row = &rows->items[at];
	int first = row->first_run == SIZE_MAX;

	if (first)
		row->first_run = run;
	else if (row->first_run != run)
		first = first_time(rows, at, SEEN_RUN, run);
	if (first > 0)
		row->runs++;
	return first < 0 ? first : 0;
}

int sheet_row_count_sample(struct sheet_rows *rows, size_t at, const char *sample)
{
	struct sheet_row *row = &rows->items[at];
	int first = !row->first_sample;

	if (first)
		row->first_sample = sample;
	else if (row->first_sample != sample)
		first = first_time(rows, at, SEEN_SAMPLE, (uintptr_t)sample);
	if (first > 0)
		row->samples++;
	return first < 0 ? first : 0;
}

int sheet_row_count_task(struct sheet_rows *rows, size_t at, size_t task)
{
	return first_time(rows, at, SEEN_TASK, task);
}
