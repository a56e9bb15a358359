/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/bpf/core/clock.bpf.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/wait/arrival.bpf.h"
#include "probe/bpf/wait/steal_time.bpf.h"
#include "probe/bpf/wait/wait.bpf.h"
#include "probe/bpf/wait/wait_kind.bpf.h"
#include "probe/bpf/wait/wait_limit.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"
#include "probe/bpf/wait/wall_switch.bpf.h"
#include "probe/bpf/wait/wall_thread.bpf.h"

/* The context switch, where waits begin and end. */

static __always_inline void wait_begin(struct waiter *waiter, struct task_struct *task, __u32 state,
				       __u64 now_ns)
{
	waiter->pending = 1 + wait_of(waiter, task, state);
	waiter->out_ns = now_ns;
	waiter->run_delay_ns = task->sched_info.run_delay;
}

/* A thread that ran before the programs were attached: its current wait counts from now on. False:
 * no room. */
static __always_inline bool waiter_found(struct task_struct *task, bool one_of_several,
					 __u64 now_ns)
{
	struct waiter *waiter = waiter_begin(task->pid, task->start_boottime);

	if (!waiter)
		return false;
	if (!task->on_cpu && task->__state)
		wait_begin(waiter, task, task->__state, now_ns);
	return !one_of_several || wall_found(waiter, task, now_ns);
}

/* Not inlined, as wall_arrives. */
static __noinline void wall_departs(struct waiter *waiter, struct task_struct *task, __u32 state,
				    __u64 lost_ns, __u64 now_ns)
{
	waiter->timed = state && is_timed(task);
	wall_leaves(waiter, task->tgid, state ? waiter->pending - 1U : WALL_PREEMPTED, lost_ns,
		    now_ns);
}

static __always_inline void leaves_cpu(struct waiter *waiter, struct task_struct *task, __u32 state,
				       __u64 now_ns)
{
	__u64 steal_ns = steal_time_ns(task), lost_ns = 0;
	struct process_state *process;

	wall_unseen(waiter, task, now_ns);
	if (waiter->pending || waiter->steal_time_ns != steal_ns) {
		process = state_of_thread(task);
		if (process) {
			wait_unseen(waiter, task);
			wait_settle(waiter, task, process);
			lost_ns = steal_time_add(waiter, steal_ns, &process->dead, now_ns);
		}
	}
	if (state)
		wait_begin(waiter, task, state, now_ns);
	if (waiter->wall)
		wall_departs(waiter, task, state, lost_ns, now_ns);
}

/* NULL also for a thread that has ended: a leader has the id of the thread that execs in its
 * process until its last switch (de_thread in fs/exec.c). */
static __always_inline struct waiter *waiter_at_switch(struct task_struct *task)
{
	return task->exit_state ? NULL : waiter_of(task->pid);
}

static __always_inline int switched(struct task_struct *prev, struct task_struct *next, __u32 state)
{
	struct waiter *leaves, *comes;
	__u64 now_ns = 0;

	if (!waiter_known(prev->pid) && !waiter_known(next->pid))
		return 0;
	leaves = waiter_at_switch(prev);
	comes = waiter_at_switch(next);
	if (comes) {
		now_ns = clock_at_switch(prev);
		comes_on_cpu(comes, next, prev, now_ns);
	}
	if (!leaves)
		return 0;
	if (!comes)
		now_ns = clock_at_switch(prev);
	leaves_cpu(leaves, prev, state, now_ns);
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	return switched(prev, next, preempt ? 0 : prev_state);
}

/* Before 5.18, which added the state. */
SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch_of_two, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	return switched(prev, next, preempt ? 0 : prev->__state);
}
