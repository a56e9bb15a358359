/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* Samples over time, what was lost, hosts and their activity. */

static void a_sample_is_spread_over_its_buckets(void **state)
{
	Signal__Figures *figures;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_execution(&made, 1, "t", "bwa", 0, -1);
	figures = made_sample(&made, 1, "t", 1, 5)->figures;
	figures->user_ns = 400;
	figures->rss_bytes = 1000;
	figures->rss_anon_bytes = 600;
	figures->rss_file_bytes = 300;
	figures->rss_shmem_bytes = 100;
	figures->swap_bytes = 50;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "samples", "run=run by=run interval_s=2",
				       "at key user_ns rss_bytes"),
			    "@0 run 100 500\n@2 run 200 1000\n@4 run 100 500\n");
	assert_string_equal(lake_query(*state, "samples", "run=run by=task interval_s=2",
				       "rss_anon_bytes rss_file_bytes rss_shmem_bytes swap_bytes"),
			    "300 150 50 25\n600 300 100 50\n300 150 50 25\n");
	made_init(&made, 2); /* of one that was never sampled the peak is known, and no kind */
	made_execution(&made, 2, "u", "true", 0, 2)->figures->rss_peak_bytes = 70;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "samples", "run=run by=tool interval_s=10",
				       "key rss_bytes rss_anon_bytes"),
			    "bwa 400 240\ntrue 14 0\n");
}

static void the_area_under_samples_is_the_runs_total(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	made_execution(&made, 1, "t", "bwa", 0, 10)->figures->user_ns = 1000;
	made_sample(&made, 1, "t", 0, 4)->figures->user_ns = 400;
	/* Never sampled: it was too short. */
	made_execution(&made, 2, "t", "true", 5, 5.0003)->figures->user_ns = 7;
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "samples", "run=run by=run interval_s=5", "at user_ns"),
		"@0 500\n@5 507\n");
	assert_string_equal(
		lake_query(*state, "samples", "run=run by=tool interval_s=10", "at key user_ns"),
		"@0 bwa 1000\n@0 true 7\n");
}

static void samples_can_be_seen_by_task(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	made_execution(&made, 1, "", "snakemake", 0, 10)->figures->user_ns = 1;
	made_execution(&made, 2, "a", "bwa", 0, 5)->figures->user_ns = 20;
	made_execution(&made, 3, "b", "bwa", 5, 10)->figures->user_ns = 30;
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "samples", "run=run by=task interval_s=10", "key user_ns"),
		" 1\na 20\nb 30\n");
	assert_string_equal(
		lake_query(*state, "samples_use", "run=run by=task interval_s=10", "key user_ns"),
		" 1\na 20\nb 30\n");
	assert_string_equal(
		lake_query(*state, "samples_shares", "run=run interval_s=5", "at key user_ns"),
		"@0 engine 1\n@0 tasks 20\n@5 engine 1\n@5 tasks 30\n");
}

static void a_runs_buckets_are_round_and_at_most_400(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "minute", 0, 60);
	made_run(&made, "hour", 0, 3600);
	made_run(&made, "day", 0, 86400);
	made_run(&made, "years", 0, 86400);
	made.batch.runs[3]->started_at = T0 - 1999 * 86400 * S;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "samples_interval", "run=minute", "interval_s"),
			    "1\n");
	assert_string_equal(lake_query(*state, "samples_interval", "run=hour", "interval_s"),
			    "10\n");
	assert_string_equal(lake_query(*state, "samples_interval", "run=day", "interval_s"),
			    "300\n");
	assert_string_equal(lake_query(*state, "samples_interval", "run=years", "interval_s"),
			    "433083\n");
}

static void scan(struct made *made, double seconds)
{
	Signal__Scan *record = made_add(made, "scans");

	record->scanned_at = T0 + (int64_t)(seconds * 1e9);
}

/* An agent that came back at 50 s found process 2 still there, 1 and 3 not. */
static void agent_comes_back(struct lake *lake)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	made_task(&made, "a", "map", 0, -1);
	made_task(&made, "b", "map", 0, -1);
	made_execution(&made, 1, "a", "bwa", 0, -1);
	made_execution(&made, 2, "b", "bwa", 0, -1);
	made_execution(&made, 3, "a", "true", 0, 1);
	made_sample(&made, 1, "a", 0, 5)->figures->user_ns = 9;
	made_sample(&made, 1, "a", 5, 10)->figures->rss_bytes = 9;
	lake_store(lake, &made);
	made_init(&made, 51);
	made_run(&made, "run", 0, -1);
	made_task(&made, "b", "map", 0, -1);
	made_execution(&made, 2, "b", "bwa", 0, -1);
	scan(&made, 50);
	lake_store(lake, &made);
}

