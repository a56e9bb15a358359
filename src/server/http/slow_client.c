/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/slow_client.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

struct guard_place {
	struct guard_place *next, **link;
	uint64_t since_ns; /* 0: nothing is awaited */
	int fd;
};

struct guard {
	pthread_mutex_t lock;
	struct guard_place *first;
	uint64_t patience_ns;
	unsigned count;
};

struct guard *guard_new(uint64_t patience_ns)
{
	struct guard *guard = calloc(1, sizeof(*guard));

	if (!guard)
		return NULL;
	pthread_mutex_init(&guard->lock, NULL);
	guard->patience_ns = patience_ns;
	return guard;
}

void guard_free(struct guard *guard)
{
	if (!guard)
		return;
	while (guard->first)
		guard_end(guard, guard->first);
	pthread_mutex_destroy(&guard->lock);
	free(guard);
}

struct guard_place *guard_begin(struct guard *guard, int fd, uint64_t now_ns)
{
	struct guard_place *place = calloc(1, sizeof(*place));

	if (!place)
		return NULL;
	place->fd = fd;
	place->since_ns = now_ns;
	pthread_mutex_lock(&guard->lock);
	place->next = guard->first;
	place->link = &guard->first;
	if (place->next)
		place->next->link = &place->next;
	guard->first = place;
	guard->count++;
	pthread_mutex_unlock(&guard->lock);
	return place;
}

void guard_end(struct guard *guard, struct guard_place *place)
{
	if (!place)
		return;
	pthread_mutex_lock(&guard->lock);
	*place->link = place->next;
	if (place->next)
		place->next->link = place->link;
	guard->count--;
	pthread_mutex_unlock(&guard->lock);
	free(place);
}

static void set_since(struct guard *guard, struct guard_place *place, uint64_t since_ns)
{
	if (!place)
		return;
	pthread_mutex_lock(&guard->lock);
	place->since_ns = since_ns;
	pthread_mutex_unlock(&guard->lock);
}

void guard_arrived(struct guard *guard, struct guard_place *place)
{
	set_since(guard, place, 0);
}

void guard_awaits(struct guard *guard, struct guard_place *place, uint64_t now_ns)
{
	set_since(guard, place, now_ns);
}

unsigned guard_sweep(struct guard *guard, uint64_t now_ns)
{
	unsigned ended = 0;

	pthread_mutex_lock(&guard->lock);
	for (struct guard_place *place = guard->first; place; place = place->next) {
		if (!place->since_ns || now_ns < place->since_ns + guard->patience_ns)
			continue;
		shutdown(place->fd, SHUT_RDWR);
		place->since_ns = 0;
		ended++;
	}
	pthread_mutex_unlock(&guard->lock);
	return ended;
}

unsigned guard_count(struct guard *guard)
{
	unsigned count;

	pthread_mutex_lock(&guard->lock);
	count = guard->count;
	pthread_mutex_unlock(&guard->lock);
	return count;
}
