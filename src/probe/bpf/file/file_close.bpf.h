/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/file/file_descriptor.bpf.h"
#include "probe/bpf/file/file_kind.bpf.h"
#include "probe/bpf/file/file_use.bpf.h"
#include "probe/bpf/wait/inode.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/*
 * Files that are closed: at functions of the kernel or, if that is not allowed, at the tracepoints
 * of system calls (syscall_tracepoints_state.h).
 */

/* For the waits that follow, when the descriptor is closed already. */
static __always_inline void file_goes(struct task_struct *task, __u64 address)
{
	struct waiter *waiter = waiter_of(task->pid);

	if (waiter)
		waiter->closes = where_of(FILE_READ(file, address, f_inode));
}

SEC("tracepoint")
int on_close(struct file_call *call)
{
	struct task_struct *task = task_rdonly(bpf_get_current_task_btf());
	struct process_state *state = state_of_caller(task);
	__u64 address;

	if (!state)
		return 0;
	address = (__u64)file_of(task, (__u32)call->first);
	if (!address)
		return 0;
	file_goes(task, address);
	file_used(state, address, FILE_CLOSES);
	return 0;
}

/* For every way to close: close, close_range, dup2, an exec. The descriptors that a process holds
 * at its end were counted then. */
static __always_inline int file_closed(const void *arguments)
{
	struct task_struct *task = task_rdonly(bpf_get_current_task_btf());
	struct process_state *state = state_of_caller(task);
	__u64 address;

	if (!state || state->flags & PROCESS_ENDED)
		return 0;
	/* As a number: separately verified functions take no typed pointers. */
	if (bpf_probe_read_kernel(&address, sizeof(address), arguments))
		return 0;
	file_goes(task, address);
	file_used(state, address, FILE_CLOSES);
	return 0;
}

/* Since 6.6 close(2) calls this alone, and filp_close() does, too. */
SEC("fentry/filp_flush")
int BPF_PROG(on_flush, struct file *file)
{
	return file_closed(ctx);
}

SEC("fentry/filp_close")
int BPF_PROG(on_filp_close, struct file *file)
{
	return file_closed(ctx);
}
