/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "cost/sheet_private.h"

struct place { /* of a task; index + 1 */
	uint64_t hash;
	size_t index;
};

static bool is_same(const struct sheet_task *a, const struct sheet_task *b)
{
	return a->run == b->run && strcmp(a->id, b->id) == 0;
}

/* The place of a task, or the free one where it belongs: open addressing, half of them stay free.
 * factor: odd, of this process, so that hostile ids cannot be chosen to meet. */
static struct place *place_of(const struct sheet *sheet, struct place *places, size_t mask,
			      uint64_t factor, const struct sheet_task *task)
{
	size_t at = (size_t)(task->hash * factor >> 24) & mask;

	while (places[at].index && (places[at].hash != task->hash ||
				    !is_same(task, &sheet->tasks[places[at].index - 1])))
		at = (at + 1) & mask;
	return &places[at];
}

int sheet_find_shared(struct sheet *sheet)
{
	const uint64_t factor = hash_seed(0).words[0] | 1;
	size_t size = 16;
	CLEANUP(freep) struct place *places = NULL;

	while (size < 2 * sheet->task_count)
		size *= 2;
	places = calloc(size, sizeof(*places));
	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < sheet->task_count; i++) {
		struct sheet_task *task = &sheet->tasks[i];
		struct place *place;

		task->first = i;
		if (!*task->id)
			continue;
		place = place_of(sheet, places, size - 1, factor, task);
		if (place->index) {
			task->first = place->index - 1;
			task->shared = sheet->tasks[task->first].shared = true;
		} else {
			*place = (struct place){ task->hash, i + 1 };
		}
	}
	return 0;
}
