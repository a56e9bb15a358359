/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "findings/finders.h"
#include "findings/host_use.h"

#define MINUTE (60 * 1000000000LL)
#define MOST   10

/* Intervals in minutes, "0-60 30-90"; figures in minutes. */
static const struct {
	const char *name, *up, *used;
	double usd_hour;
	unsigned up_min, tracked_min, longest_idle_min;
	int severity; /* -1: no finding */
	double idle_usd;
} cases[] = {
	{ "never used", "0-60", "", 6, 60, 0, 60, FINDING_WARNING, 6 },
	{ "always used", "0-60", "0-60", 6, 60, 60, 0, -1, 0 },
	{ "used at both ends", "0-100", "0-20 80-100", 6, 100, 40, 60, FINDING_WARNING, 6 },
	{ "used more than half of it", "0-100", "0-60", 6, 100, 60, 40, FINDING_INFO, 4 },
	{ "a pause of fourteen minutes", "0-14", "", 6, 14, 0, 14, -1, 1.4 },
	{ "a pause of fifteen", "0-15", "", 6, 15, 0, 15, FINDING_WARNING, 1.5 },
	{ "many short pauses in a busy day", "0-1000", "0-900", 6, 1000, 900, 100, -1, 10 },
	{ "overlapping reports count once", "0-60 30-90 10-20", "0-20 10-30 5-6", 1, 90, 30, 60,
	  FINDING_WARNING, 1 },
	{ "reports that touch are one pause", "0-30 30-60", "", 1, 60, 0, 60, FINDING_WARNING, 1 },
	{ "what was used while it was not seen up does not count", "100-160", "0-50 150-400", 1, 60,
	  10, 50, FINDING_WARNING, 50.0 / 60 },
	{ "used across a gap", "0-30 60-90", "20-70", 1, 60, 20, 20, FINDING_WARNING, 40.0 / 60 },
	{ "in any order", "60-90 0-30", "80-90 0-10", 1, 60, 20, 20, FINDING_WARNING, 40.0 / 60 },
	{ "empty and backward intervals are nothing", "0-60 70-70 90-80", "5-5 9-3", 1, 60, 0, 60,
	  FINDING_WARNING, 1 },
	{ "never up", "", "0-10", 1, 0, 0, 0, -1, 0 },
	{ "a price that is not known", "0-60", "", 0, 60, 0, 60, FINDING_WARNING, -1 },
};

static size_t read_intervals(const char *text, struct host_interval *list)
{
	size_t count = 0;
	long since = 0, until = 0;
	int used = 0;
	while (sscanf(text, " %ld-%ld%n", &since, &until, &used) == 2) {
		list[count++] = (struct host_interval){ since * MINUTE, until * MINUTE };
		text += used;
	}
	return count;
}

static void check_finding(const struct finding *finding, const struct host_use *use,
			  double usd_hour)
{
	json_error_t error;
	json_t *evidence = json_loads(finding->evidence, 0, &error);
	assert_string_equal(finding->kind, "host_idle");
	assert_string_equal(finding->subject, "host node-7");
	assert_true(strlen(finding->summary) > 20 && strlen(finding->advice) > 20);
	assert_non_null(evidence);
	assert_int_equal(json_integer_value(json_object_get(evidence, "idle_ns")), use->idle_ns);
	assert_int_equal(json_integer_value(json_object_get(evidence, "up_ns")), use->up_ns);
	assert_int_equal(json_object_get(evidence, "price_usd_hour") != NULL, usd_hour > 0);
	assert_true(finding->saves_usd == use->idle_usd);
	assert_true(finding->saves_s < 0);
	json_decref(evidence);
}

static void each_host_is_judged_as_it_was_used(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct host_interval up[MOST], used[MOST];
		struct finding_host host = { .id = "h7",
					     .hostname = "node-7",
					     .usd_hour = cases[i].usd_hour,
					     .up = up,
					     .up_count = read_intervals(cases[i].up, up),
					     .used = used,
					     .used_count = read_intervals(cases[i].used, used) };
		struct host_use use;
		struct findings findings = { 0 };
		print_message("%s\n", cases[i].name);
		assert_int_equal(host_use_make(&host, &use), 0);
		assert_int_equal(use.up_ns, cases[i].up_min * MINUTE);
		assert_int_equal(use.tracked_ns, cases[i].tracked_min * MINUTE);
		assert_int_equal(use.idle_ns, use.up_ns - use.tracked_ns);
		assert_int_equal(use.longest_idle_ns, cases[i].longest_idle_min * MINUTE);
		assert_true(fabs(use.idle_usd - cases[i].idle_usd) < 1e-9);
		assert_int_equal(
			findings_find(&(struct finding_input){ .hosts = &host, .host_count = 1 },
				      &findings),
			0);
		assert_int_equal(findings.count, cases[i].severity >= 0);
		if (findings.count > 0) {
			assert_int_equal(findings.items[0].severity, cases[i].severity);
			check_finding(&findings.items[0], &use, cases[i].usd_hour);
		}
		findings_clear(&findings);
	}
}

static void the_words_tell_a_host_never_used_from_one_used_too_little(void **state)
{
	const struct host_interval day = { 0, 24 * 60 * MINUTE }, hour = { 0, 60 * MINUTE };
	const struct finding_host hosts[] = {
		{ .id = "a", .hostname = "never", .up = &day, .up_count = 1 },
		{ .id = "b", .up = &day, .up_count = 1, .used = &hour, .used_count = 1 },
	};
	struct findings findings = { 0 };
	assert_int_equal(findings_find(&(struct finding_input){ .hosts = hosts, .host_count = 2 },
				       &findings),
			 0);
	assert_int_equal(findings.count, 2);
	assert_string_equal(findings.items[0].summary,
			    "It was up for 1d 00h and no tracked work used it.");
	assert_string_equal(findings.items[1].subject, "host b");
	assert_string_equal(
		findings.items[1].summary,
		"No tracked work used it for 23h 00m of the 1d 00h that it was up (96 %).");
	assert_non_null(strstr(findings.items[1].advice, "23h 00m"));
	findings_clear(&findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_host_is_judged_as_it_was_used),
		cmocka_unit_test(the_words_tell_a_host_never_used_from_one_used_too_little),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
