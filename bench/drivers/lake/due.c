/* SPDX-License-Identifier: Apache-2.0 */
#include "due.h"

#include <assert.h>
#include <stdlib.h>

struct entry {
	uint64_t at_ns;
	unsigned sender;
};

struct due {
	unsigned count, capacity;
	struct entry entries[];
};

struct due *due_new(unsigned capacity)
{
	struct due *due = calloc(1, sizeof(*due) + capacity * sizeof(struct entry));

	if (due)
		due->capacity = capacity;
	return due;
}

void due_free(struct due *due)
{
	free(due);
}

static void swap(struct entry *a, struct entry *b)
{
	struct entry kept = *a;

	*a = *b;
	*b = kept;
}

void due_add(struct due *due, uint64_t at_ns, unsigned sender)
{
	unsigned at = due->count++;

	assert(at < due->capacity);
	due->entries[at] = (struct entry){ at_ns, sender };
	while (at && due->entries[(at - 1) / 2].at_ns > due->entries[at].at_ns) {
		swap(&due->entries[at], &due->entries[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
}

uint64_t due_first_ns(const struct due *due)
{
	return due->count ? due->entries[0].at_ns : UINT64_MAX;
}

unsigned due_take(struct due *due)
{
	unsigned taken = due->entries[0].sender, at = 0;

	due->entries[0] = due->entries[--due->count];
	for (;;) {
		unsigned child = 2 * at + 1;

		if (child + 1 < due->count &&
		    due->entries[child + 1].at_ns < due->entries[child].at_ns)
			child++;
		if (child >= due->count || due->entries[child].at_ns >= due->entries[at].at_ns)
			return taken;
		swap(&due->entries[at], &due->entries[child]);
		at = child;
	}
}
