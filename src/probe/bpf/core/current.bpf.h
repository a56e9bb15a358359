/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/* The tracked process of the running thread. */

/* The process of a thread that is known to be tracked. No check of the start time: the mark of the
 * thread ends with the thread. */
static __always_inline struct process_state *state_of_thread(struct task_struct *task)
{
	__u32 pid = task->tgid, slot = pid % PROCESS_SLOTS;
	struct process_state *state = bpf_map_lookup_elem(&processes, &slot);

	if (state && state->pid == pid && state->start_ns)
		return state;
	return crowd_count ? bpf_map_lookup_elem(&crowd, &pid) : NULL;
}

/* The process of the running thread. NULL: not tracked. A worker of io_uring is known by its
 * process only. */
static __always_inline struct process_state *state_running(void)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!waiter_known(task->pid) && !waiter_known(task->tgid))
		return NULL;
	return state_of_thread(task);
}

/* The process of the running thread, with the check of its start time. NULL: not tracked. */
static __always_inline struct process_state *state_of_caller(struct task_struct *task)
{
	return waiter_known(task->pid) ? state_of(task->group_leader) : NULL;
}
