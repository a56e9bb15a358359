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
#include "probe/bpf/wait/wall.bpf.h"
#include "probe/bpf/wait/wall_switch.bpf.h"

/* Threads begin and end: wall time is counted from the second thread of a process on. */

static const volatile __u64 blank_wall[sizeof(struct wall) / sizeof(__u64)];

/* NULL: no room; the wall time is unknown then. */
static __always_inline struct wall *wall_new(__u32 pid, __u64 now_ns)
{
	struct wall *wall;

	bpf_map_update_elem(&walls, &pid, (const void *)blank_wall, BPF_ANY);
	wall = wall_of(pid);
	if (!wall)
		return NULL;
	wall->since_ns = now_ns;
	wall->last_state = WAIT_STATES;
	return wall;
}

/* What the only thread of a process did up to now is what the process did. */
static __always_inline void wall_first(struct wall *wall, const struct waiter *waiter,
				       const struct process_state *state, struct task_struct *task,
				       __u64 now_ns)
{
	__s64 computing_ns = state->dead.threads_ns + now_ns - waiter->begin_ns;
	__s64 runnable_ns = state->dead.runnable_ns + task->sched_info.run_delay;
	__s64 cpu_ns = state->dead.cpu_ns - state->base.cpu_ns + task->se.sum_exec_runtime;

	if (runnable_ns < 0)
		runnable_ns = 0;
	computing_ns -= runnable_ns;
#pragma unroll
	for (int i = 0; i < WAIT_STATES; i++) {
		wall->ns[WALL_WAITS + i] = state->dead.waits_ns[i];
		computing_ns -= state->dead.waits_ns[i];
	}
	if (state->flags & PROCESS_TIMES_MISSED && computing_ns > cpu_ns)
		computing_ns = cpu_ns;
	if (computing_ns < 0)
		computing_ns = 0;
	wall->ns[WALL_RUNNABLE] = runnable_ns;
	wall->ns[WALL_COMPUTING] = wall->ns[WALL_SERIAL] = computing_ns;
}

/* The running thread forks another one, new. */
static __always_inline void wall_thread_begins(struct process_state *state,
					       struct task_struct *running, struct waiter *new,
					       __u64 now_ns)
{
	struct waiter *waiter = waiter_of(running->pid);
	struct wall *wall;

	if (!waiter || !new)
		return;
	if (waiter->wall == WAIT_WALL_NONE) {
		wall = state->threads <= 2 ? wall_new(running->tgid, now_ns) : NULL;
		if (!wall)
			return;
		wait_unseen(waiter, running);
		wait_settle(waiter, running, state);
		wall_first(wall, waiter, state, running, now_ns);
		wall->running = 1;
		waiter->wall = WAIT_WALL_ON;
	}
	new->wall = WAIT_WALL_OUT;
}

/* Of a process that ran with several threads before the programs were attached: what it did before
 * is unknown. A thread that comes on a CPU or leaves it meanwhile is corrected by its next switch.
 */
static __always_inline void wall_found(struct waiter *waiter, struct task_struct *task,
				       __u64 now_ns)
{
	struct wall *wall = wall_of(task->tgid);

	if (!wall)
		wall = wall_new(task->tgid, now_ns);
	if (!wall)
		return;
	waiter->wall = WAIT_WALL_OUT;
	if (task->on_cpu)
		wall_comes(waiter, task->tgid, 0, now_ns);
}

/* A thread leaves a CPU, but its arrival there was not seen (wait_unseen). */
static __always_inline void wall_unseen(struct waiter *waiter, struct task_struct *task,
					__u64 now_ns)
{
	if (waiter->wall != WAIT_WALL_OUT)
		return;
	wait_unseen(waiter, task);
	if (waiter->pending && waiter->in_ns >= waiter->out_ns)
		now_ns = waiter->in_ns;
	wall_comes(waiter, task->tgid, 0, now_ns);
}

static __always_inline void wall_thread_ends(struct task_struct *task, __u64 now_ns)
{
	struct waiter *waiter = waiter_of(task->pid);

	if (!waiter || !waiter->wall)
		return;
	wall_unseen(waiter, task, now_ns);
	wall_leaves(waiter, task->tgid, WALL_EXITS, 0, now_ns);
}
