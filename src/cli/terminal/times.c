/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal/times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below this coverage a bar shows the time that no state explains (docs/signal.md). */
#define COVERAGE 0.98

static const struct {
	const char *figure; /* in the lake's objects; NULL: none */
	const char *sign;   /* one character */
	const char *colour; /* parameter of the escape sequence SGR (ECMA-48) */
	const char *name;
	const char *wait; /* behind "waits mostly on"; NULL: the state is no wait */
} states[] = {
#define STATE(constant, ...) [TIME_##constant] = { __VA_ARGS__ },
	TIME_STATES(STATE) WALL_TIMES(STATE)
#undef STATE
};

static double figure(const json_t *figures, const char *key)
{
	double number = key ? json_number_value(json_object_get(figures, key)) : 0;

	return isfinite(number) && number > 0 ? number : 0;
}

static double sum_of(const struct times *times, int from, int to)
{
	double sum = 0;

	for (int i = from; i < to; i++)
		sum += times->ns[i];
	return sum;
}

static double explained_ns(const struct times *times)
{
	return sum_of(times, 0, TIME_WALL);
}

static double wall_ns(const struct times *times)
{
	return sum_of(times, TIME_WALL, TIME_STATE_COUNT);
}

void times_add_threads(struct times *times, const json_t *figures)
{
	for (int i = 0; i < TIME_STATE_COUNT; i++)
		times->ns[i] += figure(figures, states[i].figure);
	times->ns[TIME_WALL_UNKNOWN] += figure(figures, "wall_unknown_ns");
	times->threads_ns += figure(figures, "threads_ns");
}

void times_add(struct times *times, const json_t *figures)
{
	times_add_threads(times, figures);
	times->wall = wall_ns(times) > times->ns[TIME_WALL_UNKNOWN];
}

bool times_known(const struct times *times)
{
	return times->wall || times->threads_ns > 0;
}

double times_coverage(const struct times *times)
{
	return times->threads_ns > 0 ? explained_ns(times) / times->threads_ns : 0;
}

double times_ns(const struct times *times, enum time_state state)
{
	if (state != TIME_UNEXPLAINED)
		return times->ns[state];
	return times_coverage(times) < COVERAGE ? times->threads_ns - explained_ns(times) : 0;
}

/* The time of all states but those that a bar can leave out. */
static double work_ns(const struct times *times)
{
	double sum = 0;

	for (int i = 0; i < TIME_WALL; i++)
		if (i != TIME_CHILD && i != TIME_SLEEP)
			sum += times_ns(times, i);
	return sum;
}

static bool sleeps_mostly(const struct times *times)
{
	return times->ns[TIME_SLEEP] > work_ns(times);
}

double times_shown_ns(const struct times *times)
{
	if (times->wall)
		return wall_ns(times);
	return work_ns(times) + (sleeps_mostly(times) ? times->ns[TIME_SLEEP] : 0);
}

bool times_has(const struct times *times, enum time_state state)
{
	if (times->wall != (state >= TIME_WALL))
		return false;
	if (state == TIME_CHILD || (state == TIME_SLEEP && !sleeps_mostly(times)))
		return false;
	return times_known(times) && times_ns(times, state) > 0;
}

double times_share(const struct times *times, enum time_state state)
{
	return times_has(times, state) ? times_ns(times, state) / times_shown_ns(times) : 0;
}

/* Each has its share rounded down; the remaining signs go to the largest fractions. */
void times_signs(const struct times *times, size_t width, size_t signs[TIME_STATE_COUNT])
{
	double left[TIME_STATE_COUNT];
	size_t given = 0;

	memset(signs, 0, TIME_STATE_COUNT * sizeof(*signs));
	if (!times_known(times) || !(times_shown_ns(times) > 0))
		return;

	for (int i = 0; i < TIME_STATE_COUNT; i++) {
		double exact = times_share(times, i) * (double)width;

		signs[i] = (size_t)exact;
		left[i] = exact - (double)signs[i];
		given += signs[i];
	}
	for (; given < width; given++) {
		int most = 0;

		for (int i = 1; i < TIME_STATE_COUNT; i++)
			if (left[i] > left[most])
				most = i;
		signs[most]++;
		left[most] -= 1;
	}
}

static void signs_append(struct buffer *out, enum time_state state, size_t count, bool colourful)
{
	if (colourful)
		buffer_printf(out, "\033[%sm", states[state].colour);
	for (size_t i = 0; i < count; i++)
		buffer_append_text(out, states[state].sign);
	if (colourful)
		buffer_append_text(out, "\033[0m");
}

void times_bar(struct buffer *out, const struct times *times, size_t width, bool colourful)
{
	size_t signs[TIME_STATE_COUNT];

	if (!times_known(times) || !(times_shown_ns(times) > 0)) {
		buffer_printf(out, "%*s", (int)width, "");
		return;
	}
	times_signs(times, width, signs);
	for (int i = 0; i < TIME_STATE_COUNT; i++)
		if (signs[i] > 0)
			signs_append(out, i, signs[i], colourful);
}

void times_sign(struct buffer *out, enum time_state state, bool colourful)
{
	signs_append(out, state, 1, colourful);
}

const char *times_name(enum time_state state)
{
	return states[state].name;
}

const char *times_short_name(enum time_state state)
{
	return states[state].wait ? states[state].wait : states[state].name;
}

void times_percent(struct buffer *out, double share)
{
	if (share > 0 && share < 0.01)
		buffer_append_text(out, "< 1 %");
	else
		buffer_printf(out, "%.0f %%", share * 100);
}

void times_wait(struct buffer *out, const struct times *times)
{
	int most = -1;

	if (!times_known(times)) {
		buffer_append_text(out, "–");
		return;
	}
	for (int i = 0; i < TIME_STATE_COUNT; i++)
		if (states[i].wait && times_has(times, i) &&
		    (most < 0 || times_ns(times, i) > times_ns(times, most)))
			most = i;
	if (most < 0) {
		buffer_append_text(out, "nothing");
		return;
	}
	buffer_printf(out, "%s ", states[most].wait);
	times_percent(out, times_share(times, most));
}
