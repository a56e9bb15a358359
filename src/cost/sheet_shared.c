/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "cost/sheet_private.h"

static bool is_same(const struct sheet_task *a, const struct sheet_task *b)
{
	return a->run == b->run && strcmp(a->id, b->id) == 0;
}

/* The place of a task, or the free one where it belongs: open addressing, half of them stay free.
 */
static size_t place_of(const struct sheet *sheet, const size_t *places, size_t mask, size_t index)
{
	const struct sheet_task *task = &sheet->tasks[index];
	/* Hostile ids cannot be chosen to meet: the seed is of the process. */
	struct hash_seed seed = hash_seed(0);
	size_t place;

	seed.words[0] ^= task->run;
	place = hash_bytes(seed, task->id, strlen(task->id)) & mask;
	while (places[place] && !is_same(task, &sheet->tasks[places[place] - 1]))
		place = (place + 1) & mask;
	return place;
}

int sheet_find_shared(struct sheet *sheet)
{
	size_t size = 16;
	CLEANUP(freep) size_t *places = NULL;

	while (size < 2 * sheet->task_count)
		size *= 2;
	places = calloc(size, sizeof(*places));
	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < sheet->task_count; i++) {
		struct sheet_task *task = &sheet->tasks[i];
		size_t place;

		task->first = i;
		if (!*task->id)
			continue;
		place = place_of(sheet, places, size - 1, i);
		if (places[place]) {
			task->first = places[place] - 1;
			task->shared = sheet->tasks[task->first].shared = true;
		} else {
			places[place] = i + 1;
		}
	}
	return 0;
}
