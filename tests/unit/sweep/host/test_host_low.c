/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_host.h"

/* Hosts that are in use and hardly busy, and hosts larger than their work: minutes and hours are as
 * of fixture_host.h. */

static const struct {
	const char *minutes;
	int used_s, up_s;
	const char *kinds;
	int since_s;
} low_cases[] = {
	{ "120l", 0, 86400, "host_low", 7200 },
	{ "119l", 0, 86400, "host_low", 7140 },
	{ "95l", 0, 86400, "", 0 }, /* known for less than 80 % of two hours */
	{ "24?96l", 0, 86400, "host_low", 5760 },
	{ "25?95l", 0, 86400, "", 0 },
	{ "240l", 0, 86400, "host_low", 14400 },
	{ "240l", 0, 7200, "host_low", 7200 },
	{ "240l", 0, 7199, "", 0 }, /* it was not up for as long */
	/* the mean and the peak at their edges */
	{ "120e", 0, 86400, "host_low", 7200 },
	{ "120E", 0, 86400, "", 0 },
	{ "60.p59.", 0, 86400, "host_low", 7200 },
	{ "60.P59.", 0, 86400, "", 0 },
	{ "60.P120.", 0, 86400, "host_low", 7200 }, /* since that minute */
	{ "30w200l", 0, 86400, "host_low", 12000 },
	/* who needs the memory, the disk, the network */
	{ "60.m59.", 0, 86400, "", 0 },
	{ "60.u59.", 0, 86400, "", 0 },
	{ "120n", 0, 86400, "", 0 },
	{ "120d", 0, 86400, "", 0 },
	/* as long as it is not idle */
	{ "120l", 899, 86400, "host_low", 7200 },
	{ "120l", 900, 86400, "host_idle", 900 },
	{ "120E", 900, 86400, "", 0 },
};

static void hosts_are_hardly_busy_as_the_table_says(void **state)
{
	for (size_t i = 0; i < sizeof(low_cases) / sizeof(low_cases[0]); i++) {
		struct one_host one;
		const char *kinds;

		one_host_init(&one, low_cases[i].minutes);
		one.host.used_until = NOW - low_cases[i].used_s * S;
		one.host.up_since = NOW - low_cases[i].up_s * S;
		kinds = kinds_found(&one.input);
		if (strcmp(kinds, low_cases[i].kinds) != 0)
			fail_msg("case %zu, %s: '%s', not '%s'", i, low_cases[i].minutes, kinds,
				 low_cases[i].kinds);
		if (!*kinds)
			continue;
		const struct waste *waste = find_one(&one.input, low_cases[i].kinds);
		if (waste->since_at != NOW - low_cases[i].since_s * S)
			fail_msg("case %zu, %s: since %d s, not %d", i, low_cases[i].minutes,
				 (int)((NOW - waste->since_at) / S), low_cases[i].since_s);
		/* Work runs on a host that is hardly busy: nothing stops it. */
		if (strcmp(low_cases[i].kinds, "host_low") == 0)
			assert_null(waste->command);
	}
}

static void a_host_with_a_busy_gpu_is_not_hardly_busy(void **state)
{
	struct sweep_gpu gpu = { .uuid = "g", .known = true, .since_at = NOW - 9 * H };
	struct one_host one;

	one_host_init(&one, "120l");
	one.host.used_until = NOW;
	one.host.gpus = &gpu;
	one.host.gpu_count = 1;
	gpu.busy_until = NOW - 600 * S;
	assert_string_equal(kinds_found(&one.input), "");
	gpu.busy_until = NOW - 7200 * S;
	assert_string_equal(kinds_found(&one.input), "gpu_idle host_low");
	gpu.known = false;
	assert_string_equal(kinds_found(&one.input), "");
}

static const struct {
	const char *hours;
	const char *kinds;
	int64_t known_h; /* of the hours */
} size_cases[] = {
	{ "24w", "host_oversized", 24 },
	{ "23w", "", 0 },
	{ "12w40.12w", "host_oversized", 64 }, /* of the hours with work */
	{ "23w.", "", 0 },
	{ "24wW", "", 0 },
	{ "24wM", "", 0 },
	{ "24wu", "", 0 },
	{ "24w6h", "host_oversized", 27 }, /* 80 % of the hours with work are known */
	{ "24w7h", "", 0 },
	{ "24w20?", "host_oversized", 24 },
	{ "24w2c", "host_oversized", 26 }, /* with a job of its system */
	{ "24wU", "", 0 },                 /* with work that is not tracked */
	{ "30.", "", 0 },
	{ "", "", 0 },
};

