/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/query/query_pool.h"

/* The clients are ends of socket pairs. */
#define REQUESTS 2000
#define LIMIT_NS ((uint64_t)60 * 1000000000)

struct request {
	struct query_job job;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool is_ended, gone;
	int rc;
};

static void run(struct query_job *job)
{
	struct request *request = job->context;

	request->gone = job->reader.gone;
}

static void done(struct query_job *job, int rc)
{
	struct request *request = job->context;

	pthread_mutex_lock(&request->lock);
	request->rc = rc;
	request->is_ended = true;
	pthread_cond_signal(&request->ended);
	pthread_mutex_unlock(&request->lock);
}

static void ask(struct query_pool *pool, struct request *request, int fd)
{
	*request = (struct request){ .lock = PTHREAD_MUTEX_INITIALIZER,
				     .ended = PTHREAD_COND_INITIALIZER,
				     .job = { .run = run, .done = done, .fd = fd } };
	request->job.context = request;
	assert_int_equal(query_pool_put(pool, &request->job), 0);
	pthread_mutex_lock(&request->lock);
	while (!request->is_ended)
		pthread_cond_wait(&request->ended, &request->lock);
	pthread_mutex_unlock(&request->lock);
	pthread_cond_destroy(&request->ended);
	pthread_mutex_destroy(&request->lock);
}

/* A connection that begins has the descriptor of the one that ended just before. */
static void a_client_that_goes_ends_no_other_request(void **state)
{
	struct query_pool *pool = NULL;
	struct error err = { "" };

	assert_int_equal(query_pool_start(&pool, LIMIT_NS, &err), 0);
	for (int i = 0; i < REQUESTS; i++) {
		struct request request;
		int pair[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
		ask(pool, &request, pair[0]);
		assert_int_equal(request.rc, 0);
		assert_false(request.gone);
		close(pair[1]);
		close(pair[0]);
	}
	query_pool_stop(pool);
	query_pool_free(pool);
}

static void a_stopped_pool_takes_nothing(void **state)
{
	struct query_job job = { .run = run, .done = done, .fd = -1 };
	struct query_pool *pool = NULL;
	struct error err = { "" };

	assert_int_equal(query_pool_start(&pool, LIMIT_NS, &err), 0);
	query_pool_stop(pool);
	assert_true(query_pool_put(pool, &job) < 0);
	query_pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_client_that_goes_ends_no_other_request),
		cmocka_unit_test(a_stopped_pool_takes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
