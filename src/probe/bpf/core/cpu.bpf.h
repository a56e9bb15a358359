/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/bpf/core/clock.bpf.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/wait/steal_time.bpf.h"

/* CPU time of a thread up to now. */

/* sum_exec_runtime of a running thread is as old as the scheduler's last update, up to a tick. If
 * the scheduler updates it during these reads, they are repeated. Not inlined, to keep the stacks
 * of its callers small. */
static __noinline __u64 cpu_ns(struct task_struct *task, __u64 now_ns)
{
	__u64 counted_ns = task->se.sum_exec_runtime, clock_ns, start_ns;
	struct rq *rq;
	__s64 since_ns;
	__u32 cpu;

	if (!bpf_core_field_exists(task->se.cfs_rq))
		return counted_ns;
	rq = rq_of(task);
	cpu = (__u32)rq->cpu % PROCESS_CPUS_MAX;
	if (!clock_seen_ns[cpu])
		return counted_ns;
	for (int i = 0; i < 2; i++) {
		clock_ns = rq->clock;
		start_ns = task->se.exec_start;
		barrier();
		counted_ns = task->se.sum_exec_runtime;
		since_ns = now_ns - clock_behind_ns[cpu] - steal_time_ns(task) -
			   steal_time_unread_ns(task, now_ns) - start_ns;
		barrier();
		if (rq->clock == clock_ns && task->se.exec_start == start_ns)
			break;
	}
	return since_ns > 0 && since_ns < CLOCK_JUMP_NS ? counted_ns + since_ns : counted_ns;
}
