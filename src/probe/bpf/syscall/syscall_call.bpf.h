/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/* A system call begins, and ends. Part of process.bpf.c. */

#if defined(__TARGET_ARCH_x86)
#define CALL_SIGRETURN 15
#elif defined(__TARGET_ARCH_arm64)
#define CALL_SIGRETURN 139
#endif

/* Before the one of its beginning, as programs are attached in the order of their text: what begins
 * between the two would have no end.
 * A new thread returns from a call that it never began: its parent did. */
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
	if (!begun || begun->at_ns) /* the latter: an end was not seen */
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

/* Beside `sample`, for what it needs of the stack. */
SEC("iter/task")
int sample_syscalls(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_state *state;

	if (!task || task->pid != task->tgid)
		return 0;
	state = state_of(task);
	if (state && !(state->flags & PROCESS_ENDED))
		syscalls_tell(task, state, false);
	return 0;
}
