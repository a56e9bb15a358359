/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture_split.h"

/* Properties of a split that hold for any input; the fixture checks sums and signs in each cell. */
#define CASES 3000

static uint64_t state_of_random;

static uint64_t next_random(void) /* splitmix64, public domain */
{
	uint64_t value = state_of_random += 0x9e3779b97f4a7c15;
	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
	value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
	return value ^ (value >> 31);
}

static uint64_t below(uint64_t limit)
{
	return next_random() % limit;
}

/* Few different values and round times, so that equals and ties are frequent. */
static void random_hold(struct cost_hold *hold, int64_t hours)
{
	int64_t step = below(2) ? SPLIT_HOUR / 4 : 1 + (int64_t)below(SPLIT_HOUR);
	int64_t length = (int64_t)below(6) * step + (int64_t)below(2);
	*hold = (struct cost_hold){ .key = below(3) };
	hold->since_at = (int64_t)below((uint64_t)(hours * 4 + 8)) * SPLIT_HOUR / 4 - SPLIT_HOUR;
	hold->until_at = hold->since_at + length;
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		uint64_t unit = below(2) ? COST_MILLION : 1 + below(5000000);
		hold->reserved[kind] = below(4) * unit;
		hold->used[kind] = below(3) * unit;
		hold->held[kind] = below(3) ? 0 : below(5) * unit;
	}
}

static void almost_copy(struct cost_hold *hold, const struct cost_hold *other)
{
	size_t kind = below(COST_KINDS);
	*hold = *other;
	switch (below(5)) {
	case 0:
		hold->key++;
		break;
	case 1:
		hold->used[kind] /= 2;
		break;
	case 2:
		hold->reserved[kind] /= 2;
		break;
	case 3:
		hold->since_at -= SPLIT_HOUR;
		break;
	default:
		hold->until_at += SPLIT_HOUR;
	}
}

static void random_case(struct split_case *input, uint64_t seed, int64_t hours, size_t most)
{
	static const uint32_t weights[][COST_KINDS] = {
		{ 600000, 400000, 0 }, { 100000, 200000, 700000 }, { 0, 0, 0 }, { 1000000, 0, 0 }
	};
	static const int64_t prices[] = { 0, 3, 1001, 333333333, 7777777777 };
	int64_t now = 0;
	state_of_random = seed;
	*input = (struct split_case){ 0 };
	memcpy(input->host.weight_ppm, weights[below(4)], sizeof(weights[0]));
	for (size_t kind = 0; kind < COST_KINDS; kind++)
		input->host.capacity[kind] = below(4) ? below(9) * COST_MILLION : 0;
	while (now < hours * SPLIT_HOUR && input->stretch_count < 8) {
		int64_t length = (int64_t)(1 + below(9)) * SPLIT_HOUR / 4 + (int64_t)below(2);
		int64_t limit = hours * SPLIT_HOUR;
		int64_t until = now + length < limit ? now + length : limit;
		input->stretches[input->stretch_count++] =
			(struct cost_stretch){ now, until, prices[below(5)] };
		now = until + (below(3) ? 0 : SPLIT_HOUR / 2);
	}
	input->hold_count = below(most + 1);
	for (size_t i = 0; i < input->hold_count; i++) {
		random_hold(&input->holds[i], hours);
		if (i > 0 && below(2)) /* equals but for one thing: their remainders are equal */
			almost_copy(&input->holds[i], &input->holds[below(i)]);
	}
}

static void shuffle(size_t *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t j = below(i + 1);
		places[i] = places[j];
		places[j] = i;
	}
}

/* Only their place distinguishes equal holds. */
static bool has_equals(const struct split_case *input)
{
	for (size_t i = 0; i < input->hold_count; i++)
		for (size_t j = 0; j < i; j++)
			if (memcmp(&input->holds[i], &input->holds[j], sizeof(struct cost_hold)) ==
			    0)
				return true;
	return false;
}

