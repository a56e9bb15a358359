/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "signal/states_table.h"

/*
 * Where time went, for a terminal: a bar with one sign for each state, so that it can be read
 * without colour. The states are rows of signal/figures.tsv.
 *
 * A bar of wall time shows all classes. A bar of threads' time shows the time at work: when
 * something was done or held up. It leaves out the time that processes wait for their children
 * (which is counted with the children), and time asleep by their own will, unless that is more than
 * all the rest. TIME_UNEXPLAINED, time that the threads lived in no known state, is shown where it
 * is more than 2 %.
 */
enum time_state {
#define TIME_STATE(constant, ...) TIME_##constant,
	TIME_STATES(TIME_STATE) TIME_WALL, /* the first class of wall time: */
	TIME_BEFORE_WALL = TIME_WALL - 1,
	WALL_TIMES(TIME_STATE)
#undef TIME_STATE
		TIME_STATE_COUNT
};

struct times {
	double ns[TIME_STATE_COUNT];
	double threads_ns; /* the sum of all states of threads; 0: unknown */
	bool wall;         /* bars show wall time */
};

/* Adds the figures of an object from the lake; a missing or negative one adds nothing. Shows wall
 * time if any is known. */
void times_add(struct times *times, const json_t *figures);
/* The same, but shows the time of threads. */
void times_add_threads(struct times *times, const json_t *figures);
bool times_known(const struct times *times);
/* Whether the bar of these times shows this state. */
bool times_has(const struct times *times, enum time_state state);
/* Nanoseconds of a state; of all that the bar shows; the share of the state in the bar, 0 to 1. */
double times_ns(const struct times *times, enum time_state state);
double times_shown_ns(const struct times *times);
double times_share(const struct times *times, enum time_state state);
/* The share of the threads' lives that the states explain; 0 where that is unknown. */
double times_coverage(const struct times *times);

/* Appends the bar: `width` signs, each state in proportion to its share. Blanks where there is
 * nothing to show. */
void times_bar(struct buffer *out, const struct times *times, size_t width, bool colourful);
/* How many of the bar's signs each state has. */
void times_signs(const struct times *times, size_t width, size_t signs[TIME_STATE_COUNT]);
/* Appends the sign of a state as a bar shows it. */
void times_sign(struct buffer *out, enum time_state state, bool colourful);
const char *times_name(enum time_state state);
/* In a word or two: the name of a wait behind "waits mostly on", or else times_name(). */
const char *times_short_name(enum time_state state);
/* Appends the largest wait and its share of the bar, "disk 43 %"; "nothing" where the threads never
 * waited, "–" where that is unknown. */
void times_wait(struct buffer *out, const struct times *times);
/* Appends "43 %" or "< 1 %". */
void times_percent(struct buffer *out, double share);
