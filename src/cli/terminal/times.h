/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/*
 * Where the threads' time went, for a terminal: a bar with a sign of its own for each state, so
 * that it tells without colour.
 *
 * A bar shows the time at work: in which something was done or held up. Left out are the time that
 * processes wait for their children (who have their own: it would count twice), and time asleep by
 * their own will, as of a watcher beside the work, unless it is more than all the rest.
 */
enum time_state {
	TIME_USER,
	TIME_KERNEL,
	TIME_RUNNABLE,
	TIME_DISK,
	TIME_PAGING,
	TIME_NETWORK,
	TIME_PIPE_READ,
	TIME_PIPE_WRITE,
	TIME_LOCK,
	TIME_POLL,
	TIME_OTHER,
	TIME_CHILD,
	TIME_SLEEP,
	TIME_UNEXPLAINED, /* lived, but no state is known: where it is more than 2 % */
	TIME_STATES
};

struct times {
	double ns[TIME_STATES];
	double threads_ns; /* all of it; 0: nobody knows */
};

/* The figures of an object of the lake, added; what is missing or below nought adds nothing. */
void times_add(struct times *times, const json_t *figures);
bool times_known(const struct times *times);
/* Whether the bar of these times has this state in it, however little of it. */
bool times_has(const struct times *times, enum time_state state);
/* Nanoseconds of a state; of all that the bar shows; and the former's share of it, 0 to 1. */
double times_ns(const struct times *times, enum time_state state);
double times_shown_ns(const struct times *times);
double times_share(const struct times *times, enum time_state state);
/* The part of the threads' lives that the states explain; 0 where nobody knows. */
double times_coverage(const struct times *times);

/* The bar, appended: as many signs as width says, a state as many of them as its share, rounded so
 * that they add up. Blanks where nothing is to be shown. */
void times_bar(struct buffer *out, const struct times *times, size_t width, bool colourful);
/* One state's sign and name, as a bar shows it, appended. */
void times_sign(struct buffer *out, enum time_state state, bool colourful);
const char *times_name(enum time_state state);
/* "disk 43 %": the largest wait and its share of what the bar shows, appended; "nothing" where it
 * never waited, "–" where nobody knows. */
void times_wait(struct buffer *out, const struct times *times);
/* "43 %", "< 1 %", appended. */
void times_percent(struct buffer *out, double share);
