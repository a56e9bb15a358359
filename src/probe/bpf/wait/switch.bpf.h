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
#include "probe/bpf/wait/poll_woke.bpf.h"
#include "probe/bpf/wait/steal_time.bpf.h"
#include "probe/bpf/wait/wait.bpf.h"
#include "probe/bpf/wait/wait_kind.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/* The context switch, where waits begin and end. */

static __always_inline void wait_begin(struct waiter *waiter, struct task_struct *task, __u32 state,
				       __u64 now_ns)
{
	waiter->pending = 1 + wait_of(waiter, task, state);
	waiter->out_ns = now_ns;
	waiter->run_delay_ns = task->sched_info.run_delay;
}

/* A thread that ran before the programs were attached: its current wait counts from now on. */
static __always_inline void waiter_found(struct task_struct *task, __u64 now_ns)
{
	struct waiter *waiter = waiter_begin(task->pid, task->start_boottime);

	if (waiter && !task->on_cpu && task->__state)
		wait_begin(waiter, task, task->__state, now_ns);
}

/* The address of a task as a number, for functions that take no typed pointers (before 6.9 none
 * does). */
static __always_inline __u64 address_of(struct task_struct *task)
{
	__u64 address = 0;

	bpf_probe_read_kernel(&address, sizeof(address), &task);
	return address;
}

static __always_inline int switched(struct task_struct *prev, struct task_struct *next, __u32 state)
{
	struct waiter *leaves, *comes;
	struct process_state *process;
	__u64 now_ns = 0, steal_ns;

	if (!waiter_known(prev->pid) && !waiter_known(next->pid))
		return 0;
	leaves = waiter_of(prev->pid);
	comes = waiter_of(next->pid);
	if (comes) {
		now_ns = clock_at_switch(prev);
		waiter_comes(comes, next, now_ns);
		if (comes->pending == 1 + WAIT_POLL)
			comes->where = poll_woke(comes, address_of(next));
	}
	if (!leaves)
		return 0;
	if (!comes)
		now_ns = clock_at_switch(prev);
	steal_ns = steal_time_ns(prev);
	if (leaves->pending || leaves->steal_time_ns != steal_ns) {
		process = state_of_thread(prev);
		if (process) {
			wait_unseen(leaves, prev);
			wait_settle(leaves, prev, process);
			steal_time_add(leaves, steal_ns, &process->dead, now_ns);
		}
	}
	if (state)
		wait_begin(leaves, prev, state, now_ns);
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
