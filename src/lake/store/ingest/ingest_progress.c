/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/ingest_progress.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"

struct ingest_progress {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t acknowledged, stored;
	bool failing, held, ended, wanted; /* wanted: another attempt */
	uint64_t failures;
	struct error why; /* failing */
};

struct ingest_progress *ingest_progress_new(void)
{
	struct ingest_progress *progress = calloc(1, sizeof(*progress));
	pthread_condattr_t attributes;

	if (!progress)
		return NULL;
	pthread_mutex_init(&progress->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&progress->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	return progress;
}

void ingest_progress_free(struct ingest_progress *progress)
{
	if (!progress)
		return;
	pthread_cond_destroy(&progress->changed);
	pthread_mutex_destroy(&progress->lock);
	free(progress);
}

static struct timespec after(uint64_t ns)
{
	uint64_t until_ns = clock_monotonic_ns() + ns;

	return (struct timespec){ (time_t)(until_ns / NS_PER_S), (long)(until_ns % NS_PER_S) };
}

void ingest_progress_acknowledge(struct ingest_progress *progress, uint64_t order)
{
	pthread_mutex_lock(&progress->lock);
	if (order > progress->acknowledged)
		progress->acknowledged = order;
	pthread_mutex_unlock(&progress->lock);
}

void ingest_progress_store(struct ingest_progress *progress, uint64_t order)
{
	pthread_mutex_lock(&progress->lock);
	if (order > progress->stored)
		progress->stored = order;
	progress->failing = false;
	pthread_cond_broadcast(&progress->changed);
	pthread_mutex_unlock(&progress->lock);
}

void ingest_progress_fail(struct ingest_progress *progress, const struct error *why)
{
	pthread_mutex_lock(&progress->lock);
	progress->failing = true;
	progress->failures++;
	progress->why = *why;
	pthread_cond_broadcast(&progress->changed);
	pthread_mutex_unlock(&progress->lock);
}

bool ingest_progress_is_failing(struct ingest_progress *progress, struct error *ret_why)
{
	bool failing;

	pthread_mutex_lock(&progress->lock);
	failing = progress->failing;
	if (failing && ret_why)
		*ret_why = progress->why;
	pthread_mutex_unlock(&progress->lock);
	return failing;
}

bool ingest_progress_retry(struct ingest_progress *progress, uint64_t limit_ns,
			   struct error *ret_why)
{
	const struct timespec until = after(limit_ns);
	uint64_t failures;
	bool failing;
	int rc = 0;

	pthread_mutex_lock(&progress->lock);
	failures = progress->failures;
	progress->wanted = progress->failing;
	pthread_cond_broadcast(&progress->changed);
	while (!rc && progress->failing && progress->failures == failures)
		rc = pthread_cond_timedwait(&progress->changed, &progress->lock, &until);
	failing = progress->failing;
	if (failing)
		*ret_why = progress->why;
	pthread_mutex_unlock(&progress->lock);
	return !failing;
}

void ingest_progress_hold(struct ingest_progress *progress, bool held)
{
	pthread_mutex_lock(&progress->lock);
	progress->held = held;
	pthread_cond_broadcast(&progress->changed);
	pthread_mutex_unlock(&progress->lock);
}

void ingest_progress_end(struct ingest_progress *progress)
{
	pthread_mutex_lock(&progress->lock);
	progress->ended = true;
	pthread_cond_broadcast(&progress->changed);
	pthread_mutex_unlock(&progress->lock);
}

bool ingest_progress_wait(struct ingest_progress *progress, uint64_t limit_ns)
{
	const struct timespec until = after(limit_ns);
	uint64_t wanted;
	bool stored;
	int rc = 0;

	pthread_mutex_lock(&progress->lock);
	wanted = progress->acknowledged;
	while (!rc && progress->stored < wanted && !progress->failing && !progress->held)
		rc = pthread_cond_timedwait(&progress->changed, &progress->lock, &until);
	stored = progress->stored >= wanted;
	pthread_mutex_unlock(&progress->lock);
	return stored;
}

bool ingest_progress_pause(struct ingest_progress *progress, uint64_t pause_ns)
{
	const struct timespec until = after(pause_ns);
	bool ended;
	int rc = 0;

	pthread_mutex_lock(&progress->lock);
	while (!rc && !progress->ended && !progress->wanted)
		rc = pthread_cond_timedwait(&progress->changed, &progress->lock, &until);
	progress->wanted = false;
	ended = progress->ended;
	pthread_mutex_unlock(&progress->lock);
	return ended;
}
