/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include "base/clock.h"
#include "lake/store/boundary_record.h"
#include "signal/bounds.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the lake believes. Each batch here has good records beside the bad one: those stay. */

#define SECOND    UINT64_C(1000000000)
#define DAY       UINT64_C(86400)
#define PROCESSES "run=run task= tool= status= limit=10 cursor="
#define LOSSES    "run=run limit=10"

static int setup(void **state)
{
	static struct lake lake;
	Signal__Host *host;
	struct made made;

	lake_make(&lake);
	made_init(&made, 1);
	host = made_add(&made, "hosts");
	host->hostname = "node";
	host->cpus = 4;
	host->memory_bytes = UINT64_C(8) << 30;
	host->booted_at = T0 - 3600 * S;
	made_run(&made, "run", 0, 600);
	made_execution(&made, 1, "", "good", 0, 600)->figures->user_ns = 9 * SECOND;
	lake_store(&lake, &made);
	*state = &lake;
	return 0;
}

/* The batch has one execution "bad" (pid 2), and another good one. */
static Signal__Execution *with_bad(struct made *made)
{
	made_init(made, 601);
	made_execution(made, 3, "", "beside", 0, 600);
	return made_execution(made, 2, "", "bad", 0, 600);
}

static void expect_kept_out(struct lake *lake, struct made *made, const char *why)
{
	char wanted[200];

	lake_store(lake, made);
	assert_string_equal(lake_query(lake, "processes", PROCESSES, "tool"), "good\nbeside\n");
	snprintf(wanted, sizeof(wanted), "executions 1 rejected: %s\n", why);
	assert_string_equal(lake_query(lake, "losses", LOSSES, "what count why"), wanted);
	assert_string_equal(lake_query(lake, "run", "run=run", "executions lost_records"), "2 1\n");
}

static void more_cpu_than_threads_have_in_a_life_is_kept_out(void **state)
{
	struct made made;
	Signal__Figures *figures = with_bad(&made)->figures;

	figures->threads_peak = 2;
	figures->user_ns = 1300 * SECOND;
	expect_kept_out(*state, &made,
			"more CPU time than its threads, or its host's CPUs, have in that time");
}

static void more_cpu_than_the_host_has_is_kept_out_whatever_the_threads(void **state)
{
	struct made made;
	Signal__Figures *figures = with_bad(&made)->figures;

	figures->threads_peak = 4000000;
	figures->threads_ns = UINT64_MAX;
	figures->user_ns = 13343 * DAY * SECOND;
	expect_kept_out(*state, &made,
			"more CPU time than its threads, or its host's CPUs, have in that time");
}

static void all_the_cpu_that_threads_can_use_is_believed(void **state)
{
	Signal__Figures *figures;
	struct made made;

	made_init(&made, 601);
	figures = made_execution(&made, 2, "", "threads", 0, 600)->figures;
	figures->threads_peak = 4;
	figures->user_ns = 2400 * SECOND;
	/* Many short threads, never more than one at a time beside the first. */
	figures = made_execution(&made, 3, "", "short threads", 0, 600)->figures;
	figures->threads_peak = 2;
	figures->threads_ns = 2000 * SECOND;
	figures->user_ns = 1990 * SECOND;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "losses", LOSSES, "what"), "");
}

/* Its figures hold its earlier images, and the life before the agent. */
static void what_was_found_may_have_used_more_than_since_then(void **state)
{
	Signal__Execution *execution;
	struct made made;

	made_init(&made, 601);
	execution = made_execution(&made, 2, "", "daemon", 590, 600);
	execution->found = true;
	execution->figures->threads_peak = 1;
	execution->figures->user_ns = 4000 * SECOND;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "losses", LOSSES, "what"), "");
}

static void a_peak_above_the_hosts_memory_is_kept_out(void **state)
{
	struct made made;

	with_bad(&made)->figures->rss_peak_bytes = UINT64_C(13) << 30;
	expect_kept_out(*state, &made, "more memory than its host has");
}

static void what_ends_before_it_begins_is_kept_out(void **state)
{
	struct made made;
	Signal__Execution *bad = with_bad(&made);

	bad->started_at = T0 + 7200 * S;
	bad->ended_at = T0;
	expect_kept_out(*state, &made, "it ends before it begins");
}

static void a_clock_that_was_set_back_loses_nothing(void **state)
{
	struct made made;
	Signal__Execution *execution;

	made_init(&made, 601);
	execution = made_execution(&made, 2, "", "bwa", 100, 600);
	execution->ended_at = T0 + 90 * S;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "losses", LOSSES, "what"), "");
}

