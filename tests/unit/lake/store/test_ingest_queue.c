/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "lake/store/boundary.h"
#include "lake/store/ingest/ingest_queue.h"
#include "lake/store/ingest/ingest_request.h"

/* The queue alone: its thread waits in write() until the test lets it go on. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool held, writing;
static size_t groups, written;
static struct ingest_queue *open_queue;

static void write_group(void *context, struct ingest_request *first)
{
	pthread_mutex_lock(&lock);
	writing = true;
	pthread_cond_broadcast(&changed);
	while (held)
		pthread_cond_wait(&changed, &lock);
	groups++;
	ingest_queue_stored(open_queue);
	for (struct ingest_request *next; first; first = next) {
		next = first->next;
		written++;
		free(first);
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static const struct ingest_work WORK = { .period_ns = 100 * NS_PER_MS,
					 .bounded = true,
					 .write = write_group };

static int push(struct ingest_queue *queue, size_t records, size_t bytes)
{
	struct ingest_request *request = calloc(1, sizeof(*request));
	int rc;

	assert_non_null(request);
	request->records = records;
	request->bytes = bytes;
	rc = ingest_queue_push(queue, request);
	if (rc)
		free(request);
	return rc;
}

/* A queue with a thread that holds a first group. */
static struct ingest_queue *open_held(size_t records, size_t bytes)
{
	struct ingest_queue *queue = NULL;
	struct error err = { "" };

	held = true;
	writing = false;
	groups = written = 0;
	assert_int_equal(ingest_queue_open(&queue, &WORK, &err), 0);
	open_queue = queue;
	assert_int_equal(push(queue, records, bytes), 0);
	pthread_mutex_lock(&lock);
	while (!writing)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return queue;
}

static void let_go(void)
{
	pthread_mutex_lock(&lock);
	held = false;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void end(struct ingest_queue *queue, size_t expected)
{
	let_go();
	ingest_queue_stop(queue);
	assert_int_equal(written, expected);
	assert_int_equal(push(queue, 1, 1), -ECANCELED);
	ingest_queue_close(queue);
}

static void what_comes_while_a_group_is_written_is_the_next_group(void **state)
{
	struct ingest_queue *queue = open_held(1, 1);

	for (int i = 0; i < 50; i++)
		assert_int_equal(push(queue, 1, 1), 0);
	end(queue, 51);
	assert_int_equal(groups, 2);
}

static void a_group_ends_behind_so_many_records(void **state)
{
	struct ingest_queue *queue = open_held(1, 1);

	for (int i = 0; i < 3; i++)
		assert_int_equal(push(queue, INGEST_QUEUE_GROUP, 1), 0);
	end(queue, 4);
	assert_int_equal(groups, 4);
}

static void assert_full(struct ingest_queue *queue, size_t batches)
{
	assert_true(ingest_queue_is_full(queue));
	assert_int_equal(push(queue, 0, 0), -EAGAIN);
	end(queue, batches);
}

static void more_records_bytes_or_batches_than_may_wait_are_refused(void **state)
{
	struct ingest_queue *queue = open_held(1, 1);

	assert_int_equal(push(queue, INGEST_QUEUE_RECORDS_MAX - 2, 1), 0);
	assert_false(ingest_queue_is_full(queue));
	assert_int_equal(push(queue, 1, 1), 0);
	assert_full(queue, 3);
	queue = open_held(1, 1);
	assert_int_equal(push(queue, 1, INGEST_QUEUE_BYTES_MAX - 2), 0);
	assert_int_equal(push(queue, 1, 1), 0);
	assert_full(queue, 3);
	queue = open_held(0, 0);
	for (size_t i = 1; i < INGEST_QUEUE_BATCHES_MAX; i++)
		assert_int_equal(push(queue, 0, 0), 0);
	assert_full(queue, INGEST_QUEUE_BATCHES_MAX);
}

static void wait_written(size_t expected)
{
	pthread_mutex_lock(&lock);
	while (written < expected)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

/* After a group of three, to which nothing came while it was written: neither as many nor fewer
 * wait for good. */
static void as_many_as_before_and_fewer_are_written(void **state)
{
	struct ingest_queue *queue = open_held(1, 1);
	size_t expected = 1;

	for (size_t i = 0; i < 3; i++)
		assert_int_equal(push(queue, 1, 1), 0);
	let_go();
	wait_written(expected += 3);
	for (size_t more = 3; more > 0; more--) {
		for (size_t i = 0; i < more; i++)
			assert_int_equal(push(queue, 1, 1), 0);
		wait_written(expected += more);
	}
	end(queue, expected);
}

static void one_batch_is_taken_however_large(void **state)
{
	assert_full(open_held(2 * INGEST_QUEUE_RECORDS_MAX, 2 * INGEST_QUEUE_BYTES_MAX), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_while_a_group_is_written_is_the_next_group),
		cmocka_unit_test(a_group_ends_behind_so_many_records),
		cmocka_unit_test(more_records_bytes_or_batches_than_may_wait_are_refused),
		cmocka_unit_test(as_many_as_before_and_fewer_are_written),
		cmocka_unit_test(one_batch_is_taken_however_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
