/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/wait/poll_woke.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"
#include "probe/bpf/wait/wall_switch.bpf.h"

/* A thread comes on a CPU. */

/* The address of a task as a number, for functions that take no typed pointers (before 6.9 none
 * does). */
static __always_inline __u64 address_of(struct task_struct *task)
{
	__u64 address = 0;

	bpf_probe_read_kernel(&address, sizeof(address), &task);
	return address;
}

/* For how long a thread that comes on a CPU was ready, as far as the scheduler counts it: run_delay
 * does not contain the last time yet. */
static __always_inline __u64 queued_before_ns(const struct waiter *waiter, struct task_struct *task,
					      struct task_struct *prev, __u64 now_ns)
{
	__u64 ns = task->sched_info.run_delay - waiter->run_delay_ns;
	__u64 since_ns = task->sched_info.last_queued;
	__s64 last_ns = 0;

	if (since_ns && bpf_core_field_exists(prev->se.cfs_rq))
		last_ns = rq_of(prev)->clock - since_ns;
	return last_ns > 0 ? ns + last_ns : ns;
}

/* Not inlined, so that a switch between processes with one thread, as most are, runs less code. */
static __noinline void wall_arrives(struct waiter *waiter, struct task_struct *task,
				    struct task_struct *prev, __u64 now_ns)
{
	__u64 queued_ns = 0;

	if (waiter->wall == WAIT_WALL_WAITS)
		queued_ns = queued_before_ns(waiter, task, prev, now_ns);
	wall_comes(waiter, task->tgid, queued_ns, now_ns);
}

static __always_inline void comes_on_cpu(struct waiter *waiter, struct task_struct *task,
					 struct task_struct *prev, __u64 now_ns)
{
	if (waiter->wall)
		wall_arrives(waiter, task, prev, now_ns);
	waiter_comes(waiter, task, now_ns);
	if (waiter->pending == 1 + WAIT_POLL)
		waiter->where = poll_woke(waiter, address_of(task));
}
