/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_host.h"

/* Hosts and workers that do nothing: the table's minutes are as of fixture_host.h; used, job and up
 * are how many seconds ago, -1: never, or that it is no worker. */
static const struct {
	const char *minutes;
	int used_s, job_s, up_s;
	const char *kinds;
	int since_s;
} cases[] = {
	/* at the edge of the patience of 15 minutes */
	{ "40w15.", 900, -1, 86400, "host_idle", 900 },
	{ "40w15.", 899, -1, 86400, "", 0 },
	{ "40w14.", 840, -1, 86400, "", 0 },
	/* used just until a part of a minute */
	{ "40w16.", 930, -1, 86400, "host_idle", 930 },
	/* never used, since it is up */
	{ "20.", -1, -1, 1200, "host_idle", 1200 },
	{ "14.", -1, -1, 840, "", 0 },
	/* work that is not tracked, now and before: since it ended */
	{ "60.15w", 4500, -1, 86400, "", 0 },
	{ "60.20w30.", 7200, -1, 86400, "host_idle", 1800 },
	{ "60w", 4500, -1, 86400, "", 0 },
	/* bursts of it: more than daemons do on average */
	{ "60w3.w3.w3.w3.w3.w", 1200, -1, 86400, "", 0 },
	/* what a system does each half hour is no work */
	{ "30.p29.p29.p29.", 7200, -1, 86400, "host_idle", 7200 },
	/* used in bursts: idle beyond 1.25 × its longest pause, if it had three */
	{ "10t20.10t20.10t20.10t24.", 1440, -1, 86400, "", 0 },
	{ "10t20.10t20.10t20.10t25.", 1500, -1, 86400, "host_idle", 1500 },
	{ "9.10t20.10t20.10t24.", 1440, -1, 86400, "host_idle", 1440 },
	{ "15.10t20.10t20.10t24.", 1440, -1, 86400, "", 0 },
	{ "10t14.10t14.10t14.10t15.", 900, -1, 86400, "host_idle", 900 },
	/* the mean at its edge */
	{ "30e", 1800, -1, 86400, "host_idle", 1800 },
	{ "30E", 1800, -1, 86400, "", 0 },
	/* a server, a transfer, a disk that is copied */
	{ "30n", 1800, -1, 86400, "", 0 },
	{ "30d", 1800, -1, 86400, "", 0 },
	/* what is not known is not idle: below 80 % of the time */
	{ "40w3?12.", 900, -1, 86400, "host_idle", 900 },
	{ "40w4?11.", 900, -1, 86400, "", 0 },
	{ "40w15h", 900, -1, 86400, "", 0 },
	{ "15?", 900, -1, 86400, "", 0 },
	{ "", 900, -1, 86400, "", 0 },
	{ "20.20?20.", 3600, -1, 86400, "host_idle", 1200 },
	/* a worker has less patience, and is not reported as idle host as well */
	{ "40w10.", 600, 600, 86400, "worker_idle", 600 },
	{ "40w10.", 600, 599, 86400, "", 0 },
	{ "40w10.", 599, 600, 86400, "", 0 },
	{ "60.", 3600, 3600, 86400, "worker_idle", 3600 },
	/* its job ended lately, and no process that is tracked used it */
	{ "60.", 3600, 300, 86400, "host_idle", 3600 },
	{ "60w", 3600, 3600, 86400, "", 0 },
};

static int64_t ago(int seconds)
{
	return seconds < 0 ? 0 : NOW - seconds * S;
}

static void hosts_and_workers_are_idle_as_the_table_says(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct one_host one;
		const char *kinds;

		one_host_init(&one, cases[i].minutes);
		one.host.used_until = ago(cases[i].used_s);
		one.host.up_since = ago(cases[i].up_s);
		one.host.job_until = ago(cases[i].job_s);
		one.host.worker = cases[i].job_s < 0 ? WORKER_NONE : WORKER_SLURM;
		kinds = kinds_found(&one.input);
		if (strcmp(kinds, cases[i].kinds) != 0)
			fail_msg("case %zu, %s: '%s', not '%s'", i, cases[i].minutes, kinds,
				 cases[i].kinds);
		if (!*kinds)
			continue;
		const struct waste *waste = find_one(&one.input, cases[i].kinds);
		if (waste->since_at != ago(cases[i].since_s))
			fail_msg("case %zu, %s: since %d s, not %d", i, cases[i].minutes,
				 (int)((NOW - waste->since_at) / S), cases[i].since_s);
		assert_int_equal(waste->nusd_hour, USD);
		assert_int_equal(waste->claimed_nusd, USD);
	}
}

