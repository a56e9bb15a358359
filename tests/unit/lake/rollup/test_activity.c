/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"
#include "lake/store/settle/store_settle.h"

/* Who worked where is answered the same from executions and samples, once the runs are settled, and
 * once the work that may wait is gathered. */

#define RUNS 4

static char hosts[][8] = { "a", "b" };
static char run_ids[RUNS][8] = { "run 0", "run 1", "run 2", "run 3" };
static char task_ids[RUNS][3][12];
static char tools[][12] = { "bwa", "samtools", "sort", "" };

static uint64_t seed;

static uint64_t any(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

static void begin(struct made *made, unsigned host, uint64_t sequence)
{
	made_init(made, sequence);
	made->batch.host_id = made->batch.agent_id = hosts[host];
	made->batch.boot_id = sequence % 3 ? "boot 1" : "boot 2";
}

/* An execution with samples, some of which use less than 1 % of a CPU. */
static void add_execution(struct made *made, uint32_t pid, char *run, char *task, double at)
{
	double ends = at + 1 + (double)any(4000) / 10;
	bool open = any(6) == 0, sampled = any(3) != 0;
	Signal__Execution *execution =
		made_execution(made, pid, task, tools[any(4)], at, open ? -1 : ends);

	execution->run_id = run;
	execution->exe = "/bin/thing";
	execution->found = any(8) == 0;
	execution->figures->user_ns = any(3) ? any(20000000000) : any(10000000);
	execution->figures->kernel_ns = any(1000000);
	for (double since = at; sampled && since + 5 <= ends; since += any(4) ? 5 : 20) {
		Signal__Sample *sample = made_sample(made, pid, task, since, since + 5);

		sample->run_id = run;
		sample->figures->user_ns = any(2) ? any(50000000) : any(5000000000);
	}
}

static void add_run(struct made *made, unsigned number, double at)
{
	char *run = run_ids[number];
	Signal__Run *record = made_run(made, run, at, at + 500);
	uint32_t pid = 100 * number + 1;

	record->pid = pid;
	record->start_ns = pid * UINT64_C(1000);
	record->engine = number % 4 == 3 ? "session" : "snakemake";
	made_execution(made, pid, "", "shell", at, at + 500)->run_id = run;
	for (unsigned t = 0; t < 3; t++) {
		char *id = task_ids[number][t];
		Signal__Task *task;

		snprintf(id, sizeof(task_ids[number][t]), "task %u.%u", number, t);
		task = made_task(made, id, t ? "map" : "index", at + t, at + 400);
		task->run_id = run;
		if (t == 0) { /* of a session: the kernel of a notebook itself */
			task->pid = pid;
			task->start_ns = pid * UINT64_C(1000);
		}
		for (unsigned i = 0; i < 4; i++)
			add_execution(made, pid + 10 * t + i + 1, run, id,
				      at + (double)any(3000) / 10);
	}
}

/* Runs one after the other on two hosts, and work of no run. What runs on is lost by a scan. */
static void fill(struct lake *lake)
{
	struct made made;

	seed = 7;
	for (unsigned i = 0; i < RUNS; i++) {
		begin(&made, i % 2, i + 1);
		add_run(&made, i, 1000.0 * i);
		for (unsigned k = 0; k < 6; k++)
			add_execution(&made, 5000 + 10 * i + k, "", "",
				      1000.0 * i + (double)any(9000) / 10);
		lake_store(lake, &made);
	}
	for (unsigned host = 0; host < 2; host++) {
		Signal__Scan *scan;

		begin(&made, host, 100);
		scan = made_add(&made, "scans");
		scan->scanned_at = T0 + 90 * S;
		lake_store(lake, &made);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends the lines in their order. */
static void add_sorted(char *all, const char *text)
{
	char *copy = strdup(text), *lines[4096], *rest = copy, *line;
	size_t count = 0;

	while ((line = strsep(&rest, "\n")) && count < 4096)
		lines[count++] = line;
	qsort(lines, count, sizeof(lines[0]), by_text);
	for (size_t i = 0; i < count; i++)
		strcat(strcat(all, lines[i]), "\n");
	free(copy);
}

/* The answers of the queries about work. Free with free(). */
static char *answers(struct lake *lake)
{
	static const char *const QUERIES[][2] = {
		{ "activity_used", "host_id since_at until_at" },
	};
	static const char *const WINDOWS[] = {
		"since_at= until_at=", "since_at=@1222 until_at=@3022", "since_at=@1000 until_at="
	};
	char *all = calloc(1, 1 << 20);

	for (size_t i = 0; i < sizeof(QUERIES) / sizeof(QUERIES[0]); i++) {
		for (size_t k = 0; k < sizeof(WINDOWS) / sizeof(WINDOWS[0]); k++) {
			strcat(strcat(strcat(all, QUERIES[i][0]), WINDOWS[k]), "\n");
			add_sorted(all, lake_query(lake, QUERIES[i][0], WINDOWS[k], QUERIES[i][1]));
		}
	}
	return all;
}

static void assert_answers(struct lake *lake, const char *wanted)
{
	char *have = answers(lake);

	assert_string_equal(have, wanted);
	free(have);
}

/* Settles runs [first, last). */
static void settle(struct lake *lake, unsigned first, unsigned last)
{
	struct error err = { "" };
	bool done = false;

	for (unsigned i = first; i < last; i++)
		if (store_settle(lake->store, run_ids[i], "sums", &done, &err) || !done)
			fail_msg("%s: %s", run_ids[i], error_text(&err));
}

static void roll_up(struct lake *lake)
{
	struct error err = { "" };
	bool more;

	if (store_roll_up(lake->store, &more, &err))
		fail_msg("%s", error_text(&err));
}

static void settled_runs_answer_as_their_executions_did(void **state)
{
	struct lake *lake = *state;
	char *wanted;

	fill(lake);
	wanted = answers(lake);
	assert_non_null(strstr(wanted, "a @"));
	settle(lake, 0, RUNS / 2);
	assert_answers(lake, wanted);
	settle(lake, RUNS / 2, RUNS);
	assert_answers(lake, wanted);
	free(wanted);
}

static void gathered_waits_answer_as_their_samples_did(void **state)
{
	struct lake *lake = *state;
	struct made made;
	char *wanted;

	fill(lake);
	wanted = answers(lake);
	roll_up(lake);
	assert_answers(lake, wanted);
	free(wanted);
	begin(&made, 0, 200); /* late */
	add_execution(&made, 7000, "", "", 3000);
	Signal__Sample *sample = made_sample(&made, 7001, "", 3500, 3599.5);
	sample->run_id = "";
	sample->figures->user_ns = 50 * S;
	lake_store(lake, &made);
	assert_non_null(strstr(lake_query(lake, "activity_used", "since_at=@3500 until_at=@3599",
					  "host_id since_at until_at"),
			       "a @3500 @3599\n"));
	wanted = answers(lake);
	roll_up(lake);
	assert_answers(lake, wanted);
	settle(lake, 3, 4); /* the session */
	assert_answers(lake, wanted);
	free(wanted);
}

static void what_comes_late_of_a_settled_run_is_seen_at_once(void **state)
{
	struct lake *lake = *state;
	Signal__Execution *execution;
	struct made made;

	begin(&made, 0, 1);
	made_run(&made, run_ids[0], 0, 20);
	execution = made_execution(&made, 1, "", "sh", 0, 20);
	execution->run_id = run_ids[0];
	execution->figures->user_ns = 1 * S;
	lake_store(lake, &made);
	settle(lake, 0, 1);
	assert_string_equal(lake_query(lake, "activity_used", "since_at= until_at=", "until_at"),
			    "@20\n");
	begin(&made, 0, 2);
	execution = made_execution(&made, 2, "", "sh", 19, 600);
	execution->run_id = run_ids[0];
	execution->figures->user_ns = 2 * S;
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "activity_used", "since_at= until_at=", "until_at"),
			    "@600\n");
}

/* Its own record did not arrive, and all others are settled. */
static void work_of_an_unknown_run_uses_its_host(void **state)
{
	struct lake *lake = *state;
	struct made made;

	begin(&made, 0, 1);
	made_run(&made, run_ids[0], 0, 20);
	made_execution(&made, 1, "", "sh", 0, 20)->run_id = run_ids[0];
	lake_store(lake, &made);
	settle(lake, 0, 1);
	begin(&made, 0, 2);
	made_execution(&made, 2, "", "sh", 100, 200)->run_id = run_ids[1];
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "activity_used", "since_at= until_at=", "until_at"),
			    "@20\n@200\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(settled_runs_answer_as_their_executions_did),
		TEST(gathered_waits_answer_as_their_samples_did),
		TEST(what_comes_late_of_a_settled_run_is_seen_at_once),
		TEST(work_of_an_unknown_run_uses_its_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
