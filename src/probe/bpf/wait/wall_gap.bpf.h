/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/wall.bpf.h"
#include "probe/bpf/wait/wall_held.bpf.h"

/* A thread ends a gap; called with the lock held. */

/* A thread of which the wait ends. */
struct wall_comer {
	__u64 before_ns; /* total_ns when it left its CPU to wait */
	__u64 ready_ns;  /* for how long it was ready, if its waking was not seen */
	__u32 state;     /* enum wait_state of its wait */
	bool timed;      /* its wait had a timeout */
	bool own;        /* a thread of its process woke it */
};

/* A thread works that no timeout and no thread of its process woke: it was waited for. */
static __always_inline void wall_work(struct wall *wall, const struct wall_comer *comer)
{
	wall_judge(wall);
	if (wall->total_ns > comer->before_ns)
		wall_give(wall, comer->state,
			  wall_less(wall->held_ns, wall->total_ns - comer->before_ns));
}

/* A thread ends a gap of this length, in which all threads waited. */
static __always_inline void wall_gap(struct wall *wall, const struct wall_comer *comer, __u64 ns)
{
	__u64 ready_ns = wall_less(comer->ready_ns, ns);

	if (comer->timed) {
		wall_judge(wall);
		wall->pending = true;
		wall->gap_state = comer->state;
		wall->gap_ns = ns - ready_ns;
		wall->gap_ready_ns = ready_ns;
		wall->gap_before_ns = comer->before_ns;
		wall->gap_computing_ns = wall->ns[WALL_COMPUTING];
		wall->total_ns += ns;
		return;
	}
	if (!comer->own) {
		wall_work(wall, comer);
		wall->last_state = WAIT_STATES;
	}
	wall->ns[WALL_RUNNABLE] += ready_ns;
	wall_add(wall, comer->state, ns - ready_ns);
}
