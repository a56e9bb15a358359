/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/wall.bpf.h"
#include "probe/bpf/wait/wall_gap.bpf.h"
#include "probe/bpf/wait/wall_held.bpf.h"

/* Changes of the wall time of a process: a thread is woken, comes on a CPU, or leaves it. */

/* A thread waits no longer. */
static __always_inline void wall_wake(struct wall *wall, const struct wall_comer *comer,
				      __u64 now_ns)
{
	__u64 ns = wall_advance(wall, now_ns);

	if (wall->running <= 0 && wall->ready <= 0)
		wall_gap(wall, comer, ns);
	else if (!comer->timed && !comer->own && wall->total_ns > comer->before_ns)
		wall_work(wall, comer);
	if (comer->state == wall->last_state)
		wall->last_state = WAIT_STATES; /* that wait is over */
	wall->ready++;
}

/* A thread that was ready comes on a CPU. */
static __always_inline void wall_come(struct wall *wall, __u64 now_ns)
{
	wall_advance(wall, now_ns);
	if (wall->ready > 0)
		wall->ready--;
	wall->running++;
}

/* Of a thread that leaves its CPU, if it does not wait. */
enum wall_leaver { WALL_PREEMPTED = WAIT_STATES, WALL_EXITS };

/* leaver: enum wait_state of the wait that begins (timed: with a timeout), or enum wall_leaver.
 * lost_ns: of the thread's time on the CPU, what interrupts and other guests of the machine took.
 * Returns total_ns. */
static __always_inline __u64 wall_leave(struct wall *wall, __u32 leaver, bool timed, __u64 lost_ns,
					__u64 now_ns)
{
	__u64 ns = wall_advance(wall, now_ns);

	if (wall->running == 1) {
		lost_ns = wall_less(lost_ns, ns);
		wall->ns[WALL_COMPUTING] -= lost_ns;
		wall->ns[WALL_SERIAL] -= lost_ns;
		wall->ns[WALL_RUNNABLE] += lost_ns;
	}
	if (wall->running > 0)
		wall->running--;
	if (leaver == WALL_PREEMPTED)
		wall->ready++;
	if (wall->pending && !wall_is_small(wall))
		wall_judge(wall);
	if (!wall->pending && leaver < WAIT_STATES &&
	    ((leaver != WAIT_LOCK && !timed) || wall->last_state >= WAIT_STATES))
		wall->last_state = leaver;
	return wall->total_ns;
}
