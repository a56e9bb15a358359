/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_deliver.h"
#include "fixture_store.h"

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

/* A lake that is killed (SIGKILL) while several agents send, and opened again by another process.
 */

#define AGENTS    3  /* each with a thread of its own: what they send may become one transaction */
#define PER_BATCH 10 /* executions, and as many samples */
#define MOMENT_US 150000

struct acknowledgement {
	uint64_t agent, sequence;
};

static const char *const NAMES[AGENTS] = { "agent-0", "agent-1", "agent-2" };
static const char *const RUNS[AGENTS] = { "run-0", "run-1", "run-2" };

/* Batch n of an agent: 10 new processes, and the one process that each of its batches reports
 * again. */
static void make_batch(struct made *made, size_t agent, uint64_t sequence)
{
	made_init(made, sequence);
	made->batch.agent_id = made->batch.host_id = (char *)(uintptr_t)NAMES[agent];
	made_run(made, RUNS[agent], 0, -1);
	made_execution(made, 1, "", "engine", 0, -1)->figures->minor_faults = sequence;
	for (uint32_t i = 0; i < PER_BATCH; i++) {
		uint32_t pid = (uint32_t)sequence * PER_BATCH + i;

		made_execution(made, pid, "t", "tool", 0, 1)->figures->user_ns = 1;
		made_sample(made, pid, "t", 0, 1)->figures->user_ns = 1;
	}
	for (size_t i = 0; i < made->batch.n_executions; i++)
		made->batch.executions[i]->run_id = (char *)(uintptr_t)RUNS[agent];
	for (size_t i = 0; i < made->batch.n_samples; i++)
		made->batch.samples[i]->run_id = (char *)(uintptr_t)RUNS[agent];
}

/* One agent of the child. */
struct sender {
	struct store *store;
	size_t agent;
	uint64_t first;
	int acknowledge;
};

static void *send_until_killed(void *context)
{
	const struct sender *sender = context;

	for (uint64_t sequence = sender->first;; sequence++) {
		struct acknowledgement said = { sender->agent, sequence };
		bool duplicate;
		struct made made;

		make_batch(&made, sender->agent, sequence);
		if (deliver(sender->store, &made.batch, &duplicate, NULL))
			_exit(2);
		if (write(sender->acknowledge, &said, sizeof(said)) < 0)
			_exit(3);
		made_clear(&made);
	}
	return NULL;
}

/* The child: each agent sends from behind its last acknowledged batch on, and writes each
 * acknowledgement into the pipe, until all are killed. */
static void ingest_until_killed(struct lake *lake, const uint64_t last[AGENTS], int acknowledge)
{
	struct sender senders[AGENTS];
	pthread_t threads[AGENTS];

	lake_open(lake);
	for (size_t i = 0; i < AGENTS; i++) {
		senders[i] = (struct sender){ lake->store, i, last[i] + 1, acknowledge };
		if (pthread_create(&threads[i], NULL, send_until_killed, &senders[i]))
			_exit(4);
	}
	for (;;)
		pause();
}

/* Kills the child at some moment behind its first acknowledgement; last: those of each agent. */
static void ingest_and_kill(struct lake *lake, uint64_t last[AGENTS], unsigned moment_us)
{
	struct acknowledgement said;
	int pipe_fds[2], status;
	pid_t pid;

	assert_int_equal(pipe(pipe_fds), 0);
	pid = fork();
	if (!pid) {
		close(pipe_fds[0]);
		ingest_until_killed(lake, last, pipe_fds[1]);
	}
	close(pipe_fds[1]);
	/* From the first on. */
	assert_int_equal(read(pipe_fds[0], &said, sizeof(said)), sizeof(said));
	last[said.agent] = said.sequence;
	usleep(moment_us);
	kill(pid, SIGKILL);
	while (read(pipe_fds[0], &said, sizeof(said)) == (ssize_t)sizeof(said))
		last[said.agent] = said.sequence;
	close(pipe_fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

/* How many complete batches of an agent are there: those that were acknowledged to it, and at most
 * one that was not. */
static uint64_t batches_of(struct lake *lake, size_t agent, uint64_t acknowledged)
{
	char expected[128], parameter[32];
	uint64_t batches;

	snprintf(parameter, sizeof(parameter), "run=%s", RUNS[agent]);
	batches = strtoull(lake_query(lake, "run", parameter, "minor_faults"), NULL, 10);
	assert_in_range(batches, acknowledged, acknowledged + 1);
	if (!batches)
		return 0;
	snprintf(expected, sizeof(expected), "%llu %llu\n",
		 (unsigned long long)(batches * PER_BATCH), (unsigned long long)batches);
	assert_string_equal(lake_query(lake, "run", parameter, "user_ns minor_faults"), expected);
	return batches;
}

/* The same by the rows of all. */
static void compare_rows(struct lake *lake, const uint64_t last[AGENTS])
{
	unsigned long long batches = 0, agents = 0;
	char expected[128];

	for (size_t i = 0; i < AGENTS; i++) {
		uint64_t stored = batches_of(lake, i, last[i]);

		batches += stored;
		agents += stored > 0;
	}
	snprintf(expected, sizeof(expected), "%llu %llu %llu\n", batches,
		 batches * PER_BATCH + agents, batches * PER_BATCH);
	assert_string_equal(lake_query(lake, "metrics", "", "batches executions samples"),
			    expected);
}

/* What an agent had no answer for it sends again: the lake may have it already. */
static void kill_again_and_again(bool logged, unsigned kills)
{
	uint64_t last[AGENTS] = { 0 };
	struct lake lake;

	lake_make(&lake);
	lake.logged = logged;
	for (unsigned i = 0; i < kills; i++) {
		lake_close(&lake);
		ingest_and_kill(&lake, last, i * 104729 % MOMENT_US);
		lake_open(&lake);
		compare_rows(&lake, last);
	}
	lake_remove(&lake);
}

static void nothing_acknowledged_is_lost_and_nothing_is_twice(void **state)
{
	kill_again_and_again(false, 3);
}

/* With a log, behind which batches are acknowledged. */
static void nothing_in_the_log_is_lost_and_nothing_is_twice(void **state)
{
	kill_again_and_again(true, getenv("TRACER_LONG") ? 20 : 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_acknowledged_is_lost_and_nothing_is_twice),
		cmocka_unit_test(nothing_in_the_log_is_lost_and_nothing_is_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
