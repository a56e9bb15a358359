/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/inode.bpf.h"
#include "probe/bpf/wait/poll.bpf.h"
#include "probe/bpf/wait/wait_file.bpf.h"

/*
 * Why a thread waits, found at the switch by its system call, the kind of file that it works on and
 * the scheduler's marks, without a hook at any system call.
 */

const volatile __u8 wait_calls[WAIT_CALLS]; /* by system call number: wait_state or wait_call */

/* Stopped, traced or frozen. A thread that the freezer of cgroups version 2 holds sleeps like any
 * other; one that waits for its vfork's exec has the mark, too, but is not interruptible. */
static __always_inline bool is_held(struct task_struct *task, __u32 state)
{
	if (!(state & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)))
		return true;
	return state & TASK_INTERRUPTIBLE && bpf_core_field_exists(task->frozen) &&
	       BPF_CORE_READ_BITFIELD(task, frozen);
}

static __always_inline enum wait_state wait_of(struct waiter *waiter, struct task_struct *task,
					       __u32 state)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	__s64 call = PT_CALL(regs);
	__u64 number = call;
	__u32 how;

	waiter->where = WAIT_LOCAL;
	waiter->polls = 0;
	waiter->limited = 0;
	if (waiter->reclaims || BPF_CORE_READ_BITFIELD(task, in_memstall))
		return WAIT_PAGING;
	if (is_held(task, state))
		return WAIT_OTHER;
	if (call < 0)
		return WAIT_PAGING; /* no system call: a page fault */
	barrier_var(number); /* on arm64 it has 32 bits, of which the verifier knows less than the
				compiler */
	how = IS_32_BIT(task) || number >= WAIT_CALLS ? WAIT_OTHER : wait_calls[number];
	switch (how) {
	case WAIT_CALL_READ:
	case WAIT_CALL_WRITE:
		return wait_on_file(waiter, inode_of(task, PT_FIRST(regs)), how == WAIT_CALL_WRITE);
	case WAIT_CALL_COPY:
		return wait_on_two(waiter, task, PT_FIRST(regs), PT_THIRD(regs));
	case WAIT_CALL_SENDFILE:
		return wait_on_two(waiter, task, PT_SECOND(regs), PT_FIRST(regs));
	case WAIT_CALL_OPEN:
		return wait_on_open(waiter, walked_to(task), state);
	case WAIT_CALL_PATH:
	case WAIT_CALL_AT:
		return wait_on_path(waiter, task, regs, how);
	case WAIT_CALL_FILE:
		waiter->where = where_of(inode_of(task, PT_FIRST(regs)));
		return WAIT_DISK;
	case WAIT_CALL_CLOSE:
		waiter->where = waiter->closes;
		return WAIT_DISK;
	case WAIT_CALL_POLL ... WAIT_CALL_EPOLL2:
		if ((__u64)task ==
		    bpf_get_current_task()) /* only the current task's memory can be read */
			poll_begins(waiter, how);
		return WAIT_POLL;
	case WAIT_OTHER:
		return BPF_CORE_READ_BITFIELD(task, in_iowait) ? WAIT_DISK : WAIT_OTHER;
	case WAIT_LOCK: /* the lock of the address space, or pages read from disk under it */
		return BPF_CORE_READ_BITFIELD(task, in_iowait) ? WAIT_PAGING : WAIT_LOCK;
	}
	return how;
}
