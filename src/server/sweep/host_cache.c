/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/host_cache.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "server/sweep/host_read.h"
#include "server/sweep/host_series.h"

struct host_cache {
	pthread_mutex_t lock;
	struct host_series *minutes, *hours;
};

struct host_cache *host_cache_new(void)
{
	struct host_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return NULL;
	pthread_mutex_init(&cache->lock, NULL);
	cache->minutes = host_series_new(&HOST_MINUTES);
	cache->hours = host_series_new(&HOST_HOURS);
	if (!cache->minutes || !cache->hours) {
		host_cache_free(cache);
		return NULL;
	}
	return cache;
}

void host_cache_free(struct host_cache *cache)
{
	if (!cache)
		return;
	host_series_free(cache->minutes);
	host_series_free(cache->hours);
	pthread_mutex_destroy(&cache->lock);
	free(cache);
}

static int fill(struct host_series *series, struct server *server, int64_t now_at,
		const struct sweep_hosts *hosts, struct error *err)
{
	int rc;

	for (size_t i = 0; i < hosts->count; i++) {
		if (host_series_lacks(series, hosts->hosts[i].id, hosts->hosts[i].up_since)) {
			host_series_forget(series);
			break;
		}
	}
	rc = host_series_fill(series, server, now_at, err);
	for (size_t i = 0; rc == 0 && i < hosts->count; i++)
		rc = host_series_know(series, hosts->hosts[i].id);
	return rc;
}

static int copy(const struct host_series *minutes, const struct host_series *hours, int64_t now_at,
		struct sweep_hosts *hosts)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < hosts->count; i++) {
		struct sweep_host *host = &hosts->hosts[i];
		void *items = NULL;

		rc = host_series_copy(minutes, host->id, now_at, &items, &host->minute_count);
		host->minutes = items;
		if (rc == 0)
			rc = host_series_copy(hours, host->id, now_at, &items, &host->hour_count);
		if (rc == 0)
			host->hours = items;
	}
	return rc;
}

static int fill_both(struct host_series *minutes, struct host_series *hours, struct server *server,
		     int64_t now_at, struct sweep_hosts *hosts, struct error *err)
{
	int rc = fill(minutes, server, now_at, hosts, err);

	if (rc == 0)
		rc = fill(hours, server, now_at, hosts, err);
	return rc ? rc : copy(minutes, hours, now_at, hosts);
}

/* Of an instant long before the last sweep, or without a cache. */
static int fill_alone(struct server *server, int64_t now_at, struct sweep_hosts *hosts,
		      struct error *err)
{
	CLEANUP(host_series_freep) struct host_series *minutes = host_series_new(&HOST_MINUTES);
	CLEANUP(host_series_freep) struct host_series *hours = host_series_new(&HOST_HOURS);

	if (!minutes || !hours)
		return -ENOMEM;
	return fill_both(minutes, hours, server, now_at, hosts, err);
}

int host_cache_fill(struct host_cache *cache, struct server *server, int64_t now_at,
		    struct sweep_hosts *hosts, struct error *err)
{
	bool reaches;
	int rc = 0;

	if (!cache)
		return fill_alone(server, now_at, hosts, err);
	pthread_mutex_lock(&cache->lock);
	reaches = host_series_reaches(cache->minutes, now_at) &&
		  host_series_reaches(cache->hours, now_at) &&
		  now_at <= clock_real_ns() + 60 * NS_PER_S;
	if (reaches)
		rc = fill_both(cache->minutes, cache->hours, server, now_at, hosts, err);
	pthread_mutex_unlock(&cache->lock);
	return reaches ? rc : fill_alone(server, now_at, hosts, err);
}
