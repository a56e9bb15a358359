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
#include "probe/bpf/wait/wall_unseen.bpf.h"

/*
 * The threads of a process at its wall time. Functions of their own, verified once; they find the
 * wall time themselves, because a pointer to a lock cannot be an argument.
 */

static __always_inline struct wall *wall_of(__u32 pid)
{
	return bpf_map_lookup_elem(&walls, &pid);
}

enum wall_waker {
	WALL_BY_OTHER,  /* another process, a timer, a device */
	WALL_BY_OWN,    /* a thread of the same process */
	WALL_BY_UNSEEN, /* it was not seen, nor was the arrival on the CPU */
};

/* A thread waits no longer. queued_ns: for how long it was ready, if its waking was not seen. */
__noinline int wall_wakes(struct waiter *waiter, __u32 pid, __u64 queued_ns, __u32 waker,
			  __u64 now_ns)
{
	struct wall *wall = wall_of(pid);
	struct wall_comer comer;
	__u64 then;

	if (!waiter || !wall)
		return 0;
	comer.state = waiter->pending - 1U;
	comer.before_ns = waiter->before_ns;
	comer.ready_ns = queued_ns;
	comer.timed = waiter->timed;
	comer.own = waker == WALL_BY_OWN;
	waiter->wall = WAIT_WALL_READY;
	bpf_spin_lock(&wall->lock);
	if (waker == WALL_BY_UNSEEN)
		wall_woke(wall, &comer, now_ns);
	else
		wall_wake(wall, &comer, now_ns);
	then = wall_then(wall);
	bpf_spin_unlock(&wall->lock);
	waiter->before_ns = then;
	return 0;
}

/* A thread comes on a CPU. queued_ns as in wall_wakes. */
static __always_inline void wall_comes(struct waiter *waiter, __u32 pid, __u64 queued_ns,
				       __u64 now_ns)
{
	struct wall *wall = wall_of(pid);

	if (!wall)
		return;
	if (waiter->wall == WAIT_WALL_WAITS)
		wall_wakes(waiter, pid, queued_ns, WALL_BY_OTHER, now_ns);
	waiter->wall = WAIT_WALL_ON;
	bpf_spin_lock(&wall->lock);
	wall_come(wall, now_ns);
	bpf_spin_unlock(&wall->lock);
}

/* The same of a thread that came on its CPU at in_ns, which was not seen. */
__noinline int wall_came_unseen(struct waiter *waiter, __u32 pid, __u64 in_ns, __u64 now_ns)
{
	struct wall *wall = wall_of(pid);

	if (!waiter || !wall)
		return 0;
	if (waiter->wall == WAIT_WALL_WAITS)
		wall_wakes(waiter, pid, 0, WALL_BY_UNSEEN, in_ns);
	waiter->wall = WAIT_WALL_ON;
	bpf_spin_lock(&wall->lock);
	wall_came(wall, waiter->before_ns, in_ns, now_ns);
	bpf_spin_unlock(&wall->lock);
	return 0;
}

/* A thread leaves its CPU; leaver, lost_ns: of wall_leave. */
__noinline int wall_leaves(struct waiter *waiter, __u32 pid, __u32 leaver, __u64 lost_ns,
			   __u64 now_ns)
{
	struct wall *wall = wall_of(pid);
	__u64 before_ns;
	bool timed;

	if (!waiter || !wall)
		return 0;
	timed = waiter->timed;
	waiter->wall = leaver == WALL_PREEMPTED ? WAIT_WALL_READY : WAIT_WALL_WAITS;
	bpf_spin_lock(&wall->lock);
	before_ns = wall_leave(wall, leaver, timed, lost_ns, now_ns);
	if (leaver == WALL_PREEMPTED)
		before_ns = wall_then(wall);
	bpf_spin_unlock(&wall->lock);
	waiter->before_ns = before_ns;
	return 0;
}
