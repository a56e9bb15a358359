/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/bpf/core/clock.bpf.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/task_rdonly.bpf.h"

/* Steal time: CPU time that interrupts and other guests took from a running thread. */

/* Distance of the kernel's own per-cpu accounts from the run queue, which we have by its address
 * only: not every kernel gives the addresses of its variables. 0: there is no such account. */
const volatile __s64 steal_from_rq, irqtime_from_rq;

/* Time that a CPU lost to interrupts and other guests, as far as the kernel accounts for it, up to
 * the scheduler's last update. */
static __always_inline __u64 steal_time_ns(struct task_struct *task)
{
	struct rq *rq;

	if (!bpf_core_field_exists(task->se.cfs_rq))
		return 0;
	rq = rq_of(task);
	return rq->clock - rq->clock_task;
}

static __always_inline __u64 unread_steal_ns(struct rq *rq)
{
	const struct kvm_steal_time *of = (const void *)rq + steal_from_rq;
	__u64 total_ns, read_ns;

	if (!steal_from_rq || !bpf_core_field_exists(rq->prev_steal_time_rq))
		return 0;
	read_ns = rq->prev_steal_time_rq;
	/* 0: the CPU lost nothing yet, or the kernel does not count it (boot parameter
	 * no-steal-acc). */
	if (!read_ns || BPF_CORE_READ_INTO(&total_ns, of, steal))
		return 0;
	return total_ns - read_ns;
}

static __always_inline __u64 unread_interrupts_ns(struct rq *rq)
{
	const struct irqtime *of = (const void *)rq + irqtime_from_rq;
	__u64 total_ns;

	if (!irqtime_from_rq || !bpf_core_field_exists(rq->prev_irq_time) ||
	    BPF_CORE_READ_INTO(&total_ns, of, total))
		return 0;
	return total_ns - rq->prev_irq_time;
}

/* The steal time since then, which the scheduler will subtract at its next update
 * (update_rq_clock_task), at most the time that passed. Not inlined, to keep the stacks of its
 * callers small. */
static __noinline __u64 steal_time_unread_ns(struct task_struct *task, __u64 now_ns)
{
	struct rq *rq;
	__s64 since_ns, ns;
	__u32 cpu;

	if (!bpf_core_field_exists(task->se.cfs_rq))
		return 0;
	rq = rq_of(task);
	cpu = (__u32)rq->cpu % PROCESS_CPUS_MAX;
	since_ns = now_ns - clock_behind_ns[cpu] - rq->clock;
	ns = unread_steal_ns(rq) + unread_interrupts_ns(rq);
	if (!clock_seen_ns[cpu] || ns <= 0 || since_ns <= 0)
		return 0;
	return ns < since_ns ? ns : since_ns;
}

/* Steal time can exceed a time slice: steal reported late is subtracted from the next slice. A
 * thread woken on an idle CPU starts by the clock of its wake-up, however late another guest gives
 * the CPU back. */
static __always_inline __u64 steal_time_since_ns(const struct waiter *waiter, __u64 steal_ns,
						 __u64 now_ns)
{
	__s64 ns = steal_ns - waiter->steal_time_ns, went_by_ns = now_ns - waiter->in_ns;

	if (!waiter->in_ns || ns <= 0 || went_by_ns <= 0)
		return 0;
	return ns < went_by_ns ? ns : went_by_ns;
}

/* Steal time counts as runnable: during an interrupt, or while another guest runs, the thread waits
 * for its CPU. The kernel leaves it out of sum_exec_runtime. Returns it. */
static __always_inline __u64 steal_time_add(const struct waiter *waiter, __u64 steal_ns,
					    struct process_counts *sum, __u64 now_ns)
{
	__u64 ns = steal_time_since_ns(waiter, steal_ns, now_ns);

	if (ns)
		__sync_fetch_and_add(&sum->runnable_ns, ns);
	return ns;
}
