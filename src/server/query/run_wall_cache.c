/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_wall_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/query/run.h"

#define RUNS_MAX   32
#define IMAGES_MAX 1000000 /* of all of them: some 180 MB */

struct kept {
	char id[RUN_ID_SIZE];
	struct run_wall_stamp stamp;
	uint64_t until_ns; /* of an open run */
	uint64_t asked_ns;
	struct run_wall *walls; /* NULL: the place is free */
};

struct run_wall_cache {
	pthread_mutex_t lock;
	struct kept kept[RUNS_MAX];
};

struct run_wall_cache *run_wall_cache_new(void)
{
	struct run_wall_cache *cache = calloc(1, sizeof(*cache));

	if (cache)
		pthread_mutex_init(&cache->lock, NULL);
	return cache;
}

static void forget(struct kept *kept)
{
	run_wall_put(kept->walls);
	*kept = (struct kept){ 0 };
}

void run_wall_cache_free(struct run_wall_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < RUNS_MAX; i++)
		forget(&cache->kept[i]);
	pthread_mutex_destroy(&cache->lock);
	free(cache);
}

static struct kept *find(struct run_wall_cache *cache, const char *id)
{
	for (size_t i = 0; i < RUNS_MAX; i++)
		if (cache->kept[i].walls && strcmp(cache->kept[i].id, id) == 0)
			return &cache->kept[i];
	return NULL;
}

static bool is_right(const struct kept *kept, const struct run_wall_stamp *stamp, uint64_t now_ns)
{
	if (stamp->open || kept->stamp.open)
		return stamp->open && kept->stamp.open && now_ns < kept->until_ns;
	return stamp->value == kept->stamp.value;
}

struct run_wall *run_wall_cache_get(struct run_wall_cache *cache, const char *id,
				    const struct run_wall_stamp *stamp, uint64_t now_ns)
{
	struct run_wall *walls = NULL;
	struct kept *kept;

	pthread_mutex_lock(&cache->lock);
	kept = find(cache, id);
	if (kept && is_right(kept, stamp, now_ns)) {
		kept->asked_ns = now_ns;
		walls = kept->walls;
		atomic_fetch_add(&walls->references, 1);
	}
	pthread_mutex_unlock(&cache->lock);
	return walls;
}

/* Forgets the run asked for longest ago while there are too many images, or no free place. Returns
 * a free place; NULL: the new one alone is too large. */
static struct kept *make_place(struct run_wall_cache *cache, size_t images)
{
	while (images <= IMAGES_MAX) {
		struct kept *place = NULL, *oldest = NULL;
		size_t all = images;

		for (size_t i = 0; i < RUNS_MAX; i++) {
			struct kept *kept = &cache->kept[i];

			if (!kept->walls) {
				place = kept;
				continue;
			}
			all += kept->walls->image_count;
			if (!oldest || kept->asked_ns < oldest->asked_ns)
				oldest = kept;
		}
		if (place && all <= IMAGES_MAX)
			return place;
		forget(oldest);
	}
	return NULL;
}

void run_wall_cache_put(struct run_wall_cache *cache, const char *id,
			const struct run_wall_stamp *stamp, struct run_wall *walls,
			uint64_t began_ns)
{
	uint64_t now_ns = clock_monotonic_ns();
	struct kept *kept;

	pthread_mutex_lock(&cache->lock);
	kept = find(cache, id);
	if (kept)
		forget(kept);
	kept = make_place(cache, walls->image_count);
	if (kept) {
		*kept = (struct kept){ .stamp = *stamp,
				       .until_ns = now_ns + 10 * (now_ns - began_ns),
				       .asked_ns = now_ns,
				       .walls = walls };
		memcpy(kept->id, id, strnlen(id, sizeof(kept->id) - 1));
		atomic_fetch_add(&walls->references, 1);
	}
	pthread_mutex_unlock(&cache->lock);
}
