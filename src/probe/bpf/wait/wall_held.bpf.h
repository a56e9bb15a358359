/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/wall.bpf.h"

/* Gaps of which the class is not decided yet; called with the lock held. */

static __always_inline __u64 wall_less(__u64 one, __u64 other)
{
	return one < other ? one : other;
}

/* Gives a part of the held gaps to a class. What is small is measured from here on. */
static __always_inline void wall_give(struct wall *wall, __u32 state, __u64 ns)
{
	if (!ns)
		return;
	wall_add(wall, state, ns);
	wall->held_ns -= ns;
	wall->bursts_ns = 0;
}

/* Whether the pending gap and the held ones are one wait, in spite of the work between them. */
static __always_inline bool wall_is_small(const struct wall *wall)
{
	__u64 work_ns = wall->bursts_ns + wall->ns[WALL_COMPUTING] - wall->gap_computing_ns;

	return work_ns * WALL_SMALL <= wall->held_ns + wall->gap_ns + wall->gap_ready_ns;
}

/* The pending gap is held, or what followed was real work after a timeout: then it was waited for,
 * and so were the held gaps during which the same thread had waited already. */
static __always_inline void wall_judge(struct wall *wall)
{
	__u64 gap_ns = wall->gap_ns + wall->gap_ready_ns, share_ns = 0;
	__u64 before_ns = wall->total_ns - gap_ns;

	if (!wall->pending)
		return;
	if (before_ns > wall->gap_before_ns)
		share_ns = wall_less(wall->held_ns, before_ns - wall->gap_before_ns);
	if (wall_is_small(wall)) {
		wall->bursts_ns += wall->ns[WALL_COMPUTING] - wall->gap_computing_ns;
		wall->held_ns += gap_ns;
		if ((share_ns + gap_ns) * 2 >= wall->held_ns)
			wall->held_state = wall->gap_state;
	} else {
		wall_add(wall, wall->gap_state, wall->gap_ns);
		wall->ns[WALL_RUNNABLE] += wall->gap_ready_ns;
		wall_give(wall, wall->gap_state, share_ns);
	}
	wall->pending = false;
}

/* The image ends: nothing more will be waited for. */
static __always_inline void wall_end(struct wall *wall)
{
	wall_judge(wall);
	wall_give(wall, wall->held_state, wall->held_ns);
}