static void times_before_2020_and_in_the_future_are_kept_out(void **state)
{
	struct made made;
	Signal__Execution *bad = with_bad(&made);

	bad->started_at = 1;
	expect_kept_out(*state, &made, "a time before 2020");
	made_init(&made, 602);
	made_execution(&made, 4, "", "tomorrow", 0, -1)->started_at =
		clock_real_ns() + 25 * 3600 * NS_PER_S;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "processes", PROCESSES, "tool"), "good\nbeside\n");
}

static void a_text_beyond_its_bound_is_kept_out(void **state)
{
	char *tool = malloc(15 << 20);
	struct made made;

	memset(tool, 'x', 15 << 20);
	tool[(15 << 20) - 1] = '\0';
	with_bad(&made)->tool = tool;
	expect_kept_out(*state, &made, "a text is longer than its bound, or no UTF-8");
	free(tool);
}

static void a_text_as_long_as_its_bound_is_believed(void **state)
{
	char tool[(16 << 10) + 1];
	struct made made;

	memset(tool, 'x', sizeof(tool) - 1);
	tool[sizeof(tool) - 1] = '\0';
	made_init(&made, 601);
	made_execution(&made, 2, "", tool, 0, 600);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "losses", LOSSES, "what"), "");
}

static void expect_bounds(const ProtobufCMessageDescriptor *message)
{
	for (unsigned i = 0; i < message->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &message->fields[i];

		if (field->type == PROTOBUF_C_TYPE_MESSAGE)
			expect_bounds(field->descriptor);
		else if (field->type == PROTOBUF_C_TYPE_STRING && !boundary_most(field->name))
			fail_msg("%s.%s has no bound in boundary_text.c: give it the one that it "
				 "needs",
				 message->short_name, field->name);
	}
}

static void every_text_of_a_batch_has_a_bound_of_its_own(void **state)
{
	expect_bounds(&signal__batch__descriptor);
}

static void a_sample_over_years_is_kept_out(void **state)
{
	struct made made;

	made_init(&made, 601);
	made_sample(&made, 1, "", 0, 5);
	made_sample(&made, 1, "", 0, 200)->since_at = BOUNDARY_SINCE_AT;
	made_sample(&made, 77, "", 0, 200)->since_at = BOUNDARY_SINCE_AT; /* of no execution */
	made_sample(&made, 1, "", 0, 5)->until_at = T0 - S;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "metrics", "", "samples"), "1\n");
	assert_string_equal(
		lake_query(*state, "losses", LOSSES, "what count why"),
		"samples 2 rejected: an interval that reaches beyond the life of its execution\n"
		"samples 1 rejected: it ends before it begins\n");
}

/* A machine that slept for two days: the process lived through it. */
static void a_sample_over_days_of_a_process_that_lived_as_long_is_believed(void **state)
{
	struct made made;

	made_init(&made, 2);
	made_execution(&made, 5, "", "sleeper", 10, -1);
	lake_store(*state, &made);
	made_init(&made, 2 * DAY);
	made_sample(&made, 5, "", 20, 2.0 * DAY);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "metrics", "", "samples"), "1\n");
}

static void a_sample_behind_the_end_of_its_execution_is_kept_out(void **state)
{
	struct made made;

	made_init(&made, DAY);
	made_execution(&made, 5, "", "ended", 10, 600);
	lake_store(*state, &made);
	made_init(&made, DAY + 1);
	made_sample(&made, 5, "", 595, 600);
	made_sample(&made, 5, "", 500, 9000);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "metrics", "", "samples"), "1\n");
	assert_string_equal(
		lake_query(*state, "losses", LOSSES, "what count why"),
		"samples 1 rejected: an interval that reaches beyond the life of its execution\n");
}

/* How long it lived, by the clock that no one sets, is at odds with when it began and ended. */
static void a_life_that_is_longer_than_between_its_begin_and_end_is_kept_out(void **state)
{
	struct made made;

	with_bad(&made)->wall_ns = 9000 * SECOND;
	expect_kept_out(*state, &made, "an interval that reaches beyond the life of its execution");
}

static void a_peak_that_no_host_has_is_kept_out_whatever_its_host_has(void **state)
{
	struct made made;

	made_init(&made, 601);
	made.batch.host_id = "unknown";
	made_execution(&made, 2, "", "bad", 0, 600)->figures->rss_peak_bytes =
		BOUND_MEMORY_BYTES + 1;
	made_execution(&made, 3, "", "good", 0, 600)->figures->rss_peak_bytes = BOUND_MEMORY_BYTES;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "metrics", "", "lost_records"), "1\n");
}

