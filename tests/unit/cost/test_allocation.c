/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost/allocation.h"
#include "cost/share_out.h"

#define S    1000000000LL
#define HOUR (3600 * S)
#define USD  1000000000LL /* in nano-dollars */
#define MOST 64

struct fixture {
	struct cost_host hosts[MOST];
	struct cost_presence presences[MOST];
	struct cost_task tasks[MOST];
	struct cost_bill bill;
};

/*
 * A case as text, a word a thing: host PRICE CPUS SINCE UNTIL, run HOST SINCE UNTIL ENGINE_CPU,
 * task PRESENCE CPU (hours throughout), and what is expected, in dollars: unused HOST, whole, idle
 * and engine PRESENCE, pays TASK.
 */
static const struct {
	const char *name, *text;
} cases[] = {
	{ "one run, one task, half of the CPUs",
	  "host 4 2 0 1; run 0 0 1 0; task 0 1; whole 0 4; pays 0 2; idle 0 2; unused 0 0" },
	{ "the engine pays for itself",
	  "host 4 2 0 1; run 0 0 1 0.5; task 0 1; pays 0 2; engine 0 1; idle 0 1" },
	{ "before and after the run no run pays",
	  "host 10 1 0 10; run 0 2 5 0; task 0 3; whole 0 30; pays 0 30; idle 0 0; unused 0 70" },
	{ "two runs at a time pay half each",
	  "host 6 1 0 3; run 0 0 2 0; run 0 1 3 0; task 0 1; task 1 0; whole 0 9; whole 1 9; "
	  "unused 0 0; pays 0 6; idle 0 3; pays 1 0; idle 1 9" },
	{ "a run within another",
	  "host 12 1 0 4; run 0 0 4 0; run 0 1 2 0; whole 0 42; whole 1 6; unused 0 0" },
	{ "three at once",
	  "host 3 1 0 1; run 0 0 1 0; run 0 0 1 0; run 0 0 1 0; whole 0 1; whole 1 1; whole 2 1" },
	{ "runs that follow each other at once do not share",
	  "host 1 1 0 2; run 0 0 1 0; run 0 1 2 0; whole 0 1; whole 1 1; unused 0 0" },
	{ "more work than the run's part of the host: nothing is idle",
	  "host 4 2 0 1; run 0 0 1 0; task 0 3; task 0 1; pays 0 3; pays 1 1; idle 0 0" },
	{ "no CPU time at all: all is idle",
	  "host 4 2 0 1; run 0 0 1 0; task 0 0; pays 0 0; idle 0 4" },
	{ "unknown CPUs: the work pays all",
	  "host 4 0 0 1; run 0 0 1 0; task 0 1; pays 0 4; idle 0 0" },
	{ "unknown CPUs and no work: idle", "host 4 0 0 1; run 0 0 1 0; idle 0 4" },
	{ "a run of no length costs nothing",
	  "host 4 2 0 1; run 0 0.5 0.5 0; task 0 1; whole 0 0; pays 0 0; unused 0 4" },
	{ "a run that ends before it begins is empty",
	  "host 4 2 0 1; run 0 1 0 0; whole 0 0; unused 0 4" },
	{ "a window of no length costs nothing",
	  "host 4 2 1 1; run 0 0 2 0; task 0 1; whole 0 0; unused 0 0" },
	{ "what lies outside of the window is not in the bill",
	  "host 4 1 1 2; run 0 0 9 0; run 0 5 6 0; whole 0 4; whole 1 0; unused 0 0" },
	{ "several hosts, a run on both",
	  "host 2 1 0 1; host 8 4 0 2; run 0 0 1 0; run 1 0 1 0; run 1 0 2 0; task 0 1; task 1 2; "
	  "task 2 4; whole 0 2; whole 1 4; whole 2 12; pays 0 2; pays 1 4; idle 1 0; pays 2 8; "
	  "idle 2 4; unused 0 0; unused 1 0" },
	{ "a host that is free",
	  "host 0 2 0 1; run 0 0 1 0; task 0 1; whole 0 0; pays 0 0; unused 0 0" },
	{ "a host without a run", "host 3 2 0 2; unused 0 6" },
};

static void expect(const char *name, const char *what, int64_t nusd, double usd)
{
	if (fabs((double)nusd - usd * USD) > 1)
		fail_msg("%s: %s is %.9f instead of %.9f", name, what, (double)nusd / USD, usd);
}

