/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/bpf/core/clock.bpf.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/cpu.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/wait/wait.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/* The times of a live thread, up to now. */

/* How long a thread has been ready without a CPU: run_delay contains it only once the thread runs.
 * A sleeping thread may have last_queued set as well: since 6.12 it may stay in the run queue for a
 * while (se.sched_delayed), be moved to another CPU's queue, and leave that without last_queued
 * being cleared. */
static __always_inline __u64 queued_ns(struct task_struct *task, __u64 now_ns)
{
	__u64 since_ns = task->sched_info.last_queued;
	struct rq *rq;
	__s64 ns;
	__u32 cpu;

	if (!since_ns || task->on_cpu || task->__state || !bpf_core_field_exists(task->se.cfs_rq))
		return 0;
	rq = rq_of(task);
	cpu = (__u32)rq->cpu % PROCESS_CPUS_MAX;
	ns = now_ns - clock_behind_ns[cpu] - since_ns;
	return clock_seen_ns[cpu] && ns > 0 ? ns : 0;
}

/* Adds the times of a thread; a wait that has not ended is counted up to now. */
static __always_inline void times_so_far(struct process_counts *own, struct task_struct *task,
					 __u64 now_ns)
{
	const struct waiter *waiter = waiter_of(task->pid);
	__u64 queued = queued_ns(task, now_ns), wait;
	bool away;

	if (!waiter)
		return;
	away = waiter->in_ns < waiter->out_ns;
	own->runnable_ns += queued;
	own->threads_ns = now_ns > waiter->begin_ns ? now_ns - waiter->begin_ns : 0;
	if (task->on_cpu && !away)
		own->cpu_ns = cpu_ns(task, now_ns);
	if (!waiter->pending)
		return;
	wait = wait_ns(waiter, task, away ? now_ns : waiter->in_ns);
	if (away)
		wait = wait > queued ? wait - queued : 0;
	waits_add(own, waiter->pending - 1, waiter->where, wait);
}