/* What each hold gets does not depend on the order in which holds and stretches are given. */
static void order_changes_nothing(void **state)
{
	static struct split_case input, other;
	static struct split_sums sums, others;
	size_t places[SPLIT_MOST], compared = 0;
	(void)state;
	for (uint64_t seed = 0; seed < CASES; seed++) {
		enum cost_rule rule = seed % 2 ? COST_RULE_AWS : COST_RULE_HELD;
		random_case(&input, seed, 6, 12);
		if (has_equals(&input))
			continue;
		other = input;
		shuffle(places, input.hold_count);
		for (size_t i = 0; i < input.hold_count; i++)
			other.holds[i] = input.holds[places[i]];
		for (size_t i = 0; i < input.stretch_count; i++)
			other.stretches[i] = input.stretches[input.stretch_count - 1 - i];
		split_case_run(&input, rule, &sums);
		split_case_run(&other, rule, &others);
		for (size_t i = 0; i < input.hold_count; i++)
			assert_memory_equal(&sums.parts[places[i]], &others.parts[i],
					    sizeof(struct cost_part));
		assert_int_equal(sums.unallocated_nusd, others.unallocated_nusd);
		compared++;
	}
	assert_true(compared > CASES / 2);
}

/* Those of the stretches that lie in the hour, cut to it. */
static void cut_to_hour(const struct split_case *input, int64_t hour, struct split_case *window)
{
	int64_t since = hour * SPLIT_HOUR, until = since + SPLIT_HOUR;
	*window = *input;
	for (size_t i = 0; i < window->stretch_count; i++) {
		struct cost_stretch *stretch = &window->stretches[i];
		stretch->since_at = stretch->since_at > since ? stretch->since_at : since;
		stretch->until_at = stretch->until_at < until ? stretch->until_at : until;
	}
}

static void add(struct split_sums *sums, const struct split_sums *more)
{
	sums->whole_nusd += more->whole_nusd;
	sums->unallocated_nusd += more->unallocated_nusd;
	for (size_t i = 0; i < SPLIT_MOST; i++) {
		sums->parts[i].used_nusd += more->parts[i].used_nusd;
		sums->parts[i].unused_nusd += more->parts[i].unused_nusd;
		sums->parts[i].idle_nusd += more->parts[i].idle_nusd;
	}
}

/* A month in one ask is the sum of its hours. */
static void hours_add_up_to_the_whole_time(void **state)
{
	static struct split_case input, window;
	static struct split_sums whole, hour, sums;
	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		enum cost_rule rule = seed % 2 ? COST_RULE_AWS : COST_RULE_HELD;
		int64_t hours = seed % 20 == 0 ? 30 * 24 : 5;
		random_case(&input, seed, hours, 20);
		split_case_run(&input, rule, &whole);
		sums = (struct split_sums){ 0 };
		for (int64_t i = 0; i < hours; i++) {
			cut_to_hour(&input, i, &window);
			split_case_run(&window, rule, &hour);
			add(&sums, &hour);
		}
		assert_int_equal(sums.whole_nusd, whole.whole_nusd);
		assert_int_equal(sums.unallocated_nusd, whole.unallocated_nusd);
		assert_memory_equal(sums.parts, whole.parts, sizeof(sums.parts));
	}
}

/* However an hour is cut, its pieces at one price are worth what the hour is. */
static void pieces_of_an_hour_are_worth_the_hour(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	(void)state;
	for (uint64_t seed = 0; seed < CASES; seed++) {
		int64_t now = 0, total = 0, price;
		state_of_random = seed;
		price = 1 + (int64_t)below(1000);
		while (now < SPLIT_HOUR) {
			int64_t until = now + 1 + (int64_t)below(SPLIT_HOUR / 4);
			input = (struct split_case){ .stretch_count = 1 };
			input.stretches[0] =
				(struct cost_stretch){ now, until < SPLIT_HOUR ? until : SPLIT_HOUR,
						       price };
			split_case_run(&input, COST_RULE_HELD, &sums);
			total += sums.whole_nusd;
			now = input.stretches[0].until_at;
		}
		assert_int_equal(total, price);
	}
}

struct plain { /* in nano-dollars */
	double used, unused, idle;
};