static void read_word(struct fixture *fixture, const char *word)
{
	struct cost_bill *bill = &fixture->bill;
	double a = 0, b = 0, c = 0, d = 0;
	if (sscanf(word, " host %lf %lf %lf %lf", &a, &b, &c, &d) == 4)
		fixture->hosts[bill->host_count++] =
			(struct cost_host){ .usd_hour = a,
					    .cpus = b,
					    .since_at = (int64_t)(c * HOUR),
					    .until_at = (int64_t)(d * HOUR) };
	else if (sscanf(word, " run %lf %lf %lf %lf", &a, &b, &c, &d) == 4)
		fixture->presences[bill->presence_count++] =
			(struct cost_presence){ .host = (size_t)a,
						.since_at = (int64_t)(b * HOUR),
						.until_at = (int64_t)(c * HOUR),
						.engine_cpu_ns = (uint64_t)(d * HOUR) };
	else if (sscanf(word, " task %lf %lf", &a, &b) == 2)
		fixture->tasks[bill->task_count++] =
			(struct cost_task){ .presence = (size_t)a, .cpu_ns = (uint64_t)(b * HOUR) };
}

static void check_word(const struct fixture *fixture, const char *name, const char *word)
{
	char what[16];
	unsigned index = 0;
	double usd = 0;
	if (sscanf(word, " %15s %u %lf", what, &index, &usd) != 3)
		return;
	const struct cost_presence *presence = &fixture->presences[index];
	if (strcmp(what, "unused") == 0)
		expect(name, word, fixture->hosts[index].unused_nusd, usd);
	else if (strcmp(what, "whole") == 0)
		expect(name, word, presence->whole_nusd, usd);
	else if (strcmp(what, "idle") == 0)
		expect(name, word, presence->idle_nusd, usd);
	else if (strcmp(what, "engine") == 0)
		expect(name, word, presence->engine_nusd, usd);
	else if (strcmp(what, "pays") == 0)
		expect(name, word, fixture->tasks[index].nusd, usd);
}

static void begin(struct fixture *fixture)
{
	memset(fixture, 0, sizeof(*fixture));
	fixture->bill = (struct cost_bill){ .hosts = fixture->hosts,
					    .presences = fixture->presences,
					    .tasks = fixture->tasks };
}

/* To the nano-dollar, whatever came in. */
static void assert_adds_up(const struct fixture *fixture)
{
	const struct cost_bill *bill = &fixture->bill;
	for (size_t host = 0; host < bill->host_count; host++) {
		int64_t sum = fixture->hosts[host].unused_nusd;
		assert_true(sum >= 0);
		for (size_t i = 0; i < bill->presence_count; i++)
			if (fixture->presences[i].host == host)
				sum += fixture->presences[i].whole_nusd;
		assert_int_equal(sum, fixture->hosts[host].whole_nusd);
	}
	for (size_t i = 0; i < bill->presence_count; i++) {
		const struct cost_presence *presence = &fixture->presences[i];
		int64_t tasks = 0;
		for (size_t k = 0; k < bill->task_count; k++) {
			assert_true(fixture->tasks[k].nusd >= 0);
			if (fixture->tasks[k].presence == i)
				tasks += fixture->tasks[k].nusd;
		}
		assert_int_equal(tasks, presence->tasks_nusd);
		assert_true(presence->idle_nusd >= 0 && presence->engine_nusd >= 0);
		assert_int_equal(tasks + presence->engine_nusd + presence->idle_nusd,
				 presence->whole_nusd);
	}
}

static void each_case_is_split_as_it_says(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture fixture;
		char text[512], *rest = NULL;
		begin(&fixture);
		strcpy(text, cases[i].text);
		for (char *word = strtok_r(text, ";", &rest); word;
		     word = strtok_r(NULL, ";", &rest))
			read_word(&fixture, word);
		assert_int_equal(cost_allocate(&fixture.bill), 0);
		assert_adds_up(&fixture);
		strcpy(text, cases[i].text);
		for (char *word = strtok_r(text, ";", &rest); word;
		     word = strtok_r(NULL, ";", &rest))
			check_word(&fixture, cases[i].name, word);
	}
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Often 0, often small, sometimes up to limit: where rounding goes wrong. */
static uint64_t draw(uint64_t *seed, uint64_t limit)
{
	uint64_t bits = next_random(seed) % 64;
	return (next_random(seed) & ((1ull << bits) - 1)) % (limit + 1);
}

