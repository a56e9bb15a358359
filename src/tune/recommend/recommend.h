/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "tune/recommend/machine_doubt.h"
#include "tune/recommend/placement.h"

/*
 * Which machines to rent for work that was measured: it is placed on one or more machines of each
 * type (placement.h), which gives the wall time and for how long machines are paid; then each offer
 * has its cost. Machines are taken to be as fast as the measured one; what is not known of that
 * widens the interval. Pure.
 */
#define RECOMMEND_PRICED_MAX 200000 /* offers × numbers of machines; more are left out */
#define RECOMMEND_NEAR       0.02   /* times that differ by less are alike */

struct recommend_ask {
	struct recommend_machine measured; /* "" and 0 where it is not known */
	const char *region;                /* in which it was measured; "": unknown */
	double within_ns;                  /* it is to end within; 0: whenever */
	double below_usd;                  /* it is to cost less; 0: whatever */
	double input_bytes;                /* that it read and did not make itself; < 0: unknown */
	size_t limit;                      /* candidates, those of the front first; > 0 */
};

enum recommend_mark {
	RECOMMEND_CHEAPEST,
	RECOMMEND_FASTEST,
	RECOMMEND_IN_TIME, /* the cheapest that most likely ends in time */
	RECOMMEND_BELOW,   /* the fastest that most likely costs less */
	RECOMMEND_MARKS
};

/* Intervals are of 90 %. Low and high of a spot machine: without and with one interruption, where
 * that is as likely as one in twenty. */
struct recommend_span {
	double likely, low, high;
};

struct recommend_candidate {
	size_t offer, hosts;
	struct placement placement;
	struct recommend_span wall_ns, usd;
	double memory_headroom; /* part that tasks leave free; < 0: unknown */
	double loss_ns;         /* of the wall time, that interruptions cost on average */
	double move_bytes;      /* from the region in which it was measured; < 0: unknown */
	unsigned doubts;        /* of enum machine_doubt, a bit each */
	unsigned marks;         /* of enum recommend_mark, a bit each */
	/* No other one is cheaper and as fast; or none that is not taken back. */
	bool front;
};

struct recommendation {
	struct recommend_candidate *candidates; /* the front by cost, then the others by cost */
	size_t count, front_count;
	size_t refused[PLACEMENT_REFUSALS]; /* machines, by why none of that type does */
	bool cut;                           /* RECOMMEND_PRICED_MAX was reached */
};

/* offers: sorted by machine. 0, or -ENOMEM. recommendation_clear in any case. */
int recommend_find(const struct placeable *work, const struct recommend_ask *ask,
		   const struct recommend_machine *machines, size_t machine_count,
		   const struct recommend_offer *offers, size_t offer_count,
		   struct recommendation *ret);
void recommendation_clear(struct recommendation *recommendation);
/* "cheapest", "fastest", "cheapest_in_time", "fastest_below"; static. */
const char *recommend_mark_name(enum recommend_mark mark);