/* The rule in floating point, for the time from at to the next boundary. */
static double plain_instant(const struct split_case *input, int64_t at, double price,
			    struct plain *plain)
{
	double held[COST_KINDS] = { 0 }, worth[COST_KINDS], weights = 0, kinds = 0, value = 0;
	bool there[COST_KINDS];
	for (size_t i = 0; i < input->hold_count; i++)
		for (size_t kind = 0; kind < COST_KINDS; kind++)
			if (input->holds[i].since_at <= at && at < input->holds[i].until_at)
				held[kind] += (double)input->holds[i].held[kind];
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		there[kind] = input->host.capacity[kind] > 0 || held[kind] > 0;
		weights += there[kind] ? input->host.weight_ppm[kind] : 0;
		kinds += there[kind];
	}
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		double capacity = (double)input->host.capacity[kind];
		double weight = weights > 0 ? input->host.weight_ppm[kind] / weights : 1 / kinds;
		worth[kind] = there[kind] ? price * weight /
						    (capacity > held[kind] ? capacity : held[kind])
					  : 0;
		value += worth[kind] * held[kind];
	}
	if (value <= 0)
		return price;
	for (size_t i = 0; i < input->hold_count; i++) {
		const struct cost_hold *hold = &input->holds[i];
		if (hold->since_at > at || at >= hold->until_at)
			continue;
		for (size_t kind = 0; kind < COST_KINDS; kind++) {
			double mine = worth[kind] * (double)hold->held[kind];
			plain[i].used += worth[kind] * (double)hold->used[kind];
			plain[i].unused += mine - worth[kind] * (double)hold->used[kind];
			plain[i].idle += mine / value * (price - value);
		}
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
	return (one > other) - (one < other);
}

static double plain_split(const struct split_case *input, struct plain *plain)
{
	int64_t times[4 * SPLIT_MOST];
	size_t count = 0;
	double unallocated = 0;
	for (size_t i = 0; i < input->stretch_count; i++) {
		times[count++] = input->stretches[i].since_at;
		times[count++] = input->stretches[i].until_at;
	}
	for (size_t i = 0; i < input->hold_count; i++) {
		times[count++] = input->holds[i].since_at;
		times[count++] = input->holds[i].until_at;
	}
	qsort(times, count, sizeof(*times), by_time);
	for (size_t i = 0; i + 1 < count; i++)
		for (size_t j = 0; j < input->stretch_count; j++) {
			const struct cost_stretch *up = &input->stretches[j];
			double hours = (double)(times[i + 1] - times[i]) / SPLIT_HOUR;
			if (hours > 0 && up->since_at <= times[i] && times[i] < up->until_at)
				unallocated += plain_instant(input, times[i],
							     (double)up->nusd_hour * hours, plain);
		}
	return unallocated;
}

static void near(uint64_t seed, int64_t nusd, double expected, size_t cells)
{
	double distance = (double)nusd - expected, most = 2.0 * (double)cells + 1;
	if (distance > most || distance < -most)
		fail_msg("seed %ju: %jd instead of %.3f", (uintmax_t)seed, (intmax_t)nusd,
			 expected);
}

/* Each hold gets what the rule says, but for one rounding a cell. */
static void each_hold_gets_what_the_rule_says(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	(void)state;
	for (uint64_t seed = 0; seed < CASES; seed++) {
		struct plain plain[SPLIT_MOST] = { 0 };
		random_case(&input, seed, 6, 12);
		for (size_t i = 0; i < input.hold_count; i++)
			for (size_t kind = 0; kind < COST_KINDS; kind++) {
				struct cost_hold *hold = &input.holds[i];
				uint64_t least = hold->reserved[kind] > hold->used[kind]
							 ? hold->reserved[kind]
							 : hold->used[kind];
				if (hold->held[kind] < least)
					hold->held[kind] = least;
			}
		split_case_run(&input, COST_RULE_HELD, &sums);
		near(seed, sums.unallocated_nusd, plain_split(&input, plain), sums.cells);
		for (size_t i = 0; i < input.hold_count; i++) {
			near(seed, sums.parts[i].used_nusd, plain[i].used, sums.cells);
			near(seed, sums.parts[i].unused_nusd, plain[i].unused, sums.cells);
			near(seed, sums.parts[i].idle_nusd, plain[i].idle, sums.cells);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_changes_nothing),
		cmocka_unit_test(hours_add_up_to_the_whole_time),
		cmocka_unit_test(pieces_of_an_hour_are_worth_the_hour),
		cmocka_unit_test(each_hold_gets_what_the_rule_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