static void idle(struct one_host *one)
{
	one_host_init(one, "30w30.");
	one->host.used_until = ago(1800);
	assert_string_equal(kinds_found(&one->input), "host_idle");
}

static void what_is_not_known_is_not_idle(void **state)
{
	struct one_host one;
	struct sweep_gpu gpu = { .uuid = "g", .since_at = NOW - H };

	idle(&one);
	one.host.seen_at = NOW - 180 * S; /* the patience ends with the last sample */
	assert_string_equal(kinds_found(&one.input), "host_idle");
	one.host.seen_at = NOW - 181 * S;
	assert_string_equal(kinds_found(&one.input), "");
	idle(&one);
	one.host.up_since = 0;
	assert_string_equal(kinds_found(&one.input), "");
	idle(&one);
	one.host.gpus = &gpu;
	one.host.gpu_count = 1;
	assert_string_equal(kinds_found(&one.input), "");
}

static void a_clock_that_is_wrong_makes_nothing_idle(void **state)
{
	struct one_host one;

	idle(&one);
	one.input.now_at = NOW - 180 * S; /* the host's clock is ahead by three minutes */
	assert_string_equal(kinds_found(&one.input), "host_idle");
	one.input.now_at = NOW - 181 * S;
	assert_string_equal(kinds_found(&one.input), "");
	idle(&one);
	one.host.used_until = NOW + H;
	assert_string_equal(kinds_found(&one.input), "");
	idle(&one);
	one.host.seen_at = INT64_MAX;
	assert_string_equal(kinds_found(&one.input), "");
	idle(&one);
	one.host.up_since = INT64_MAX;
	assert_string_equal(kinds_found(&one.input), "");
}

static void impossible_figures_make_nothing_idle(void **state)
{
	static const double numbers[] = { 0.0 / 0.0, 1e308 * 10 };

	for (size_t i = 0; i < 2; i++) {
		struct one_host one;

		idle(&one);
		one.minutes[50].cpu = numbers[i];
		assert_string_equal(kinds_found(&one.input), "");
		idle(&one);
		one.minutes[50].net_bytes_s = numbers[i];
		assert_string_equal(kinds_found(&one.input), "");
	}
	struct one_host one;
	idle(&one);
	for (size_t i = 0; i < one.host.minute_count; i++)
		one.minutes[i].lasted_s = -60;
	assert_string_equal(kinds_found(&one.input), "");
}

static void one_busy_thread_of_many_cpus_is_work(void **state)
{
	struct one_host one;

	idle(&one);
	for (size_t i = 0; i < one.host.minute_count; i++)
		one.minutes[i].cpu = 1.0 / 96;
	one.host.cpus = 96;
	assert_string_equal(kinds_found(&one.input), "");
	for (size_t i = 0; i < one.host.minute_count; i++)
		one.minutes[i].cpu = 0.9 / 96;
	assert_string_equal(kinds_found(&one.input), "host_idle");
}

static void a_gpu_that_computes_is_work(void **state)
{
	struct sweep_gpu gpu = { .uuid = "g", .known = true, .since_at = NOW - H };
	struct one_host one;

	idle(&one);
	one.host.gpus = &gpu;
	one.host.gpu_count = 1;
	gpu.busy_until = NOW - 600 * S;
	assert_string_equal(kinds_found(&one.input), "");
	gpu.busy_until = NOW - 900 * S;
	assert_int_equal(find_one(&one.input, "host_idle")->since_at, NOW - 900 * S);
	gpu.since_at = NOW - 600 * S;
	assert_string_equal(kinds_found(&one.input), "");
}

/* Minutes are known of six hours, hours of two weeks. */
static void an_idle_time_of_days_is_known_by_hours(void **state)
{
	struct one_host one;
	int64_t hour_at = NOW / H * H;

	one_host_init(&one, "360.");
	one_host_hours(&one, "20w50.");
	one.host.used_until = hour_at - 50 * H;
	one.host.up_since = hour_at - 70 * H;
	assert_int_equal(find_one(&one.input, "host_idle")->since_at, hour_at - 50 * H);
	one.host.used_until = hour_at - 50 * H - 1800 * S;
	assert_int_equal(find_one(&one.input, "host_idle")->since_at, hour_at - 50 * H - 1800 * S);
	one.host.used_until = hour_at - 60 * H; /* then it did work that is not tracked */
	assert_int_equal(find_one(&one.input, "host_idle")->since_at, hour_at - 50 * H);
	one_host_init(&one, "360.");
	one_host_hours(&one, "20.30?20.");
	one.host.used_until = 0;
	one.host.up_since = hour_at - 70 * H;
	assert_int_equal(find_one(&one.input, "host_idle")->since_at, hour_at - 20 * H);
}

