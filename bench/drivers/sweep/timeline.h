/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Instants and durations of stories, ns. */
#define SECOND INT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define NEVER  INT64_MAX /* an end that does not come */

/*
 * When something happens: from `since` to `until`; with `every`, only for `lasts` in each such
 * period, at a place of it that differs by up to `shift` from one period to the next.
 */
struct phase {
	int64_t since, until;
	int64_t every, lasts, shift; /* every 0: all the time */
	uint64_t seed;
};

#define PHASES 32

struct timeline {
	struct phase phases[PHASES];
	unsigned count;
};

/* From 0 to below 1, the same for the same seed and number. */
double random_share(uint64_t seed, int64_t number);

/* How long the phase goes on between the two instants. */
int64_t phase_within(const struct phase *phase, int64_t since, int64_t until);
/* The last instant up to `at` at which it goes on: `at` itself while it does; 0: it never did. */
int64_t phase_last(const struct phase *phase, int64_t at);

void timeline_add(struct timeline *timeline, struct phase phase); /* asserts that there is room */
int64_t timeline_last(const struct timeline *timeline, int64_t at);
bool timeline_holds(const struct timeline *timeline, int64_t at);
