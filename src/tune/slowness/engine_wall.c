/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/engine_wall.h"

#include <math.h>
#include <stdbool.h>

static bool is_active(int part)
{
	return part == WALL_COMPUTING || part == WALL_RUNNABLE || part == WALL_DISK ||
	       part == WALL_PAGING;
}

static double active_ns(const struct wall *wall)
{
	double sum = 0;

	for (int i = 0; i < WALL_PARTS; i++)
		sum += is_active(i) ? wall->ns[i] : 0;
	return sum;
}

/* Its waits: the time that may have been something else. */
static double waits_ns(const struct wall *wall)
{
	double sum = 0;

	for (int i = 0; i < WALL_PARTS; i++)
		sum += is_active(i) || i == WALL_UNKNOWN ? 0 : wall->ns[i];
	return sum;
}

/* moved: of its waits, in ns. */
static void fit(struct wall *span, const struct wall *whole, double moved)
{
	double active = active_ns(whole), waits = waits_ns(span);

	for (int i = 0; i < WALL_PARTS; i++) {
		if (is_active(i))
			span->ns[i] += moved * whole->ns[i] / active;
		else if (i != WALL_UNKNOWN)
			span->ns[i] *= 1 - moved / waits;
	}
	span->serial_ns += moved * whole->serial_ns / active;
}

void engine_wall_fit(const struct wall *whole, struct wall *spans, size_t count)
{
	double missing = active_ns(whole), room = 0;

	for (size_t i = 0; i < count; i++) {
		missing -= active_ns(&spans[i]);
		room += waits_ns(&spans[i]);
	}
	if (!(missing > 0) || !(room > 0))
		return;
	for (size_t i = 0; i < count; i++)
		if (waits_ns(&spans[i]) > 0)
			fit(&spans[i], whole, fmin(missing, room) * waits_ns(&spans[i]) / room);
}
