/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/query_pool.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"

#define LOOK_MS  1000 /* after this the waits are looked at again, while there are any */
#define JOBS_MAX (QUERY_POOL_THREADS + QUERY_POOL_WAITING)

struct query_pool {
	pthread_mutex_t lock;
	pthread_cond_t work;
	pthread_t threads[QUERY_POOL_THREADS], watcher;
	unsigned threads_count;
	bool has_watcher, stopping;
	int changed; /* an eventfd: the watcher looks again */
	uint64_t limit_ns;
	struct query_job *waiting, **waiting_end, *running;
	unsigned waiting_count;
	uint64_t last_number;
};

/* The clients that the watcher looks at, and the numbers of their jobs. */
struct clients {
	struct pollfd polled[1 + JOBS_MAX]; /* the first is pool->changed */
	uint64_t numbers[1 + JOBS_MAX];
	size_t count;
};

static void wake_watcher(struct query_pool *pool)
{
	const uint64_t one = 1;

	(void)!write(pool->changed, &one, sizeof(one));
}

/* With the lock held, as the three below. */
static void push(struct query_pool *pool, struct query_job *job)
{
	job->next = NULL;
	job->link = pool->waiting_end;
	*pool->waiting_end = job;
	pool->waiting_end = &job->next;
	pool->waiting_count++;
}

static void take_out(struct query_pool *pool, struct query_job *job, bool waits)
{
	*job->link = job->next;
	if (job->next)
		job->next->link = job->link;
	else if (waits)
		pool->waiting_end = job->link;
	pool->waiting_count -= waits;
}

static struct query_job *begin_next(struct query_pool *pool)
{
	struct query_job *job = pool->waiting;

	take_out(pool, job, true);
	job->next = pool->running;
	job->link = &pool->running;
	if (job->next)
		job->next->link = &job->next;
	pool->running = job;
	return job;
}

