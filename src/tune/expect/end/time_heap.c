/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/end/time_heap.h"

static void swap(struct time_entry *a, struct time_entry *b)
{
	struct time_entry other = *a;
	*a = *b;
	*b = other;
}

void time_heap_push(struct time_heap *heap, double at_ns, size_t step)
{
	size_t at = heap->count++;

	heap->entries[at] = (struct time_entry){ at_ns, step };
	while (at > 0 && heap->entries[(at - 1) / 2].at_ns > heap->entries[at].at_ns) {
		swap(&heap->entries[(at - 1) / 2], &heap->entries[at]);
		at = (at - 1) / 2;
	}
}

static size_t earlier_child(const struct time_heap *heap, size_t at)
{
	size_t child = 2 * at + 1;
	if (child + 1 < heap->count && heap->entries[child + 1].at_ns < heap->entries[child].at_ns)
		child++;
	return child;
}

struct time_entry time_heap_pop(struct time_heap *heap)
{
	struct time_entry first = heap->entries[0];
	size_t at = 0, child;

	heap->entries[0] = heap->entries[--heap->count];
	while ((child = earlier_child(heap, at)) < heap->count &&
	       heap->entries[child].at_ns < heap->entries[at].at_ns) {
		swap(&heap->entries[child], &heap->entries[at]);
		at = child;
	}
	return first;
}
