/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture_split.h"

/* Worked by hand: statements of fixture_split.h, and what is expected, in dollars:
 * gets HOLD USED UNUSED IDLE; unallocated USD; cells COUNT; whole NANODOLLARS. */
static const struct {
	const char *name, *text;
} cases[] = {
	{ "a hold pays its part, and what is idle while it is alone",
	  "host 4 16 0 600000 400000 0; up 0 1 1; hold 0 1 2 4 0 / 1 4 0;"
	  /* CPU 0.6 × 2/4, half of it used; memory 0.4 × 4/16; the rest is idle */
	  "gets 0 0.25 0.15 0.6; unallocated 0" },
	{ "idle goes to holds in proportion to the value they hold",
	  "host 4 16 0 500000 500000 0; up 0 1 1; hold 0 1 2 0 0 / 2 0 0; hold 0 1 0 4 0 / 0 0 0;"
	  /* 0.25 and 0.125; idle 0.625, two thirds and one third */
	  "gets 0 0.25 0 0.416666667; gets 1 0 0.125 0.208333333; unallocated 0" },
	{ "time without holds has its own field",
	  "host 4 16 0 500000 500000 0; up 0 4 1; hold 1 2.5 4 16 0 / 4 16 0;"
	  "gets 0 1.5 0 0; unallocated 2.5; cells 4" },
	{ "used above reserved is held",
	  "host 4 16 0 500000 500000 0; up 0 1 1; hold 0 1 1 0 0 / 4 0 0; gets 0 0.5 0 0.5" },
	{ "more held than there is: in proportion",
	  "host 4 16 0 1000000 0 0; up 0 1 1; hold 0 1 2 0 0 / 2 0 0; hold 0 1 6 0 0 / 3 0 0;"
	  "gets 0 0.25 0 0; gets 1 0.375 0.375 0; unallocated 0" },
	{ "a kind without capacity and holds: its weight goes to the others in proportion",
	  "host 4 16 0 300000 100000 600000; up 0 1 1; hold 0 1 4 0 0 / 4 0 0; gets 0 0.75 0 0.25" },
	{ "unknown capacity: the holds pay all of the kind",
	  "host 0 16 0 500000 500000 0; up 0 1 1; hold 0 1 1 4 0 / 1 4 0; hold 0 1 3 0 0 / 3 0 0;"
	  /* values 0.125 + 0.125 and 0.375; idle 0.375 */
	  "gets 0 0.25 0 0.15; gets 1 0.375 0 0.225" },
	{ "a host of which nothing is known: its holds pay in proportion",
	  "host 0 0 0 0 0 0; up 0 2 1; hold 0 1 1 4 0 / 1 4 0; hold 0 1 3 4 0 / 3 4 0;"
	  "gets 0 0.375 0 0; gets 1 0.625 0 0; unallocated 1" },
	{ "no weights: the kinds that there are have equal parts",
	  "host 4 16 2 0 0 0; up 0 1 3; hold 0 1 4 0 1 / 4 0 0; gets 0 1 0.5 1.5" },
	{ "what has no weight costs nothing",
	  "host 4 16 0 1000000 0 0; up 0 1 1; hold 0 1 0 8 0 / 0 8 0; gets 0 0 0 0; unallocated 1" },
	{ "GPUs apart", "host 8 64 2 200000 100000 700000; up 0 1 10; hold 0 1 4 32 1 / 4 16 0.5;"
			"hold 0 1 4 32 1 / 4 32 1; gets 0 3 2 0; gets 1 5 0 0; unallocated 0" },
	{ "a change of price cuts the hour",
	  "host 1 0 0 1000000 0 0; up 0 0.5 1; up 0.5 1 3; hold 0 0.75 1 0 0 / 1 0 0;"
	  "gets 0 1.25 0 0; unallocated 0.75; cells 2" },
	{ "no cell lies in two stretches, also at one price",
	  "host 1 0 0 1000000 0 0; up 0.5 1 1; up 0 0.5 1; hold 0 1 1 0 0 / 0 0 0; gets 0 0 1 0;"
	  "cells 2" },
	{ "down time costs nothing, holds are cut to stretches",
	  "host 2 0 0 1000000 0 0; up 5 6 1; up 8.5 9 1; hold 0 99 1 0 0 / 1 0 0;"
	  "hold 0 5 1 0 0 / 1 0 0; hold 9 12 1 0 0 / 1 0 0; gets 0 0.75 0 0.75; gets 1 0 0 0;"
	  "gets 2 0 0 0; unallocated 0; cells 2" },
	{ "no length, reversed time, nothing held: nothing to pay",
	  "host 2 0 0 1000000 0 0; up 0 1 1; up 3 2 1; up 4 4 1; hold 0.5 0.5 1 0 0 / 1 0 0;"
	  "hold 0.9 0.1 1 0 0 / 1 0 0; hold 0 1 0 0 0 / 0 0 0; gets 0 0 0 0; gets 1 0 0 0;"
	  "gets 2 0 0 0; unallocated 1; cells 1" },
	{ "a host that is free", "host 2 8 0 500000 500000 0; up 0 1 0; hold 0 1 1 1 0 / 1 1 0;"
				 "gets 0 0 0 0; unallocated 0; cells 1" },
	{ "an amount is rounded to the next nano-dollar, and what follows makes up for it",
	  "host 1 0 0 1000000 0 0; up 0 0.5 0.000000003; hold 0 1 1 0 0 / 1 0 0; whole 2" },
	{ "holds that follow each other",
	  "host 2 0 0 1000000 0 0; up 0 1 1; hold 0 0.25 2 0 0 / 2 0 0; hold 0.25 1 1 0 0 / 1 0 0;"
	  "gets 0 0.25 0 0; gets 1 0.375 0 0.375" },
	{ "an hour before 1970", "host 1 0 0 1000000 0 0; up -1.5 -0.5 2; unallocated 2; cells 2" },
};

