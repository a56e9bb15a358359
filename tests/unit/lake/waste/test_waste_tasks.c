/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"
#include "lake/store/settle/store_settle.h"

/* When tasks that run made progress last, and which outlived their engine. */

static uint64_t sequence;

static const char *ask(struct lake *lake, double now, const char *columns)
{
	char params[64];

	snprintf(params, sizeof(params), "now_at=@%g limit=100", now);
	return lake_query(lake, "waste_tasks", params, columns);
}

static void made_host_sample(struct made *made, double until)
{
	Signal__HostSample *sample = made_add(made, "host_samples");

	sample->since_at = T0 + (int64_t)((until - 5) * 1e9);
	sample->until_at = T0 + (int64_t)(until * 1e9);
}

/* A run of an engine with a task, of which a process began at 10 s, computed until 100 s and waits
 * for a lock since; the host's last sample is of 8,000 s. */
static void made_story(struct made *made)
{
	Signal__Run *run;
	Signal__Task *task;
	Signal__Sample *sample;

	made_init(made, ++sequence);
	run = made_run(made, "run", 0, -1);
	run->engine = "snakemake";
	run->name = "tiny-1";
	run->pipeline = "tiny";
	run->user = "ann";
	task = made_task(made, "a", "align", 10, -1);
	task->name = "align";
	task->pid = 7;
	task->cpus_requested = 2;
	made_execution(made, 7, "a", "bwa", 10, -1);
	sample = made_sample(made, 7, "a", 90, 100);
	sample->figures->user_ns = 9 * (uint64_t)S;
	sample->figures->rss_bytes = 4096;
	for (int i = 0; i < 3; i++) {
		sample = made_sample(made, 7, "a", 100 + 2000.0 * i, 2100 + 2000.0 * i);
		sample->figures->lock_ns = 2000 * (uint64_t)S;
		sample->figures->ctx_voluntary = 40;
		sample->figures->rss_bytes = 8192;
	}
	made_host_sample(made, 8000);
}

static void progress_is_of_the_last_sample_with_work(void **state)
{
	struct made made;

	made_story(&made);
	lake_store(*state, &made);
	assert_string_equal(
		ask(*state, 8005,
		    "id step name user engine pipeline run_name run_status run_ended_at pids "
		    "started_at progress_at known_until complete wakes wait cpus_requested "
		    "memory_bytes history alone"),
		"a align align ann snakemake tiny tiny-1 running - 7 @10 @100 @8000 1 120 lock 2 "
		"8192 - 1\n");
	/* As of an instant before: its last progress then, and what was known then. */
	assert_string_equal(ask(*state, 2200, "progress_at known_until wakes"), "@100 @2100 40\n");
	assert_string_equal(ask(*state, 5, "id"), "");
}

/* Any of them, of any process of its tree. */
static void each_kind_of_progress_counts(void **state)
{
	static const size_t figures[] = {
		offsetof(Signal__Figures, read_chars_bytes),
		offsetof(Signal__Figures, write_chars_bytes),
		offsetof(Signal__Figures, disk_read_bytes),
		offsetof(Signal__Figures, net_rx_bytes),
		offsetof(Signal__Figures, net_unix_tx_bytes),
		offsetof(Signal__Figures, net_loopback_rx_bytes),
		offsetof(Signal__Figures, files_opened),
	};
	struct made made;
	char expected[16];

	made_story(&made);
	made_execution(&made, 8, "a", "cat", 20, -1);
	lake_store(*state, &made);
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		Signal__Sample *sample;

		made_init(&made, ++sequence);
		sample = made_sample(&made, 8, "a", 6100 + 60 * (double)i, 6160 + 60 * (double)i);
		*(uint64_t *)((char *)sample->figures + figures[i]) = 1;
		lake_store(*state, &made);
		snprintf(expected, sizeof(expected), "@%g\n", 6160 + 60 * (double)i);
		assert_string_equal(ask(*state, 8005, "progress_at"), expected);
	}
	made_init(&made, ++sequence);
	made_sample(&made, 8, "a", 7000, 7060)->figures->ctx_voluntary = 60;
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "progress_at"), "@6520\n");
	made_init(&made, ++sequence);
	made_sample(&made, 8, "a", 7060, 7120)->figures->ctx_voluntary = 61;
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "progress_at"), "@7120\n");
	made_init(&made, ++sequence);
	made_execution(&made, 9, "a", "gzip", 7200, 7201);
	made_execution(&made, 10, "a", "", 7300, 7301)->exe = "/usr/bin/sleep";
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "progress_at pids"), "@7201 7 8\n");
}