#define PROCESSES "run=run task= tool= status= limit=10 cursor="
#define TASKS     "run=run step= status= limit=10 cursor="

static void what_a_scan_did_not_find_again_is_lost_since_its_last_sample(void **state)
{
	agent_comes_back(*state);
	assert_string_equal(
		lake_query(*state, "processes", PROCESSES, "pid status ended_at user_ns rss_bytes"),
		"1 lost @10 9 0\n2 running - 0 0\n3 succeeded @1 0 0\n");
}

static void a_task_that_was_lost_ends_with_its_last_process(void **state)
{
	agent_comes_back(*state);
	assert_string_equal(lake_query(*state, "tasks", TASKS, "id status ended_at exit_code"),
			    "a lost @10 -\nb running - -\n");
	assert_string_equal(lake_query(*state, "run", "run=run", "status"), "running\n");
}

static void another_hosts_scan_closes_nothing_here(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_execution(&made, 1, "a", "bwa", 0, -1);
	lake_store(*state, &made);
	made_init(&made, 60);
	made.batch.host_id = "host2";
	made.batch.agent_id = "agent2";
	scan(&made, 60);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "processes", PROCESSES, "status"), "running\n");
}

static void what_was_reported_after_the_scan_began_is_not_lost(void **state)
{
	struct made made;

	made_init(&made, 10);
	made_execution(&made, 1, "a", "bwa", 0, -1);
	lake_store(*state, &made);
	made_init(&made, 11);
	scan(&made, 9.5);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "processes", PROCESSES, "status"), "running\n");
}

static void the_lost_who_end_after_all_are_what_their_end_says(void **state)
{
	struct made made;

	agent_comes_back(*state);
	made_init(&made, 52);
	made_execution(&made, 1, "a", "bwa", 0, 60)->figures->user_ns = 70;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "processes",
				       "run=run task=a tool=bwa status= limit=1 cursor=",
				       "status ended_at user_ns"),
			    "succeeded @60 70\n");
}

/* A host's sample that ended so many seconds before now. */
static Signal__HostSample *sample_host(struct made *made, int64_t ago, int64_t seconds)
{
	Signal__HostSample *sample = made_add(made, "host_samples");

	sample->until_at = (time(NULL) - ago) * S;
	sample->since_at = sample->until_at - seconds * S;
	return sample;
}

static void store_host(struct lake *lake, const char *name, int64_t ago, bool stopped)
{
	Signal__Host *host;
	struct made made;

	made_init(&made, 1);
	made.batch.agent_id = made.batch.host_id = (char *)(uintptr_t)name;
	host = made_add(&made, "hosts");
	host->hostname = (char *)(uintptr_t)name;
	host->agent_started_at = (time(NULL) - 1000) * S;
	host->agent_stopped_at = stopped ? (time(NULL) - 5) * S : 0;
	host->seen_at = (time(NULL) - 1000) * S;
	sample_host(&made, ago + 5, 5)->memory_used_bytes = 1;
	sample_host(&made, ago, 5)->memory_used_bytes = 2;
	lake_store(lake, &made);
}

static void a_host_is_up_silent_or_down_and_shows_its_latest_sample(void **state)
{
	store_host(*state, "busy", 3, false);
	store_host(*state, "gone", 5, true);
	store_host(*state, "mute", 300, false);
	assert_string_equal(lake_query(*state, "hosts", "host=",
				       "hostname status memory_used_bytes sample_s price_usd_hour"),
			    "busy up 2 5 -\ngone down 2 5 -\nmute silent 2 5 -\n");
	assert_string_equal(lake_query(*state, "hosts", "host=mute", "id"), "mute\n");
}

static void a_hosts_samples_are_summed_by_bucket(void **state)
{
	Signal__HostSample *sample;
	struct made made;

	made_init(&made, 1);
	for (int64_t second = 0; second < 60; second += 5) {
		sample = made_add(&made, "host_samples");
		sample->since_at = T0 + second * S;
		sample->until_at = T0 + (second + 5) * S - 1;
		sample->cpu_user_ns = 3;
		sample->memory_used_bytes = (uint64_t)second;
	}
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "host_samples",
				       "host=host since_at=@0 until_at=@60 interval_s=30",
				       "at cpu_user_ns memory_used_bytes"),
			    "@0 18 12\n@30 18 42\n");
	assert_string_equal(
		lake_query(*state, "activity_up", "since_at= until_at=", "host_id since_at"),
		"host @0\n");
}

