/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/waiter.bpf.h"
#include "probe/bpf/wait/wall.bpf.h"
#include "probe/bpf/wait/wall_switch.bpf.h"

/* The wall time of a process begins. */

static const volatile __u64 blank_wall[sizeof(struct wall) / sizeof(__u64)];

/* how: BPF_ANY, BPF_NOEXIST. NULL: no room; the wall time is unknown then. */
static __always_inline struct wall *wall_new(__u32 pid, __u64 how, __u64 now_ns)
{
	struct wall *wall;

	bpf_map_update_elem(&walls, &pid, (const void *)blank_wall, how);
	wall = wall_of(pid);
	if (!wall)
		return NULL;
	wall->since_ns = now_ns;
	wall->last_state = WAIT_STATES;
	return wall;
}

/* Takes so much of what is left of a life, or all that is left. */
static __always_inline __u64 wall_part(__s64 *left_ns, __s64 ns)
{
	if (ns > *left_ns)
		ns = *left_ns;
	if (ns < 0)
		ns = 0;
	*left_ns -= ns;
	return ns;
}

/* What the only thread of a process did up to now is what the process did. What run_delay contains
 * beyond the life less all waits was sleep (misnamed_ns). */
static __always_inline void wall_first(struct wall *wall, const struct waiter *waiter,
				       const struct process_state *state, struct task_struct *task,
				       __u64 now_ns)
{
	__s64 left_ns = state->dead.threads_ns + now_ns - waiter->begin_ns;
	__s64 cpu_ns = state->dead.cpu_ns - state->base.cpu_ns + task->se.sum_exec_runtime;

#pragma unroll
	for (int i = 0; i < WAIT_STATES; i++)
		wall->ns[WALL_WAITS + i] = wall_part(&left_ns, state->dead.waits_ns[i]);
	wall->ns[WALL_RUNNABLE] =
		wall_part(&left_ns, state->dead.runnable_ns + task->sched_info.run_delay);
	if (!(state->flags & PROCESS_TIMES_MISSED))
		cpu_ns = left_ns;
	wall->ns[WALL_COMPUTING] = wall->ns[WALL_SERIAL] = wall_part(&left_ns, cpu_ns);
}

/* A new thread, or one that was found, could run. */
static __always_inline void wall_ready(struct waiter *waiter, __u32 pid)
{
	struct wall *wall = wall_of(pid);
	__u64 then;

	if (!wall)
		return;
	waiter->wall = WAIT_WALL_READY;
	bpf_spin_lock(&wall->lock);
	wall->ready++;
	then = wall_then(wall);
	bpf_spin_unlock(&wall->lock);
	waiter->before_ns = then;
}
