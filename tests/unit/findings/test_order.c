/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "findings/finders.h"
#include "findings/threshold.h"

#define S 1000000000ULL

/* Findings as letter, severity (c, w, i), seconds and cents that it saves (-1: not known); the run
 * took 100 s and cost 100 cents (-1: not known). */
static const struct {
	const char *findings;
	double cents;
	const char *left;
} cases[] = {
	{ "a/i/-1/-1 b/c/-1/-1 c/w/-1/-1 d/c/-1/-1", 100, "bdca" },
	{ "a/i/4/-1 b/i/5/-1", 100, "b" },
	{ "a/i/-1/4 b/i/-1/5", 100, "b" },
	{ "a/i/4/4 b/i/4/6 c/i/6/4", 100, "bc" },
	{ "a/w/1/-1 b/c/1/-1", 100, "b" },
	{ "a/i/-1/1 b/i/1/90", -1, "a" },
	{ "", 100, "" },
};

static void add(struct findings *findings, const char *text)
{
	char letter, severity;
	double seconds, cents;
	int len;

	while (sscanf(text, " %c/%c/%lf/%lf%n", &letter, &severity, &seconds, &cents, &len) == 4) {
		struct finding finding = {
			.severity = severity == 'c'   ? FINDING_CRITICAL
				    : severity == 'w' ? FINDING_WARNING
						      : FINDING_INFO,
			.subject = strndup(&letter, 1),
			.summary = strdup(""),
			.evidence = strdup("{}"),
			.advice = strdup(""),
			.saves_s = seconds,
			.saves_usd = cents < 0 ? -1 : cents / 100,
		};

		assert_int_equal(findings_add(findings, finding), 0);
		text += len;
	}
}

static void small_savings_are_left_out_and_failures_come_first(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct finding_run run = { .wall_ns = 100 * S,
					   .cost_usd =
						   cases[i].cents < 0 ? -1 : cases[i].cents / 100 };
		struct findings findings = { 0 };
		char left[16] = "";

		add(&findings, cases[i].findings);
		findings_order(&run, &findings);
		for (size_t n = 0; n < findings.count; n++)
			strncat(left, findings.items[n].subject, 1);
		assert_string_equal(left, cases[i].left);
		findings_clear(&findings);
	}
}

/* Before the test below, which changes values. */
static void each_threshold_is_documented_with_its_value(void **state)
{
	CLEANUP(freep) char *page = NULL;
	size_t len = 0;

	assert_int_equal(
		file_read(AT_FDCWD, TESTS_DIR "/../docs/findings.md", 1 << 20, &page, &len), 0);
	for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
		char row[256];

		snprintf(row, sizeof(row), "| `%s` | %.15g | %s | %s |\n", THRESHOLDS[i].name,
			 THRESHOLDS[i].value, THRESHOLDS[i].unit, THRESHOLDS[i].meaning);
		if (!strstr(page, row))
			fail_msg("docs/findings.md lacks %s", row);
	}
}

static void thresholds_are_set_all_or_none(void **state)
{
	static const char *const wrong[] = { "no_such=1",
					     "run_share",
					     "run_share=",
					     "run_share=x",
					     "run_share=-1",
					     "run_share=nan",
					     "slow_warn=0.9,no_such=1",
					     "run_share=1x",
					     "," };
	struct error err = { "" };
	double idle = threshold(SLOW_WARN);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(thresholds_set(wrong[i], &err), -EINVAL);
		assert_true(threshold(SLOW_WARN) == idle);
		assert_true(threshold(RUN_SHARE) == 0.05);
	}
	assert_int_equal(thresholds_set("", &err), 0);
	assert_int_equal(thresholds_set("run_share=0.5,slow_warn=0.25", &err), 0);
	assert_true(threshold(RUN_SHARE) == 0.5);
	assert_true(threshold(SLOW_WARN) == 0.25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_savings_are_left_out_and_failures_come_first),
		cmocka_unit_test(each_threshold_is_documented_with_its_value),
		cmocka_unit_test(thresholds_are_set_all_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
