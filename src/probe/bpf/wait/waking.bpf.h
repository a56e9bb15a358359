/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"
#include "probe/bpf/wait/wall_switch.bpf.h"

/* When a waiting thread becomes ready, and whether a thread of its process made it so. */

/* Whether run_delay has grown since the thread began to wait, or will once it runs: misnamed_ns. A
 * sleeping thread is in no run queue and has last_queued cleared. */
static __always_inline bool may_be_misnamed(const struct waiter *waiter, struct task_struct *task)
{
	return task->sched_info.last_queued || task->sched_info.run_delay != waiter->run_delay_ns;
}

/* In the context of the waker, which for a timer or a disk is whatever runs on that CPU. */
SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
	struct waiter *waiter;
	__u32 waker;

	task = task_rdonly(task);
	waiter = waiter_of(task->pid);
	if (!waiter)
		return 0;
	if (waiter->wall == WAIT_WALL_NONE) {
		waiter->before_ns = may_be_misnamed(waiter, task) ? bpf_ktime_get_boot_ns() : 0;
		return 0;
	}
	if (waiter->wall != WAIT_WALL_WAITS)
		return 0;
	waker = bpf_get_current_pid_tgid() >> 32;
	wall_wakes(waiter, task->tgid, 0, waker == (__u32)task->tgid ? WALL_BY_OWN : WALL_BY_OTHER,
		   bpf_ktime_get_boot_ns());
	return 0;
}
