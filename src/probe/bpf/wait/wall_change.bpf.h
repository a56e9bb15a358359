/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/wall.bpf.h"

/* Changes of the wall time of a process: a thread comes on a CPU, or leaves it. */

/* A thread that comes on a CPU. */
struct wall_comer {
	__u64 out_ns;   /* when it left its CPU to wait */
	__u64 ready_ns; /* how long it was ready since it was woken */
	__u32 state;    /* enum wait_state of its wait; WAIT_STATES: it did not wait */
	bool timed;     /* its wait had a timeout */
	bool own;       /* a thread of its process woke it */
};

static __always_inline bool wall_is_small(const struct wall *wall, __u64 burst_ns)
{
	return burst_ns * WALL_SMALL <= wall->held_ns;
}

/* A thread works that no timeout and no thread of its process woke: it was waited for. A thread
 * that began to wait later than these gaps was not. */
static __always_inline void wall_work(struct wall *wall, const struct wall_comer *comer)
{
	__u64 burst_ns = wall->burst_ns;

	if (!wall->held_since_ns)
		return;
	if (wall->burst_from_ns)
		burst_ns += wall->since_ns - wall->burst_from_ns;
	if (comer->out_ns <= wall->held_since_ns && wall_is_small(wall, burst_ns))
		wall_decide(wall, comer->state, false);
	else
		wall_decide(wall, wall->held_state, true);
}

/* A gap ends that began at from_ns and lasted ns. */
static __always_inline void wall_gap(struct wall *wall, const struct wall_comer *comer,
				     __u64 from_ns, __u64 ns)
{
	__u64 ready_ns = comer->ready_ns < ns ? comer->ready_ns : ns;

	if (wall->preempted || comer->state >= WAIT_STATES) {
		wall->ns[WALL_RUNNABLE] += ns;
		if (wall->burst_from_ns)
			wall->burst_from_ns += ns;
		return;
	}
	ns -= ready_ns;
	if (!comer->timed && !(wall->held_since_ns && comer->own)) {
		wall->ns[WALL_RUNNABLE] += ready_ns;
		wall_work(wall, comer);
		wall_add(wall, comer->state, ns);
		wall->last_state = WAIT_STATES;
		return;
	}
	if (!wall->held_since_ns)
		wall->held_since_ns = from_ns;
	if (comer->timed && ns >= wall->held_most_ns) {
		wall->held_most_ns = ns;
		wall->held_state = comer->state;
	}
	wall->held_ns += ns;
	wall->held_ready_ns += ready_ns;
	wall->burst_from_ns = wall->since_ns;
}

static __always_inline void wall_come(struct wall *wall, const struct wall_comer *comer,
				      __u64 now_ns)
{
	__u64 from_ns = wall->since_ns, ns = wall_advance(wall, now_ns);

	if (wall->running <= 0) {
		wall->running = 0;
		wall_gap(wall, comer, from_ns, ns);
	} else if (comer->state < WAIT_STATES && !comer->timed && !comer->own) {
		wall_work(wall, comer);
	}
	wall->running++;
}

/* Of a thread that leaves its CPU, if it does not wait. */
enum wall_leaver { WALL_PREEMPTED = WAIT_STATES, WALL_EXITS };

/* leaver: enum wait_state of the wait that begins, or enum wall_leaver. lost_ns: of the thread's
 * time on the CPU, what interrupts and other guests of the machine took. */
static __always_inline void wall_leave(struct wall *wall, __u32 leaver, __u64 lost_ns, __u64 now_ns)
{
	__u64 ns = wall_advance(wall, now_ns);

	if (wall->running == 1) {
		lost_ns = lost_ns < ns ? lost_ns : ns;
		wall->ns[WALL_COMPUTING] -= lost_ns;
		wall->ns[WALL_SERIAL] -= lost_ns;
		wall->ns[WALL_RUNNABLE] += lost_ns;
	}
	if (!wall->burst_from_ns && leaver < WAIT_STATES &&
	    (leaver != WAIT_LOCK || wall->last_state >= WAIT_STATES))
		wall->last_state = leaver;
	if (wall->running > 0)
		wall->running--;
	if (wall->running > 0)
		return;
	wall->preempted = leaver == WALL_PREEMPTED;
	if (wall->preempted || !wall->burst_from_ns)
		return;
	wall->burst_ns += wall->since_ns - wall->burst_from_ns;
	wall->burst_from_ns = 0;
	if (!wall_is_small(wall, wall->burst_ns))
		wall_decide(wall, wall->held_state, true);
}
