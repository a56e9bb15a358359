/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* A priority queue of instants, each of a step, the earliest first. Pure. */
struct time_entry {
	double at_ns;
	size_t step;
};

struct time_heap {
	struct time_entry *entries; /* owned by the caller, with room for all that is pushed */
	size_t count;
};

void time_heap_push(struct time_heap *heap, double at_ns, size_t step);
/* Removes the earliest one; the heap is not empty. */
struct time_entry time_heap_pop(struct time_heap *heap);
