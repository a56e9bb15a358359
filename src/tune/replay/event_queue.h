/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* A priority queue: the entry with the lowest key first; of equal keys, that with the lowest
 * number. It has room for as many entries as it was made for. Pure. */
struct event_queue {
	struct event {
		double key;
		size_t number;
	} * events; /* a heap: events[0] is the first */
	size_t count;
};

/* 0, or -ENOMEM. event_queue_clear in any case. */
int event_queue_make(struct event_queue *queue, size_t room);
void event_queue_clear(struct event_queue *queue);
void event_queue_put(struct event_queue *queue, double key, size_t number);
/* Of a queue that is not empty. */
struct event event_queue_take(struct event_queue *queue);