static void a_gap_of_a_minute_parts_two_times_of_being_up(void **state)
{
	static const int64_t seconds[] = { 0, 50, 200 };
	struct made made;

	made_init(&made, 1);
	for (size_t i = 0; i < 3; i++) {
		Signal__HostSample *sample = made_add(&made, "host_samples");

		sample->since_at = T0 + seconds[i] * S;
		sample->until_at = T0 + (seconds[i] + 10) * S;
	}
	made_add(&made, "hosts");
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "activity_up", "since_at= until_at=", "since_at until_at"),
		"@0 @60\n@200 @210\n");
	assert_string_equal(
		lake_query(*state, "activity_hosts", "since_at=@100 until_at=", "id up_s"),
		"host 10\n");
}

/* The second execution and the last begin within a second of each other, the fourth a second and
 * more after all before it ended: though a third, long one began before the second. */
static void a_pause_of_a_second_parts_two_times_of_being_used(void **state)
{
	static const double lives[][2] = { { 1.2, 1.3 },   { 1.9, 2 },   { 1.5, 6 },   { 7.1, 7.2 },
					   { 7.15, 7.16 }, { 8.2, 8.3 }, { 9.1, 9.1 }, { 20, 30 } };
	struct made made;

	made_init(&made, 1);
	for (uint32_t i = 0; i < sizeof(lives) / sizeof(lives[0]); i++)
		made_execution(&made, i + 1, "", "tool", lives[i][0], lives[i][1]);
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "activity_used", "since_at= until_at=", "since_at until_at"),
		"@1.2 @6\n@7.1 @9.1\n@20 @30\n");
	assert_string_equal(lake_query(*state, "activity_used", "since_at=@7.16 until_at=@20",
				       "since_at until_at"),
			    "@7.16 @9.1\n");
}

/* A daemon that sleeps for weeks keeps no host busy; the same process at work does. */
static void a_process_of_no_run_uses_its_host_only_while_it_works(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_execution(&made, 1, "", "python3", 0, 1000)->run_id = "";
	Signal__Sample *sample = made_sample(&made, 1, "", 10, 20);
	sample->run_id = "";
	sample->figures->user_ns = 99999999; /* just under 1 % of 10 s */
	sample = made_sample(&made, 1, "", 30, 40);
	sample->run_id = "";
	sample->figures->user_ns = 100000000;
	/* Never sampled, as short ones are. */
	Signal__Execution *brief = made_execution(&made, 2, "", "python3", 50, 52);
	brief->run_id = "";
	brief->figures->kernel_ns = 20000000;
	brief = made_execution(&made, 3, "", "python3", 60, 62);
	brief->run_id = "";
	brief->figures->kernel_ns = 19999999;
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "activity_used", "since_at= until_at=", "since_at until_at"),
		"@30 @40\n@50 @52\n");
}

static void activity_says_when_hosts_were_used(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	made_task(&made, "a", "map", 2, 8);
	made_execution(&made, 1, "", "snakemake", 1, 19)->figures->user_ns = 5;
	made_execution(&made, 2, "a", "bwa", 2, 8)->figures->user_ns = 10;
	made_execution(&made, 3, "a", "samtools", 3, 7)->figures->kernel_ns = 20;
	lake_store(*state, &made);
	made_init(&made, 1);
	made.batch.agent_id = made.batch.host_id = "host2";
	made_execution(&made, 2, "b", "bwa", 4, 6)->figures->user_ns = 40;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "activity_used",
				       "since_at= until_at=", "host_id since_at until_at"),
			    "host @1 @19\nhost2 @4 @6\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_sample_is_spread_over_its_buckets),
		TEST(the_area_under_samples_is_the_runs_total),
		TEST(samples_can_be_seen_by_task),
		TEST(a_runs_buckets_are_round_and_at_most_400),
		TEST(what_a_scan_did_not_find_again_is_lost_since_its_last_sample),
		TEST(a_task_that_was_lost_ends_with_its_last_process),
		TEST(another_hosts_scan_closes_nothing_here),
		TEST(what_was_reported_after_the_scan_began_is_not_lost),
		TEST(the_lost_who_end_after_all_are_what_their_end_says),
		TEST(a_host_is_up_silent_or_down_and_shows_its_latest_sample),
		TEST(a_hosts_samples_are_summed_by_bucket),
		TEST(a_gap_of_a_minute_parts_two_times_of_being_up),
		TEST(a_pause_of_a_second_parts_two_times_of_being_used),
		TEST(a_process_of_no_run_uses_its_host_only_while_it_works),
		TEST(activity_says_when_hosts_were_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