static void expect(const char *name, const char *what, int64_t nusd, double usd)
{
	double distance = (double)nusd - usd * SPLIT_USD;
	if (distance > 1 || distance < -1)
		fail_msg("%s: %s is %.9f instead of %.9f", name, what, (double)nusd / SPLIT_USD,
			 usd);
}

static void expect_statement(const char *name, const char *statement, const struct split_sums *sums)
{
	double used = 0, unused = 0, idle = 0;
	size_t index = 0;
	if (sscanf(statement, " gets %zu %lf %lf %lf", &index, &used, &unused, &idle) == 4) {
		expect(name, "used", sums->parts[index].used_nusd, used);
		expect(name, "unused", sums->parts[index].unused_nusd, unused);
		expect(name, "idle", sums->parts[index].idle_nusd, idle);
	} else if (sscanf(statement, " unallocated %lf", &used) == 1) {
		expect(name, "unallocated", sums->unallocated_nusd, used);
	} else if (sscanf(statement, " whole %zu", &index) == 1) {
		assert_int_equal(sums->whole_nusd, index);
	} else if (sscanf(statement, " cells %zu", &index) == 1) {
		assert_int_equal(sums->cells, index);
	} else {
		fail_msg("%s: what is \"%s\"?", name, statement);
	}
}

static void each_case_is_split_as_it_says(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[1024], *rest = NULL;
		bool done = false;
		input = (struct split_case){ 0 };
		snprintf(text, sizeof(text), "%s", cases[i].text);
		for (char *word = strtok_r(text, ";", &rest); word;
		     word = strtok_r(NULL, ";", &rest)) {
			if (split_case_read(&input, word))
				continue;
			if (!done)
				split_case_run(&input, COST_RULE_HELD, &sums);
			done = true;
			expect_statement(cases[i].name, word, &sums);
		}
		assert_true(done);
	}
}