static void exempted_hosts_and_those_idle_by_design_are_left_out(void **state)
{
	static const char *const texts[] = {
		"exempt: [{host: 'node-*'}]", "exempt: [{kind: host_idle}]",
		"exempt: [{user: ann}]",      "exempt: [{tag: 'keep:yes'}]",
		"exempt: [{user: bob}]",      "exempt: [{kind: worker_idle}]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CLEANUP(sweep_policy_freep) struct sweep_policy *policy = NULL;
		struct one_host one;

		idle(&one);
		one.host.tags = "{\"keep\":\"yes\"}";
		assert_int_equal(sweep_policy_parse(texts[i], strlen(texts[i]), "", &policy, NULL),
				 0);
		one.input.policy = policy;
		assert_string_equal(kinds_found(&one.input), i < 4 ? "" : "host_idle");
		one.host.by_design = true;
		assert_string_equal(kinds_found(&one.input), "");
	}
}

static void what_is_found_has_price_words_and_a_command(void **state)
{
	const struct waste *waste;
	struct one_host one;

	idle(&one);
	waste = find_one(&one.input, "host_idle");
	assert_string_equal(waste->summary,
			    "node-7 (m6i.2xlarge, 8 CPUs) did nothing for 30m 00s: no tracked work "
			    "used it, and its CPUs were busy for 1.0 % on average (1.0 % in the "
			    "busiest minute).");
	assert_string_equal(waste->command,
			    "aws ec2 stop-instances --instance-ids i-0abc --region eu-west-1");
	assert_string_equal(waste->who, "ann");
	assert_string_equal(waste->name, "node-7");
	assert_int_equal(waste->wasted_nusd, USD / 2);
	assert_non_null(strstr(waste->evidence, "\"cpu_share\":0.01"));
	one.host.nusd_hour = -1;
	waste = find_one(&one.input, "host_idle");
	assert_int_equal(waste->nusd_hour, -1);
	assert_int_equal(waste->wasted_nusd, -1);
	assert_int_equal(waste->claimed_nusd, 0);
	one.host.worker = WORKER_SLURM;
	one.host.worker_name = "slurmd"; /* which is for the evidence */
	waste = find_one(&one.input, "worker_idle");
	assert_non_null(strstr(waste->evidence, "\"worker\":\"slurmd\""));
	assert_string_equal(
		waste->summary,
		"node-7 (m6i.2xlarge, 8 CPUs) takes jobs of Slurm, and has had none "
		"since it is up, for 30m 00s: its CPUs were busy for 1.0 % on average.");
	assert_string_equal(waste->command,
			    "scontrol update nodename=node-7 state=drain reason=idle");
	one.host.worker = WORKER_OTHER;
	one.host.worker_name = "pbs_mom";
	waste = find_one(&one.input, "worker_idle");
	assert_non_null(strstr(waste->summary, " takes jobs of pbs_mom, "));
}

/* Minutes that are all alike: what is rounded in the mean does not lift it above the peak. */
static void a_mean_is_never_above_the_peak(void **state)
{
	const struct waste *waste;
	struct one_host one;

	one_host_init(&one, "32.");
	for (size_t i = 0; i < one.host.minute_count; i++)
		one.minutes[i].cpu = 0.0025;
	one.host.used_until = NOW - 32 * M;
	waste = find_one(&one.input, "host_idle");
	assert_non_null(waste);
	assert_non_null(strstr(waste->summary, "busy for 0.2 % on average (0.2 % in the busiest"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_and_workers_are_idle_as_the_table_says),
		cmocka_unit_test(what_is_not_known_is_not_idle),
		cmocka_unit_test(a_clock_that_is_wrong_makes_nothing_idle),
		cmocka_unit_test(impossible_figures_make_nothing_idle),
		cmocka_unit_test(one_busy_thread_of_many_cpus_is_work),
		cmocka_unit_test(a_gpu_that_computes_is_work),
		cmocka_unit_test(an_idle_time_of_days_is_known_by_hours),
		cmocka_unit_test(exempted_hosts_and_those_idle_by_design_are_left_out),
		cmocka_unit_test(what_is_found_has_price_words_and_a_command),
		cmocka_unit_test(a_mean_is_never_above_the_peak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
