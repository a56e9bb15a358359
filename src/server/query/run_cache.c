/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/query/run.h"

struct kept {
	char id[RUN_ID_SIZE];
	struct run_stamp stamp;
	uint64_t until_ns; /* of an open run */
	uint64_t asked_ns;
	size_t weight;
	void *value; /* NULL: the place is free */
};

struct run_cache {
	const struct run_cache_kind *kind;
	pthread_mutex_t lock;
	struct kept kept[]; /* kind->runs_max */
};

struct run_cache *run_cache_new(const struct run_cache_kind *kind)
{
	struct run_cache *cache =
		calloc(1, sizeof(*cache) + kind->runs_max * sizeof(cache->kept[0]));

	if (!cache)
		return NULL;
	cache->kind = kind;
	pthread_mutex_init(&cache->lock, NULL);
	return cache;
}

static void forget(struct run_cache *cache, struct kept *kept)
{
	if (kept->value)
		cache->kind->release(kept->value);
	*kept = (struct kept){ 0 };
}

void run_cache_free(struct run_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->kind->runs_max; i++)
		forget(cache, &cache->kept[i]);
	pthread_mutex_destroy(&cache->lock);
	free(cache);
}

static struct kept *find(struct run_cache *cache, const char *id)
{
	for (size_t i = 0; i < cache->kind->runs_max; i++)
		if (cache->kept[i].value && strcmp(cache->kept[i].id, id) == 0)
			return &cache->kept[i];
	return NULL;
}

static bool is_right(const struct kept *kept, const struct run_stamp *stamp, uint64_t now_ns)
{
	if (stamp->open || kept->stamp.open)
		return stamp->open && kept->stamp.open && now_ns < kept->until_ns;
	return stamp->value == kept->stamp.value;
}

void *run_cache_get(struct run_cache *cache, const char *id, const struct run_stamp *stamp,
		    uint64_t now_ns)
{
	void *value = NULL;
	struct kept *kept;

	pthread_mutex_lock(&cache->lock);
	kept = find(cache, id);
	if (kept && is_right(kept, stamp, now_ns)) {
		kept->asked_ns = now_ns;
		value = kept->value;
		cache->kind->hold(value);
	}
	pthread_mutex_unlock(&cache->lock);
	return value;
}

void *run_cache_last(struct run_cache *cache, const char *id)
{
	void *value = NULL;
	struct kept *kept;

	pthread_mutex_lock(&cache->lock);
	kept = find(cache, id);
	if (kept) {
		kept->asked_ns = clock_monotonic_ns();
		value = kept->value;
		cache->kind->hold(value);
	}
	pthread_mutex_unlock(&cache->lock);
	return value;
}

/* Forgets the run asked for longest ago while the values are too heavy, or there is no free place.
 * Returns a free place; NULL: the new value alone is too heavy. */
static struct kept *make_place(struct run_cache *cache, size_t weight)
{
	while (weight <= cache->kind->weight_max) {
		struct kept *place = NULL, *oldest = NULL;
		size_t all = weight;

		for (size_t i = 0; i < cache->kind->runs_max; i++) {
			struct kept *kept = &cache->kept[i];

			if (!kept->value) {
				place = kept;
				continue;
			}
			all += kept->weight;
			if (!oldest || kept->asked_ns < oldest->asked_ns)
				oldest = kept;
		}
		if (place && all <= cache->kind->weight_max)
			return place;
		if (!oldest)
			break;
		forget(cache, oldest);
	}
	return NULL;
}

void run_cache_put(struct run_cache *cache, const char *id, const struct run_stamp *stamp,
		   void *value, size_t weight, uint64_t began_ns)
{
	uint64_t now_ns = clock_monotonic_ns();
	struct kept *kept;

	pthread_mutex_lock(&cache->lock);
	kept = find(cache, id);
	if (kept)
		forget(cache, kept);
	kept = make_place(cache, weight);
	if (kept) {
		*kept = (struct kept){ .stamp = *stamp,
				       .until_ns = now_ns + 10 * (now_ns - began_ns),
				       .asked_ns = now_ns,
				       .weight = weight,
				       .value = value };
		memcpy(kept->id, id, strnlen(id, sizeof(kept->id) - 1));
		cache->kind->hold(value);
	}
	pthread_mutex_unlock(&cache->lock);
}