static Signal__HostSample *add_host_sample(struct made *made, uint64_t sequence)
{
	Signal__HostSample *sample;

	made_init(made, sequence);
	sample = made_add(made, "host_samples");
	sample->since_at = T0 + 590 * S;
	sample->until_at = T0 + 600 * S;
	return sample;
}

/* Of four CPUs, which may become eight, in ten seconds and the hour by which clocks may be set. */
static void a_host_uses_no_more_than_its_cpus_and_memory(void **state)
{
	struct made made;

	add_host_sample(&made, 602)->cpu_user_ns = 8 * 3700 * SECOND;
	lake_store(*state, &made);
	add_host_sample(&made, 603)->cpu_tracked_ns = 8 * 3700 * SECOND;
	lake_store(*state, &made);
	add_host_sample(&made, 604)->memory_used_bytes = BOUND_MEMORY_BYTES + 1;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "metrics", "", "lost_records"), "3\n");
	add_host_sample(&made, 605)->cpu_user_ns = 40 * SECOND;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "metrics", "", "lost_records"), "3\n");
}

static Signal__Host *post_host(struct made *made, uint64_t sequence)
{
	Signal__Host *host;

	made_init(made, sequence);
	host = made_add(made, "hosts");
	host->hostname = "changed";
	host->cpus = 4;
	return host;
}

static void a_host_beyond_its_bounds_is_kept_out(void **state)
{
	struct made made;

	post_host(&made, 602)->price_usd_hour = 10001;
	lake_store(*state, &made);
	post_host(&made, 603)->price_usd_hour = (double)NAN;
	lake_store(*state, &made);
	post_host(&made, 604)->cpus = 4000000000;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "hosts", "host=", "hostname"), "node\n");
	assert_string_equal(lake_query(*state, "metrics", "", "lost_records"), "3\n");
	post_host(&made, 606)->memory_bytes = BOUND_MEMORY_BYTES + 1;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "metrics", "", "lost_records"), "4\n");
	post_host(&made, 605)->price_usd_hour = 10000;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "hosts", "host=", "hostname"), "changed\n");
}

static void report_task(struct made *made, char *id, double cpus, uint64_t memory_bytes)
{
	Signal__ToldTask *task = made_add(made, "told_tasks");

	task->told_id = "told";
	task->task = id;
	task->cpus_requested = cpus;
	task->memory_requested_bytes = memory_bytes;
}

static void what_no_task_can_ask_for_is_kept_out(void **state)
{
	struct made made;

	made_init(&made, 301);
	report_task(&made, "most", 65536, UINT64_C(1) << 50);
	report_task(&made, "nothing", 0, 0);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "losses", LOSSES, "what"), "");
	made_init(&made, 302);
	report_task(&made, "negative", -2, 0);
	report_task(&made, "not a number", (double)NAN, 0);
	report_task(&made, "huge", 1e300, 0);
	report_task(&made, "a little more", 65537, 0);
	lake_store(*state, &made);
	made_init(&made, 303);
	report_task(&made, "memory", 1, (UINT64_C(1) << 50) + 1);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "losses", LOSSES, "what count why"),
			    "told_tasks 4 rejected: fewer than 0 or more than 65,536 CPUs\n"
			    "told_tasks 1 rejected: more memory than its host has\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, lake_teardown)
		TEST(more_cpu_than_threads_have_in_a_life_is_kept_out),
		TEST(more_cpu_than_the_host_has_is_kept_out_whatever_the_threads),
		TEST(all_the_cpu_that_threads_can_use_is_believed),
		TEST(what_was_found_may_have_used_more_than_since_then),
		TEST(a_peak_above_the_hosts_memory_is_kept_out),
		TEST(what_ends_before_it_begins_is_kept_out),
		TEST(a_clock_that_was_set_back_loses_nothing),
		TEST(times_before_2020_and_in_the_future_are_kept_out),
		TEST(a_text_beyond_its_bound_is_kept_out),
		TEST(a_text_as_long_as_its_bound_is_believed),
		TEST(every_text_of_a_batch_has_a_bound_of_its_own),
		TEST(a_sample_over_years_is_kept_out),
		TEST(a_sample_over_days_of_a_process_that_lived_as_long_is_believed),
		TEST(a_sample_behind_the_end_of_its_execution_is_kept_out),
		TEST(a_life_that_is_longer_than_between_its_begin_and_end_is_kept_out),
		TEST(a_peak_that_no_host_has_is_kept_out_whatever_its_host_has),
		TEST(a_host_uses_no_more_than_its_cpus_and_memory),
		TEST(a_host_beyond_its_bounds_is_kept_out),
		TEST(what_no_task_can_ask_for_is_kept_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
