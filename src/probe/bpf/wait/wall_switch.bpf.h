/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/wait.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"
#include "probe/bpf/wait/wall.bpf.h"
#include "probe/bpf/wait/wall_change.bpf.h"

/*
 * The threads of a process at its wall time. Functions of their own, verified once; they find the
 * wall time themselves, because a pointer to a lock cannot be an argument.
 */

static __always_inline struct wall *wall_of(__u32 pid)
{
	return bpf_map_lookup_elem(&walls, &pid);
}

/* A thread comes on a CPU. queued_ns: for how long it was ready, if its waking was not seen. */
__noinline int wall_comes(struct waiter *waiter, __u32 pid, __u64 queued_ns, __u64 now_ns)
{
	struct wall_comer comer = { .state = WAIT_STATES };
	struct wall *wall = wall_of(pid);

	if (!waiter || !wall)
		return 0;
	if (waiter->pending) {
		comer.state = waiter->pending - 1;
		comer.out_ns = waiter->out_ns;
		comer.ready_ns =
			waiter->woken_ns >= waiter->out_ns ? now_ns - waiter->woken_ns : queued_ns;
		comer.timed = waiter->timed;
		comer.own = waiter->woken_ns & 1;
	}
	if ((__s64)comer.ready_ns < 0)
		comer.ready_ns = 0;
	waiter->wall = WAIT_WALL_ON;
	bpf_spin_lock(&wall->lock);
	wall_come(wall, &comer, now_ns);
	bpf_spin_unlock(&wall->lock);
	return 0;
}

/* A thread leaves its CPU; leaver, lost_ns: of wall_leave. */
__noinline int wall_leaves(struct waiter *waiter, __u32 pid, __u32 leaver, __u64 lost_ns,
			   __u64 now_ns)
{
	struct wall *wall = wall_of(pid);

	if (!waiter || !wall)
		return 0;
	waiter->wall = WAIT_WALL_OUT;
	bpf_spin_lock(&wall->lock);
	wall_leave(wall, leaver, lost_ns, now_ns);
	bpf_spin_unlock(&wall->lock);
	return 0;
}
