/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "lake/store/store_reader.h"

/*
 * Answers requests that ask the store, in a few threads of their own: the threads of libmicrohttpd,
 * which take batches, never wait for a query. A request waits in line for one of the threads; a
 * line that is full, or a wait that is too long, is answered at once. One more thread looks whether
 * the clients are still there: the queries of one that has gone end.
 */
#define QUERY_POOL_THREADS 4
#define QUERY_POOL_WAITING 64 /* requests in line */
#define QUERY_POOL_WAIT_S  30 /* in line at most */
#define QUERY_POOL_RETRY_S 5  /* when a refused one may be sent again */

struct query_pool;

/* One request, in memory of the caller from query_pool_put() until done(). */
struct query_job {
	void *context;
	void (*run)(struct query_job *job); /* in a thread of the pool, with .reader in use */
	/* It ran (0), or did not: -EBUSY waited too long, -ECANCELED the client or the server goes.
	 * In a thread of the pool; the job is no more afterwards. */
	void (*done)(struct query_job *job, int rc);
	int fd; /* of the client */
	struct store_reader reader;

	/* The pool's */
	struct query_job *next, **link;
	uint64_t number; /* of no other job of the pool, as fd may be */
	uint64_t expires_ns;
};

/* limit_ns: how long a job may run. -ENOMEM, -EAGAIN with words. */
int query_pool_start(struct query_pool **ret, uint64_t limit_ns, struct error *err);
/* -EBUSY: the line is full; -ECANCELED: it was stopped. Then nothing is called. */
int query_pool_put(struct query_pool *pool, struct query_job *job);
/* Ends what runs and waits; done() of all has returned then. NULL is fine. */
void query_pool_stop(struct query_pool *pool);
/* After query_pool_stop. NULL is fine. */
void query_pool_free(struct query_pool *pool);
/* How many jobs were put; *ret_busy: one of them runs or waits. */
uint64_t query_pool_count(struct query_pool *pool, bool *ret_busy);
