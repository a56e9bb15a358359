/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/process_state.h"
#include "probe/abi/syscall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/syscall/syscall.bpf.h"
#include "probe/bpf/syscall/syscall_emit.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/* The begin and the end of a system call. */

#if defined(__TARGET_ARCH_x86)
#define CALL_SIGRETURN 15
#elif defined(__TARGET_ARCH_arm64)
#define CALL_SIGRETURN 139
#endif

/* Attached before on_sys_enter (attach_in_order). A new thread returns from a call that its parent
 * began. */
SEC("tp_btf/sys_exit")
int BPF_PROG(on_sys_exit, struct pt_regs *regs, long result)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct process_state *state;
	struct syscall_begun *begun;

	if (!waiter_known(task->pid))
		return 0;
	begun = bpf_task_storage_get(&syscalls_begun, task, NULL, 0);
	state = begun && begun->at_ns ? state_of(task->group_leader) : NULL;
	if (state)
		syscall_ends(state, begun, begun->restores ? 0 : result);
	else if (begun)
		begun->at_ns = 0;
	return 0;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_sys_enter, struct pt_regs *regs, long number)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct syscall_begun *begun;
	__u64 which = number;

	if (!waiter_known(task->pid))
		return 0;
	begun = bpf_task_storage_get(&syscalls_begun, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!begun || begun->at_ns) /* at_ns: an end was not seen */
		__sync_fetch_and_add(&losses.syscall, 1);
	if (!begun)
		return 0;
	if (IS_32_BIT(task))
		begun->class = SYSCALL_COMPAT;
	else
		begun->class = which < SYSCALL_NUMBERS ? syscall_classes[which] : SYSCALL_OTHER;
	begun->restores = which == CALL_SIGRETURN && !IS_32_BIT(task);
	begun->at_ns = bpf_ktime_get_ns();
	return 0;
}

/* A program beside `sample`, because of the stack that it needs. */
SEC("iter/task")
int sample_syscalls(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_state *state;

	if (!task || task->pid != task->tgid)
		return 0;
	state = state_of(task);
	if (state && !(state->flags & PROCESS_ENDED))
		syscalls_emit(task, state, false);
	return 0;
}
