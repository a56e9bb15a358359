/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/recommend/recommend.h"

#define HOUR 3.6e12

/* Work that takes 8 hours of one CPU, shared out among all, and 4 GiB. */
static int place(void *state, const struct recommend_machine *machine, size_t hosts,
		 struct placement *ret)
{
	(void)state;
	*ret = (struct placement){ .wall_ns = 8 * HOUR / machine->cpus / (double)hosts,
				   .host_ns = 8 * HOUR / machine->cpus,
				   .spread = 0.05,
				   .starts = (double)hosts,
				   .hosts = hosts,
				   .memory_peak_bytes = 4 };
	if (machine->memory_bytes < 4)
		ret->refusal = PLACEMENT_NO_MEMORY;
	return 0;
}

static const struct placeable WORK = { .hosts_most = 1, .lost_ns = HOUR, .place = place };
#define MACHINE(name, count, memory)                                                 \
	{                                                                            \
		.provider = "aws", .type = (name), .family = "m5", .arch = "x86_64", \
		.cpus = (count), .memory_bytes = (memory)                            \
	}
static const struct recommend_machine MACHINES[] = { MACHINE("two", 2, 8), MACHINE("four", 4, 16),
						     MACHINE("small", 4, 2),
						     MACHINE("dear", 4, 16) };
#define OFFER(number, bought, price, part)                                        \
	{                                                                         \
		.machine = (number), .region = "us-east-1", .purchase = (bought), \
		.usd_hour = (price), .exact = true, .taken_back = (part) >= 0,    \
		.interrupted = (part), .interruption = ""                         \
	}
