/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/wall.bpf.h"
#include "probe/bpf/wait/wall_change.bpf.h"
#include "probe/bpf/wait/wall_gap.bpf.h"
#include "probe/bpf/wait/wall_held.bpf.h"

/* A thread came on a CPU at in_ns, which was not seen; called with the lock held. */

static __always_inline void wall_add_computing(struct wall *wall, __u64 ns)
{
	wall->ns[WALL_COMPUTING] += ns;
	wall->ns[WALL_SERIAL] += ns;
}

/* What the wall time was when a thread became ready, which takes the thread's room for one number:
 * the unit is 1024 ns, and a number may overflow. */
#define WALL_THEN_SHIFT 10

static __always_inline __u64 wall_then(const struct wall *wall)
{
	__u64 runnable = wall->ns[WALL_RUNNABLE] >> WALL_THEN_SHIFT;

	return runnable << 32 | (__u32)(wall->ns[WALL_SERIAL] >> WALL_THEN_SHIFT);
}

/* How much a figure has grown since, at most most_ns. */
static __always_inline __u64 wall_grown(const struct wall *wall, __u32 figure, __u32 then,
					__s64 most_ns)
{
	__s32 units = (__u32)(wall->ns[figure] >> WALL_THEN_SHIFT) - then;
	__u64 ns = (__u64)units << WALL_THEN_SHIFT;

	if (units <= 0 || most_ns <= 0)
		return 0;
	return wall_less(wall_less(ns, most_ns), wall->ns[figure]);
}

/* If its waking was seen, it counted as ready meanwhile: what was runnable was computing, and what
 * was serial was not. */
static __always_inline void wall_came(struct wall *wall, __u64 then, __u64 in_ns, __u64 now_ns)
{
	__u64 runnable_ns, parallel_ns;
	__s64 late_ns;

	wall_advance(wall, now_ns);
	late_ns = wall->since_ns - in_ns;
	runnable_ns = wall_grown(wall, WALL_RUNNABLE, then >> 32, late_ns);
	parallel_ns = wall_grown(wall, WALL_SERIAL, then, late_ns - runnable_ns);
	wall->ns[WALL_RUNNABLE] -= runnable_ns;
	wall->ns[WALL_SERIAL] -= parallel_ns;
	wall_add_computing(wall, runnable_ns);
	wall_come(wall, now_ns);
}

/* If its waking was not seen either, other threads may have ended gaps meanwhile that were none. */
static __always_inline void wall_woke(struct wall *wall, const struct wall_comer *comer,
				      __u64 in_ns)
{
	__s64 late_ns = wall->since_ns - in_ns, most_ns = wall->total_ns - comer->before_ns;
	__u64 pending_ns, held_ns;

	if (late_ns > 0 && most_ns > 0) {
		if (late_ns > most_ns)
			late_ns = most_ns;
		pending_ns = wall->pending ? wall_less(late_ns, wall->gap_ns) : 0;
		held_ns = wall_less(late_ns - pending_ns, wall->held_ns);
		wall->gap_ns -= pending_ns;
		wall->held_ns -= held_ns;
		wall->total_ns -= pending_ns + held_ns;
		wall_add_computing(wall, pending_ns + held_ns);
	}
	wall_wake(wall, comer, in_ns);
}
