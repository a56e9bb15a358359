/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/event_queue.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

int event_queue_make(struct event_queue *queue, size_t room)
{
	queue->count = 0;
	queue->events = calloc(room + 1, sizeof(*queue->events));
	return queue->events ? 0 : -ENOMEM;
}

void event_queue_clear(struct event_queue *queue)
{
	free(queue->events);
	*queue = (struct event_queue){ 0 };
}

static bool is_less(const struct event *one, const struct event *other)
{
	return one->key < other->key || (one->key == other->key && one->number < other->number);
}

static void swap(struct event_queue *queue, size_t one, size_t other)
{
	struct event event = queue->events[one];

	queue->events[one] = queue->events[other];
	queue->events[other] = event;
}

void event_queue_put(struct event_queue *queue, double key, size_t number)
{
	size_t at = queue->count++;

	queue->events[at] = (struct event){ key, number };
	for (; at > 0 && is_less(&queue->events[at], &queue->events[(at - 1) / 2]);
	     at = (at - 1) / 2)
		swap(queue, at, (at - 1) / 2);
}

struct event event_queue_take(struct event_queue *queue)
{
	struct event first = queue->events[0];
	size_t at = 0, least = 0;

	queue->events[0] = queue->events[--queue->count];
	do {
		swap(queue, at, least);
		at = least;
		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < queue->count;
		     child++)
			if (is_less(&queue->events[child], &queue->events[least]))
				least = child;
	} while (least != at);
	return first;
}