/* A loop that waits for a file starts one `sleep` behind the other, too short for samples. */
static void a_loop_that_waits_sleeps(void **state)
{
	struct made made;

	made_init(&made, ++sequence);
	made_run(&made, "run", 0, -1)->engine = "make";
	made_task(&made, "a", "wait", 10, -1);
	made_execution(&made, 7, "a", "bash", 10, -1);
	made_execution(&made, 8, "a", "", 7000, 7002)->exe = "/usr/bin/sleep";
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "progress_at wait"), "@10 \n");
	made_init(&made, ++sequence);
	made_execution(&made, 9, "a", "", 8004, -1)->exe = "/usr/bin/sleep";
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "progress_at wait"), "@10 sleep\n");
}

static void what_was_lost_since_makes_it_incomplete(void **state)
{
	struct made made;
	Signal__Loss *loss;

	made_story(&made);
	loss = made_add(&made, "losses");
	loss->what = "samples";
	loss->since_at = T0 + 50 * S;
	loss->until_at = T0 + 90 * S;
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "complete"), "1\n");
	made_init(&made, ++sequence);
	loss = made_add(&made, "losses");
	loss->what = "samples";
	loss->since_at = T0 + 3000 * S;
	loss->until_at = T0 + 3001 * S;
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "complete"), "0\n");
}

static void made_stall(struct made *made, char *kind, double at)
{
	Signal__Event *event = made_add(made, "events");

	event->kind = kind;
	event->happened_at = T0 + (int64_t)(at * 1e9);
	event->pid = 7;
	event->start_ns = 7000;
	event->run_id = "run";
	event->task_id = "a";
	event->summary = "bwa waits for a lock";
}

static void a_stall_that_goes_on_is_told(void **state)
{
	struct made made;

	made_story(&made);
	made_stall(&made, "stall_begin", 500);
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "stall"), "bwa waits for a lock\n");
	assert_string_equal(ask(*state, 400, "stall"), "-\n");
	made_init(&made, ++sequence);
	made_stall(&made, "stall_end", 600);
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "stall"), "-\n");
}

static void tasks_outlive_an_engine_that_was_killed(void **state)
{
	struct made made;
	Signal__Run *run;

	made_story(&made);
	/* The shell of another task is gone, too, but not what it started. */
	made_task(&made, "b", "sort", 10, 200);
	made_execution(&made, 11, "b", "sort", 20, -1);
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "id run_ended_at alone"), "a - 0\n");
	made_init(&made, ++sequence);
	run = made_run(&made, "run", 0, 300);
	run->engine = "snakemake";
	run->status = "killed";
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "id run_status run_ended_at pids"),
			    "a killed @300 7\nb killed @300 11\n");
	assert_string_equal(ask(*state, 250, "id run_status run_ended_at"), "a running -\n");
}

static void the_history_is_of_its_step_in_settled_runs(void **state)
{
	struct made made;
	struct error err = { "" };
	bool done = false;

	made_init(&made, ++sequence);
	made_run(&made, "before", 0, 100)->pipeline = "tiny";
	for (uint32_t i = 0; i < 4; i++) {
		static const char *const ids[] = { "w", "x", "y", "z" };
		Signal__Execution *execution;
		Signal__Task *task = made_task(&made, ids[i], i == 3 ? "sort" : "align", 0, 20);

		task->run_id = "before";
		execution = made_execution(&made, 20 + i, ids[i], "bwa", 0, 20);
		execution->run_id = "before";
		execution->figures->user_ns = (5 + i) * (uint64_t)S;
	}
	lake_store(*state, &made);
	assert_int_equal(
		store_settle(((struct lake *)*state)->store, "before", "sums", &done, &err), 0);
	assert_true(done);
	made_story(&made);
	lake_store(*state, &made);
	assert_string_equal(ask(*state, 8005, "history wall_p95_s wait_max_s"), "3 20 15\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lake_setup, lake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(progress_is_of_the_last_sample_with_work),
		TEST(each_kind_of_progress_counts),
		TEST(a_loop_that_waits_sleeps),
		TEST(what_was_lost_since_makes_it_incomplete),
		TEST(a_stall_that_goes_on_is_told),
		TEST(tasks_outlive_an_engine_that_was_killed),
		TEST(the_history_is_of_its_step_in_settled_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