static struct one_host *sized(struct one_host *one, const char *hours)
{
	one_host_init(one, "60w");
	one_host_hours(one, hours);
	one->host.used_until = NOW;
	one->host.smaller_type = "m6i.xlarge";
	one->host.smaller_nusd_hour = USD / 2;
	one->host.smaller_cpus = 4;
	one->host.smaller_memory_bytes = 16 * GB;
	return one;
}

static void hosts_are_too_large_as_the_table_says(void **state)
{
	for (size_t i = 0; i < sizeof(size_cases) / sizeof(size_cases[0]); i++) {
		struct one_host one;
		const char *kinds = kinds_found(&sized(&one, size_cases[i].hours)->input);

		if (strcmp(kinds, size_cases[i].kinds) != 0)
			fail_msg("case %zu, %s: '%s', not '%s'", i, size_cases[i].hours, kinds,
				 size_cases[i].kinds);
		if (!*kinds)
			continue;
		const struct waste *waste = find_one(&one.input, "host_oversized");
		assert_int_equal(waste->nusd_hour, USD / 2);
		assert_int_equal(waste->wasted_nusd, size_cases[i].known_h * USD / 2);
		assert_float_equal(waste->paid_share * (double)(one.input.now_at - waste->since_at),
				   3.6e12 * size_cases[i].known_h, 1e6);
	}
}

static void a_smaller_machine_has_to_hold_the_work_and_cost_less(void **state)
{
	const struct waste *waste;
	struct one_host one;

	waste = find_one(&sized(&one, "24w")->input, "host_oversized");
	assert_string_equal(
		waste->summary,
		"In 24 hours with work node-7 (m6i.2xlarge, 8 CPUs) needed at most 45 % of "
		"its CPUs and 45 % of its memory. m6i.xlarge (4 CPUs, 16.0 GiB) holds "
		"that.");
	assert_null(waste->command);
	one.host.smaller_cpus = 3.5;
	assert_string_equal(kinds_found(&one.input), "");
	sized(&one, "24w")->host.smaller_memory_bytes = 14 * GB;
	assert_string_equal(kinds_found(&one.input), "");
	sized(&one, "24w")->host.smaller_nusd_hour = USD;
	assert_string_equal(kinds_found(&one.input), "");
	sized(&one, "24w")->host.smaller_type = NULL;
	assert_string_equal(kinds_found(&one.input), "");
	sized(&one, "24w")->host.smaller_nusd_hour = 0;
	assert_int_equal(find_one(&one.input, "host_oversized")->nusd_hour, -1);
	one.host.provider = one.host.instance_type = "";
	one.host.smaller_type = NULL;
	waste = find_one(&one.input, "host_oversized");
	assert_int_equal(waste->nusd_hour, -1);
	assert_string_equal(
		waste->summary,
		"In 24 hours with work node-7 (8 CPUs) needed at most 45 % of its CPUs and 45 % of its memory. Twice the work would fit.");
}

/* What a host would cost less by its size is not saved in addition while it is idle. */
static void an_idle_host_has_its_price_once(void **state)
{
	struct one_host one;
	size_t unknown;

	sized(&one, "24w");
	for (size_t i = 0; i < one.host.minute_count; i++)
		one.minutes[i].cpu = 0.01;
	one.host.used_until = NOW - H;
	assert_string_equal(kinds_found(&one.input), "host_idle host_oversized");
	assert_int_equal(find_one(&one.input, "host_idle")->claimed_nusd, USD);
	assert_int_equal(find_one(&one.input, "host_oversized")->claimed_nusd, 0);
	struct wastes wastes = { 0 };
	assert_int_equal(sweep_find(&one.input, &wastes), 0);
	assert_int_equal(sweep_nusd_hour(&wastes, &unknown), USD);
	assert_int_equal(unknown, 0);
	wastes_clear(&wastes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_are_hardly_busy_as_the_table_says),
		cmocka_unit_test(a_host_with_a_busy_gpu_is_not_hardly_busy),
		cmocka_unit_test(hosts_are_too_large_as_the_table_says),
		cmocka_unit_test(a_smaller_machine_has_to_hold_the_work_and_cost_less),
		cmocka_unit_test(an_idle_host_has_its_price_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