static void fill_at_random(struct fixture *fixture, uint64_t *seed)
{
	struct cost_bill *bill = &fixture->bill;
	const int64_t epoch = 1800000000 * S;
	bill->host_count = 1 + next_random(seed) % 4;
	bill->presence_count = next_random(seed) % MOST;
	bill->task_count = bill->presence_count ? next_random(seed) % MOST : 0;
	for (size_t i = 0; i < bill->host_count; i++)
		fixture->hosts[i] = (struct cost_host){
			.usd_hour = (double)draw(seed, 10000000) / 1000,
			.cpus = (double)draw(seed, 256),
			.since_at = epoch + (int64_t)draw(seed, 1000 * HOUR),
			.until_at = epoch + (int64_t)draw(seed, 9000 * HOUR),
		};
	for (size_t i = 0; i < bill->presence_count; i++)
		fixture->presences[i] = (struct cost_presence){
			.host = next_random(seed) % bill->host_count,
			.since_at = epoch + (int64_t)draw(seed, 9000 * HOUR),
			.until_at = epoch + (int64_t)draw(seed, 9000 * HOUR),
			.engine_cpu_ns = draw(seed, 1000 * HOUR),
		};
	for (size_t i = 0; i < bill->task_count; i++)
		fixture->tasks[i] = (struct cost_task){
			.presence = next_random(seed) % bill->presence_count,
			.cpu_ns = draw(seed, i % 7 ? 1000 * HOUR : UINT64_MAX - 1),
		};
}

static void parts_and_idle_are_the_whole_for_any_input(void **state)
{
	uint64_t seed = 0x7261636572;
	for (int round = 0; round < 3000; round++) {
		struct fixture fixture;
		begin(&fixture);
		fill_at_random(&fixture, &seed);
		assert_int_equal(cost_allocate(&fixture.bill), 0);
		assert_adds_up(&fixture);
	}
}

static void what_cannot_be_a_bill_is_refused(void **state)
{
	struct fixture fixture;
	static const double prices[] = { -1, 10001, NAN, INFINITY };
	for (size_t i = 0; i < sizeof(prices) / sizeof(prices[0]); i++) {
		begin(&fixture);
		fixture.bill.host_count = 1;
		fixture.hosts[0] = (struct cost_host){ .usd_hour = prices[i], .until_at = S };
		assert_int_equal(cost_allocate(&fixture.bill), -EINVAL);
	}
	begin(&fixture);
	fixture.bill.host_count = 1;
	fixture.hosts[0] = (struct cost_host){ .since_at = INT64_MIN, .until_at = INT64_MAX };
	assert_int_equal(cost_allocate(&fixture.bill), -EINVAL);
	begin(&fixture);
	fixture.bill.presence_count = 1; /* of a host that is not there */
	assert_int_equal(cost_allocate(&fixture.bill), -EINVAL);
	begin(&fixture);
	fixture.bill.task_count = 1;
	assert_int_equal(cost_allocate(&fixture.bill), -EINVAL);
	begin(&fixture);
	assert_int_equal(cost_allocate(&fixture.bill), 0); /* nothing at all is a bill of nothing */
}

static void rounding_goes_to_the_largest_remainders(void **state)
{
	const unsigned __int128 thirds[] = { 1, 1, 1 }, uneven[] = { 1, 5, 4 }, none[] = { 0, 0 };
	int64_t parts[3];
	assert_int_equal(cost_share_out(10, thirds, 3, parts), 0);
	assert_int_equal(parts[0], 4);
	assert_int_equal(parts[1], 3);
	assert_int_equal(parts[2], 3);
	assert_int_equal(cost_share_out(9, uneven, 3, parts), 0); /* 0.9 4.5 3.6 */
	assert_int_equal(parts[0], 1);
	assert_int_equal(parts[1], 4);
	assert_int_equal(parts[2], 4);
	assert_int_equal(cost_share_out(9, none, 2, parts), 0);
	assert_int_equal(parts[0] + parts[1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_case_is_split_as_it_says),
		cmocka_unit_test(parts_and_idle_are_the_whole_for_any_input),
		cmocka_unit_test(what_cannot_be_a_bill_is_refused),
		cmocka_unit_test(rounding_goes_to_the_largest_remainders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