static const struct recommend_offer OFFERS[] = {
	OFFER(0, "on_demand", 0.1, -1),  /* 4 h, 0.4 USD */
	OFFER(0, "spot", 0.05, 0.1),     /* 4 h + 6 min, 0.205 */
	OFFER(1, "on_demand", 0.25, -1), /* 2 h, 0.5 */
	OFFER(2, "on_demand", 0.01, -1), /* no memory */
	OFFER(3, "on_demand", 0.3, -1),  /* 2 h, 0.6: no better */
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct recommend_ask ASK = {
	.measured = { .provider = "aws", .type = "m5.large", .family = "m5", .arch = "x86_64" },
	.region = "us-east-1",
	.input_bytes = -1,
	.limit = 100,
};

static void find(const struct recommend_ask *ask, struct recommendation *ret)
{
	assert_int_equal(
		recommend_find(&WORK, ask, MACHINES, COUNT(MACHINES), OFFERS, COUNT(OFFERS), ret),
		0);
}

static const struct recommend_candidate *marked(const struct recommendation *found,
						enum recommend_mark mark)
{
	for (size_t i = 0; i < found->count; i++)
		if (found->candidates[i].marks & 1u << mark)
			return &found->candidates[i];
	return NULL;
}

static void what_is_dearer_and_no_faster_is_not_on_the_front(void **state)
{
	CLEANUP(recommendation_clear) struct recommendation found = { 0 };

	(void)state;
	find(&ASK, &found);
	assert_int_equal(found.count, 4);
	assert_int_equal(found.front_count, 3); /* by cost */
	assert_int_equal(found.candidates[0].offer, 1);
	assert_int_equal(found.candidates[1].offer, 0); /* of those that are not taken back */
	assert_int_equal(found.candidates[2].offer, 2);
	assert_int_equal(found.candidates[3].offer, 4);
	assert_false(found.candidates[3].front);
	assert_int_equal(found.refused[PLACEMENT_NO_MEMORY], 1);
	assert_true(marked(&found, RECOMMEND_CHEAPEST)->offer == 1);
	assert_true(marked(&found, RECOMMEND_FASTEST)->offer == 2);
	assert_null(marked(&found, RECOMMEND_IN_TIME));
	assert_null(marked(&found, RECOMMEND_BELOW));
}

static void costs_are_time_by_price_and_interruptions_add_to_them(void **state)
{
	CLEANUP(recommendation_clear) struct recommendation found = { 0 };
	const struct recommend_candidate *spot, *other;

	(void)state;
	find(&ASK, &found);
	spot = &found.candidates[0];
	other = &found.candidates[1];
	assert_true(fabs(other->usd.likely - 0.4) < 1e-9);
	assert_true(other->wall_ns.low < other->wall_ns.likely &&
		    other->wall_ns.likely < other->wall_ns.high);
	assert_true(fabs(spot->loss_ns - 0.1 * HOUR) < 1);
	assert_true(fabs(spot->usd.likely - 0.05 * 4.1) < 1e-9);
	assert_true(fabs(spot->wall_ns.high - other->wall_ns.high - HOUR) < 1);
	assert_true(fabs(spot->memory_headroom - 0.5) < 1e-9);
	assert_true(spot->move_bytes == 0);
}

static void machine_of_which_interruptions_are_not_known_counts_as_the_worst(void **state)
{
	CLEANUP(recommendation_clear) struct recommendation found = { 0 };
	const struct recommend_offer offers[] = {
		{ .machine = 0,
		  .region = "us-central1",
		  .purchase = "spot",
		  .usd_hour = 0.05,
		  .taken_back = true,
		  .interrupted = -1,
		  .interruption = "" },
	};

	(void)state;
	assert_int_equal(recommend_find(&WORK, &ASK, MACHINES, COUNT(MACHINES), offers, 1, &found),
			 0);
	assert_true(found.candidates[0].loss_ns > 0.2 * HOUR);
	assert_true(found.candidates[0].wall_ns.high >
		    found.candidates[0].wall_ns.likely + HOUR / 2);
}

static void the_upper_end_has_to_hold(void **state)
{
	CLEANUP(recommendation_clear)
	struct recommendation late = { 0 }, early = { 0 }, never = { 0 };
	struct recommend_ask ask = ASK;

	(void)state;
	ask.within_ns = 4.5 * HOUR; /* spot ends then, but not if it is interrupted */
	ask.below_usd = 0.55;
	find(&ask, &late);
	assert_true(marked(&late, RECOMMEND_IN_TIME)->offer == 0);
	assert_true(marked(&late, RECOMMEND_BELOW)->offer == 2);
	ask.within_ns = 4 * HOUR;
	ask.below_usd = 0.5;
	find(&ask, &early);
	assert_true(marked(&early, RECOMMEND_IN_TIME)->offer == 2);
	assert_true(marked(&early, RECOMMEND_BELOW)->offer == 0);
	ask.within_ns = HOUR;
	ask.below_usd = 0.01;
	find(&ask, &never);
	assert_null(marked(&never, RECOMMEND_IN_TIME));
	assert_null(marked(&never, RECOMMEND_BELOW));
}

static void more_machines_are_tried_while_they_help(void **state)
{
	CLEANUP(recommendation_clear) struct recommendation found = { 0 };
	struct placeable work = WORK;
	size_t most = 0;

	(void)state;
	work.hosts_most = 9;
	assert_int_equal(recommend_find(&work, &ASK, MACHINES, 1, OFFERS, 1, &found), 0);
	for (size_t i = 0; i < found.count; i++)
		most = found.candidates[i].hosts > most ? found.candidates[i].hosts : most;
	assert_int_equal(found.count, 6); /* 1, 2, 3, 4, 6, 8 */
	assert_int_equal(most, 8);
}

static void as_many_candidates_as_are_asked_for(void **state)
{
	CLEANUP(recommendation_clear) struct recommendation found = { 0 };
	struct recommend_ask ask = ASK;

	(void)state;
	ask.limit = 2;
	find(&ask, &found);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.front_count, 2);
}

static void nothing_is_offered(void **state)
{
	CLEANUP(recommendation_clear) struct recommendation found = { 0 };

	(void)state;
	assert_int_equal(recommend_find(&WORK, &ASK, MACHINES, 1, OFFERS, 0, &found), 0);
	assert_int_equal(found.count, 0);
}

/* One more than that, of one machine. */
static void offers_have_a_bound(void **state)
{
	CLEANUP(recommendation_clear) struct recommendation found = { 0 };
	size_t count = RECOMMEND_PRICED_MAX + 1;
	CLEANUP(freep) struct recommend_offer *offers = calloc(count, sizeof(*offers));

	(void)state;
	assert_non_null(offers);
	for (size_t i = 0; i < count; i++)
		offers[i] = OFFERS[0];
	assert_int_equal(recommend_find(&WORK, &ASK, MACHINES, 1, offers, count, &found), 0);
	assert_true(found.cut);
	assert_int_equal(found.count, ASK.limit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_dearer_and_no_faster_is_not_on_the_front),
		cmocka_unit_test(costs_are_time_by_price_and_interruptions_add_to_them),
		cmocka_unit_test(machine_of_which_interruptions_are_not_known_counts_as_the_worst),
		cmocka_unit_test(the_upper_end_has_to_hold),
		cmocka_unit_test(more_machines_are_tried_while_they_help),
		cmocka_unit_test(as_many_candidates_as_are_asked_for),
		cmocka_unit_test(nothing_is_offered),
		cmocka_unit_test(offers_have_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
