/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A lake that is killed (SIGKILL) during an ingest, and opened again by another process. */

#define KILLS     4
#define PER_BATCH 50 /* executions, and as many samples */

/* Batch n: 50 new processes, and the one process that every batch reports again. */
static void make_batch(struct made *made, uint64_t sequence)
{
	made_init(made, sequence);
	made_run(made, "run", 0, -1);
	made_execution(made, 1, "", "engine", 0, -1)->figures->minor_faults = sequence;
	for (uint32_t i = 0; i < PER_BATCH; i++) {
		uint32_t pid = (uint32_t)sequence * PER_BATCH + i;

		made_execution(made, pid, "t", "tool", 0, 1)->figures->user_ns = 1;
		made_sample(made, pid, "t", 0, 1)->figures->user_ns = 1;
	}
}

/* The child: ingests from `first` on and acknowledges each into the pipe, until it is killed. */
static void ingest_until_killed(const char *path, uint64_t first, int acknowledge)
{
	struct store_options options = { .path = path, .threads = 2 };
	struct store *store;

	if (store_open(&store, &options, NULL))
		_exit(1);
	for (uint64_t sequence = first;; sequence++) {
		bool duplicate;
		struct made made;

		make_batch(&made, sequence);
		if (store_ingest(store, &made.batch, &duplicate, NULL))
			_exit(2);
		if (write(acknowledge, &sequence, sizeof(sequence)) < 0)
			_exit(3);
		made_clear(&made);
	}
}

/* Kills the child at some moment behind its first batch; returns the last batch it acknowledged. */
static uint64_t ingest_and_kill(const char *path, uint64_t first, unsigned milliseconds)
{
	uint64_t sequence, last = 0;
	int pipe_fds[2], status;
	pid_t pid;

	assert_int_equal(pipe(pipe_fds), 0);
	pid = fork();
	if (!pid) {
		close(pipe_fds[0]);
		ingest_until_killed(path, first, pipe_fds[1]);
	}
	close(pipe_fds[1]);
	/* From its first batch on. */
	assert_int_equal(read(pipe_fds[0], &last, sizeof(last)), sizeof(last));
	usleep(milliseconds * 1000);
	kill(pid, SIGKILL);
	while (read(pipe_fds[0], &sequence, sizeof(sequence)) == (ssize_t)sizeof(sequence))
		last = sequence;
	close(pipe_fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	return last;
}

/* The store has complete batches: the acknowledged ones, and at most one that was not acknowledged.
 */
static uint64_t batches_there(struct lake *lake, uint64_t acknowledged)
{
	char expected[128];
	uint64_t batches = strtoull(lake_query(lake, "metrics", "", "batches"), NULL, 10);

	assert_in_range(batches, acknowledged, acknowledged + 1);
	snprintf(expected, sizeof(expected), "%llu %llu\n",
		 (unsigned long long)(batches * PER_BATCH + 1),
		 (unsigned long long)(batches * PER_BATCH));
	assert_string_equal(lake_query(lake, "metrics", "", "executions samples"), expected);
	return batches;
}

static void nothing_acknowledged_is_lost_and_nothing_is_twice(void **state)
{
	uint64_t acknowledged = 0, batches = 0;
	char expected[128];
	struct lake lake;

	lake_make(&lake);
	for (unsigned i = 0; i < KILLS; i++) {
		lake_close(&lake);
		/* The sender sends again from the first that it got no answer for. */
		acknowledged = ingest_and_kill(lake.path, acknowledged + 1, 150 + i * 70);
		lake_open(&lake);
		batches = batches_there(&lake, acknowledged);
	}
	assert_true(batches >= KILLS);
	snprintf(expected, sizeof(expected), "%llu %llu\n",
		 (unsigned long long)(batches * PER_BATCH), (unsigned long long)batches);
	assert_string_equal(lake_query(&lake, "run", "run=run", "user_ns minor_faults"), expected);
	lake_remove(&lake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_acknowledged_is_lost_and_nothing_is_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