static void what_cannot_be_is_refused(void **state)
{
	static const struct cost_stretch bad[][2] = {
		{ { 0, 10, -1 } },
		{ { 0, 10, COST_NUSD_HOUR_LIMIT + 1 } },
		{ { 0, 10, 1 }, { 9, 20, 1 } },
		{ { 0, COST_TIME_LIMIT, 1 }, { COST_TIME_LIMIT + 5, COST_TIME_LIMIT + 6, 1 } },
		{ { INT64_MIN, INT64_MAX, 1 } },
		{ { INT64_MIN, INT64_MIN + 5, 1 } },
	};
	const struct cost_host host = { { 1 }, { COST_MILLION } };
	const struct cost_sink sink = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(cost_split(&host, bad[i], 2, NULL, 0, COST_RULE_HELD, &sink),
				 -EINVAL);
	assert_int_equal(cost_split(&host, NULL, 0, NULL, 0, (enum cost_rule)9, &sink), -EINVAL);
	assert_int_equal(cost_split(&host, NULL, 0, NULL, 0, COST_RULE_AWS, &sink), 0);
}

static int stop(void *context, const struct cost_cell *cell)
{
	int *cells = context;
	(void)cell;
	return ++*cells == 2 ? -ECANCELED : 0;
}

static void a_sink_that_fails_ends_the_split(void **state)
{
	const struct cost_host host = { { 1 }, { COST_MILLION } };
	const struct cost_stretch up = { 0, 5 * SPLIT_HOUR, 1 };
	int cells = 0;
	const struct cost_sink sink = { .cell = stop, .context = &cells };
	(void)state;
	assert_int_equal(cost_split(&host, &up, 1, NULL, 0, COST_RULE_HELD, &sink), -ECANCELED);
	assert_int_equal(cells, 2);
}

/* The largest host, price, amounts and time, by both rules: the fixture checks each cell. */
static void nothing_overflows_at_the_limits(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	(void)state;
	input = (struct split_case){ .stretch_count = 1, .hold_count = SPLIT_MOST };
	input.stretches[0] = (struct cost_stretch){ 0, COST_TIME_LIMIT, COST_NUSD_HOUR_LIMIT };
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		input.host.capacity[kind] = UINT64_MAX;
		input.host.weight_ppm[kind] = UINT32_MAX;
	}
	for (size_t i = 0; i < SPLIT_MOST; i++) {
		input.holds[i] = (struct cost_hold){ .since_at = INT64_MIN, .until_at = INT64_MAX };
		for (size_t kind = 0; kind < COST_KINDS; kind++) {
			input.holds[i].used[kind] = i % 2 ? UINT64_MAX : 1;
			input.holds[i].held[kind] = i % 3 ? UINT64_MAX : 0;
		}
	}
	for (size_t i = 0; i < 2; i++) {
		input.hold_count = i == 0 ? 3 : SPLIT_MOST;
		input.stretches[0].until_at = i == 0 ? COST_TIME_LIMIT : 100 * SPLIT_HOUR;
		for (int rule = COST_RULE_HELD; rule <= COST_RULE_AWS; rule++) {
			split_case_run(&input, (enum cost_rule)rule, &sums);
			assert_int_equal(sums.unallocated_nusd, 0);
			assert_int_equal(sums.whole_nusd,
					 (int64_t)sums.cells * COST_NUSD_HOUR_LIMIT);
		}
	}
}

/* A nano-dollar that two equal holds cannot share goes to the lower key, however they are given. */
static void the_key_decides_between_equals(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	(void)state;
	for (size_t first = 0; first < 2; first++) {
		input = (struct split_case){ .stretch_count = 1, .hold_count = 2 };
		input.host = (struct cost_host){ { 2 }, { COST_MILLION } };
		input.stretches[0] = (struct cost_stretch){ 0, SPLIT_HOUR, 3 };
		for (size_t i = 0; i < 2; i++)
			input.holds[i] = (struct cost_hold){ .until_at = SPLIT_HOUR,
							     .key = i ^ first,
							     .used = { 1 } };
		split_case_run(&input, COST_RULE_HELD, &sums);
		assert_int_equal(split_cost(&sums.parts[first]), 2);
		assert_int_equal(split_cost(&sums.parts[1 - first]), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_case_is_split_as_it_says),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(a_sink_that_fails_ends_the_split),
		cmocka_unit_test(nothing_overflows_at_the_limits),
		cmocka_unit_test(the_key_decides_between_equals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
