/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixture_store.h"

#include "base/cleanup.h"
#include "lake/store/settle/store_settle.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A lake that is killed (SIGKILL) while it settles a run about which records go on to arrive:
 * whether it was settled or not, its summaries are the sums over its rows. */

#define KILLS     4
#define PER_BATCH 10 /* executions */

static void make_batch(struct made *made, uint64_t sequence)
{
	made_init(made, sequence);
	made_run(made, "run", 0, 10);
	made_task(made, "t", "step", 0, 9);
	for (uint32_t i = 0; i < PER_BATCH; i++) {
		uint32_t pid = (uint32_t)sequence * PER_BATCH + i;

		made_execution(made, pid, "t", "tool", 0, 1)->figures->user_ns = 1;
	}
}

static void settle(struct store *store)
{
	static const char *const PARTS[] = { "sums", "series" };
	bool done = true;

	for (size_t i = 0; i < 2 && done; i++)
		if (store_settle(store, "run", PARTS[i], &done, NULL))
			done = false; /* it is settled, or was unsettled meanwhile */
}

static void *settle_until_killed(void *store)
{
	for (;;)
		settle(store);
	return NULL;
}

/* The child: acknowledges each batch into the pipe. Every second batch comes once the run was
 * settled, the others while it is. */
static void work_until_killed(const char *path, uint64_t first, int acknowledge)
{
	struct store_options options = { .path = path, .threads = 2 };
	struct store_run_state state = { 0 };
	struct store *store;
	pthread_t thread;

	if (store_open(&store, &options, NULL))
		_exit(1);
	if (pthread_create(&thread, NULL, settle_until_killed, store))
		_exit(4);
	for (uint64_t sequence = first;; sequence++) {
		bool duplicate;
		struct made made;

		make_batch(&made, sequence);
		if (store_ingest(store, &made.batch, &duplicate, NULL))
			_exit(2);
		if (write(acknowledge, &sequence, sizeof(sequence)) < 0)
			_exit(3);
		made_clear(&made);
		do {
			usleep(1000);
			store_run_state(store, "run", &state);
		} while (sequence % 2 && !state.settled);
	}
}

/* Kills the child at some moment behind its second batch; returns the last that it acknowledged. */
static uint64_t work_and_kill(const char *path, uint64_t first, unsigned moment_us)
{
	uint64_t sequence, last = 0;
	int pipe_fds[2], status;
	pid_t pid;

	assert_int_equal(pipe(pipe_fds), 0);
	pid = fork();
	if (!pid) {
		close(pipe_fds[0]);
		work_until_killed(path, first, pipe_fds[1]);
	}
	close(pipe_fds[1]);
	for (int i = 0; i < 2; i++)
		assert_int_equal(read(pipe_fds[0], &last, sizeof(last)), sizeof(last));
	usleep(moment_us);
	kill(pid, SIGKILL);
	while (read(pipe_fds[0], &sequence, sizeof(sequence)) == (ssize_t)sizeof(sequence))
		last = sequence;
	close(pipe_fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	return last;
}

static char *answers(struct lake *lake)
{
	static const char *const ASKED[][3] = {
		{ "run", "run=run", "status tasks executions user_ns" },
		{ "steps", "run=run", "name tasks executions user_ns" },
		{ "tools", "run=run all=", "name executions user_ns" },
		{ "samples", "run=run by=run interval_s=1", "at user_ns" },
	};
	char *all = NULL, *more;

	for (size_t i = 0; i < 4; i++) {
		assert_true(asprintf(&more, "%s%s", all ? all : "",
				     lake_query(lake, ASKED[i][0], ASKED[i][1], ASKED[i][2])) > 0);
		free(all);
		all = more;
	}
	return all;
}

static void summaries_are_the_sums_over_rows(void **state)
{
	uint64_t acknowledged = 0;
	char first[64], second[64];
	struct lake lake;

	lake_make(&lake);
	for (unsigned i = 0; i < KILLS; i++) {
		CLEANUP(freep) char *have = NULL, *want = NULL;

		lake_close(&lake);
		acknowledged = work_and_kill(lake.path, acknowledged + 1, i * 37000);
		lake_open(&lake);
		have = answers(&lake);
		assert_int_equal(store_unsettle(lake.store, "run", NULL), 0);
		want = answers(&lake);
		assert_string_equal(have, want);
		/* All that was acknowledged, and one batch more at most. */
		snprintf(first, sizeof(first), "%llu\n",
			 (unsigned long long)acknowledged * PER_BATCH);
		snprintf(second, sizeof(second), "%llu\n",
			 (unsigned long long)(acknowledged + 1) * PER_BATCH);
		if (strcmp(lake_query(&lake, "run", "run=run", "user_ns"), second) != 0)
			assert_string_equal(lake_query(&lake, "run", "run=run", "user_ns"), first);
		settle(lake.store);
		assert_string_equal(lake_query(&lake, "settled_runs", "cursor= limit=9", "run_id"),
				    "run\n");
	}
	lake_remove(&lake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summaries_are_the_sums_over_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
