/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/cpu.bpf.h"
#include "probe/bpf/wait/steal_time.bpf.h"
#include "probe/bpf/wait/wait.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"
#include "probe/bpf/wait/wall_thread.bpf.h"

/* A thread ends or execs. */

/* The running thread ends or execs: sets its CPU time and life time, and adds its last wait and its
 * steal time to the process. It is on a CPU, whether its arrival there was seen or not. */
static __always_inline void times_take(struct process_counts *own, struct process_state *process,
				       struct task_struct *task, __u32 tid, __u64 now_ns)
{
	struct waiter *waiter = waiter_of(tid);
	__u64 steal_ns;

	if (!waiter)
		return;
	wall_unseen(waiter, task, now_ns);
	own->cpu_ns = cpu_ns(task, now_ns);
	own->threads_ns = now_ns > waiter->begin_ns ? now_ns - waiter->begin_ns : 0;
	wait_unseen(waiter, task);
	wait_settle(waiter, task, process);
	steal_ns = steal_time_ns(task) + steal_time_unread_ns(task, now_ns);
	steal_time_add(waiter, steal_ns, &process->dead, now_ns);
	waiter->steal_time_ns = steal_ns;
}

/* A thread that execs takes the leader's thread id; its switches in between were not seen. */
static __always_inline void waiter_rename(struct task_struct *task, __u32 from, __u64 now_ns)
{
	struct waiter *waiter = waiter_of(from);
	__u64 begin_ns = waiter ? waiter->begin_ns : now_ns;

	if (waiter)
		waiter_end(from);
	waiter = waiter_begin(task->pid, begin_ns);
	if (waiter)
		waiter_comes(waiter, task, now_ns);
}
