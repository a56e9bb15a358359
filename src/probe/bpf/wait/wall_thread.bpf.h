/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/wait.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"
#include "probe/bpf/wait/wall_new.bpf.h"
#include "probe/bpf/wait/wall_switch.bpf.h"

/* Threads begin and end: wall time is counted from the second thread of a process on. */

/* A thread runs, but its arrival on the CPU was not seen (wait_unseen). */
static __noinline void wall_comes_late(struct waiter *waiter, struct task_struct *task,
				       __u64 now_ns)
{
	__u64 in_ns = now_ns;

	wait_unseen(waiter, task);
	if (bpf_core_field_exists(task->se.cfs_rq))
		in_ns = arrived_ns(task);
	wall_came_unseen(waiter, task->tgid, in_ns < now_ns ? in_ns : now_ns, now_ns);
}

static __always_inline void wall_unseen(struct waiter *waiter, struct task_struct *task,
					__u64 now_ns)
{
	if (waiter->wall != WAIT_WALL_NONE && waiter->wall != WAIT_WALL_ON)
		wall_comes_late(waiter, task, now_ns);
}

/* The only thread of a process forks another one. */
static __always_inline void wall_begins(struct process_state *state, struct task_struct *running,
					struct waiter *waiter, __u64 now_ns)
{
	struct wall *wall = state->threads <= 1 ? wall_new(running->tgid, BPF_ANY, now_ns) : NULL;

	if (!wall)
		return;
	wait_unseen(waiter, running);
	wait_settle(waiter, running, state);
	if (state->threads_peak <= 1) /* else it had several, which are not known: no room */
		wall_first(wall, waiter, state, running, now_ns);
	wall->running = 1;
	waiter->wall = WAIT_WALL_ON;
}

static __always_inline bool wall_there(__u32 pid, __u64 now_ns)
{
	return wall_of(pid) || wall_new(pid, BPF_NOEXIST, now_ns);
}

static __always_inline void wall_missed(struct process_state *state)
{
	__sync_fetch_and_or(&state->flags, PROCESS_WALL_MISSED);
}

/* The running thread forks another one, new (NULL: no room), which does not count yet. A thread
 * that ran before the programs were attached may fork before scan_done comes to it. */
static __always_inline void wall_thread_begins(struct process_state *state,
					       struct task_struct *running, struct waiter *new,
					       __u64 now_ns)
{
	struct waiter *waiter = waiter_of(running->pid);
	bool counted = false;

	if (waiter) {
		wall_unseen(waiter, running, now_ns);
		if (waiter->wall == WAIT_WALL_NONE)
			wall_begins(state, running, waiter, now_ns);
		counted = waiter->wall;
	} else if (state->flags & PROCESS_TIMES_MISSED) {
		counted = wall_there(running->tgid, now_ns);
		if (!counted)
			wall_missed(state);
	}
	if (!new)
		wall_missed(state);
	else if (counted)
		wall_ready(new, running->tgid);
}

/* Of a process that ran with several threads before the programs were attached: what it did before
 * is unknown. A thread that comes on a CPU or leaves it meanwhile is corrected by its next switch.
 * False: no room. */
static __always_inline bool wall_found(struct waiter *waiter, struct task_struct *task,
				       __u64 now_ns)
{
	if (!wall_there(task->tgid, now_ns))
		return false;
	waiter->wall = WAIT_WALL_WAITS;
	if (waiter->pending)
		return true;
	wall_ready(waiter, task->tgid);
	if (task->on_cpu)
		wall_comes(waiter, task->tgid, 0, now_ns);
	return true;
}

static __always_inline void wall_thread_ends(struct task_struct *task, __u64 now_ns)
{
	struct waiter *waiter = waiter_of(task->pid);

	if (waiter && waiter->wall)
		wall_leaves(waiter, task->tgid, WALL_EXITS, 0, now_ns);
}