static void *run_thread(void *context)
{
	struct query_pool *pool = context;

	pthread_mutex_lock(&pool->lock);
	while (true) {
		struct query_job *job;

		while (!pool->waiting && !pool->stopping)
			pthread_cond_wait(&pool->work, &pool->lock);
		if (!pool->waiting)
			break;
		job = begin_next(pool);
		if (pool->stopping)
			job->reader.gone = true;
		job->reader.until_ns = clock_monotonic_ns() + pool->limit_ns;
		pthread_mutex_unlock(&pool->lock);
		store_reader_use(&job->reader);
		job->run(job);
		store_reader_use(NULL);
		pthread_mutex_lock(&pool->lock);
		take_out(pool, job, false);
		pthread_mutex_unlock(&pool->lock);
		job->done(job, 0);
		pthread_mutex_lock(&pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

static void list_jobs(struct clients *clients, const struct query_job *job)
{
	for (; job; job = job->next) {
		clients->numbers[clients->count] = job->number;
		clients->polled[clients->count++] =
			(struct pollfd){ .fd = job->reader.gone ? -1 : job->fd,
					 .events = POLLRDHUP };
	}
}

/* Fills what to poll with the clients of all jobs; with the lock held. */
static void list_clients(const struct query_pool *pool, struct clients *clients)
{
	clients->polled[0] = (struct pollfd){ .fd = pool->changed, .events = POLLIN };
	clients->count = 1;
	list_jobs(clients, pool->running);
	list_jobs(clients, pool->waiting);
}

/* A job that came since they were polled has none of the numbers, also if its connection has the
 * descriptor of one that was closed meanwhile. */
static bool has_gone(const struct clients *clients, const struct query_job *job)
{
	for (size_t i = 1; i < clients->count; i++)
		if (clients->numbers[i] == job->number)
			return clients->polled[i].revents &
			       (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL);
	return false;
}

/* The jobs in line that do not wait any longer, as a list; with the lock held. */
static struct query_job *take_ended(struct query_pool *pool, const struct clients *clients)
{
	struct query_job *ended = NULL, *next;
	uint64_t now_ns = clock_monotonic_ns();

	for (struct query_job *job = pool->running; job; job = job->next) {
		if (has_gone(clients, job))
			job->reader.gone = true;
	}
	for (struct query_job *job = pool->waiting; job; job = next) {
		next = job->next;
		job->reader.gone = pool->stopping || has_gone(clients, job);
		if (!job->reader.gone && now_ns < job->expires_ns)
			continue;
		take_out(pool, job, true);
		job->next = ended;
		ended = job;
	}
	return ended;
}

static void *run_watcher(void *context)
{
	struct query_pool *pool = context;
	struct clients clients;
	bool stopping = false;

	while (!stopping) {
		struct query_job *ended, *next;
		uint64_t changes;

		pthread_mutex_lock(&pool->lock);
		list_clients(pool, &clients);
		pthread_mutex_unlock(&pool->lock);
		if (poll(clients.polled, clients.count, clients.count > 1 ? LOOK_MS : -1) < 0)
			clients.count = 0;
		if (clients.count && clients.polled[0].revents)
			(void)!read(pool->changed, &changes, sizeof(changes));
		pthread_mutex_lock(&pool->lock);
		ended = take_ended(pool, &clients);
		stopping = pool->stopping;
		pthread_mutex_unlock(&pool->lock);
		for (; ended; ended = next) {
			next = ended->next;
			ended->done(ended, ended->reader.gone ? -ECANCELED : -EBUSY);
		}
	}
	return NULL;
}

static int start_threads(struct query_pool *pool, struct error *err)
{
	int rc = pthread_create(&pool->watcher, NULL, run_watcher, pool);

	pool->has_watcher = !rc;
	while (!rc && pool->threads_count < QUERY_POOL_THREADS) {
		rc = pthread_create(&pool->threads[pool->threads_count], NULL, run_thread, pool);
		pool->threads_count += !rc;
	}
	return rc ? error_set(err, -rc, "cannot start a thread: %s", strerror(rc)) : 0;
}

int query_pool_start(struct query_pool **ret, uint64_t limit_ns, struct error *err)
{
	struct query_pool *pool = calloc(1, sizeof(*pool));
	int rc;

	if (!pool)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pool->waiting_end = &pool->waiting;
	pool->limit_ns = limit_ns;
	pool->changed = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	rc = pool->changed < 0 ? error_set(err, -errno, "cannot make an eventfd")
			       : start_threads(pool, err);
	if (rc) {
		query_pool_stop(pool);
		query_pool_free(pool);
		return rc;
	}
	*ret = pool;
	return 0;
}

int query_pool_put(struct query_pool *pool, struct query_job *job)
{
	int rc = 0;

	pthread_mutex_lock(&pool->lock);
	if (pool->stopping)
		rc = -ECANCELED;
	else if (pool->waiting_count >= QUERY_POOL_WAITING)
		rc = -EBUSY;
	job->expires_ns = clock_monotonic_ns() + QUERY_POOL_WAIT_S * NS_PER_S;
	job->number = ++pool->last_number;
	if (!rc) {
		push(pool, job);
		pthread_cond_signal(&pool->work);
		wake_watcher(pool);
	}
	pthread_mutex_unlock(&pool->lock);
	return rc;
}

uint64_t query_pool_count(struct query_pool *pool, bool *ret_busy)
{
	uint64_t count;

	pthread_mutex_lock(&pool->lock);
	count = pool->last_number;
	*ret_busy = pool->running || pool->waiting;
	pthread_mutex_unlock(&pool->lock);
	return count;
}

void query_pool_stop(struct query_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->stopping = true;
	for (struct query_job *job = pool->running; job; job = job->next)
		job->reader.gone = true;
	pthread_cond_broadcast(&pool->work);
	if (pool->has_watcher)
		wake_watcher(pool);
	pthread_mutex_unlock(&pool->lock);
	for (; pool->threads_count; pool->threads_count--)
		pthread_join(pool->threads[pool->threads_count - 1], NULL);
	if (pool->has_watcher)
		pthread_join(pool->watcher, NULL);
	pool->has_watcher = false;
}

void query_pool_free(struct query_pool *pool)
{
	if (!pool)
		return;
	if (pool->changed >= 0)
		close(pool->changed);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}
