/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/fcntl.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/failure/open.bpf.h"
#include "probe/bpf/file/file_make.bpf.h"

/* Files that cannot be opened. */

static __always_inline void file_count_failed(struct process_state *state, __u32 error)
{
	struct file_use *use;

	__sync_fetch_and_add(&state->files_failed, 1);
	use = file_of_kind(state, FILE_ID_FAILED + error, FILE_FAILED);
	if (!use)
		return;
	if (!use->error)
		use->flags |= FILE_ERROR_IS_NEW;
	use->error = error;
	use->last_tick = bpf_jiffies64();
	use->changed = 1;
	__sync_fetch_and_add(&use->failures, 1);
}

static __always_inline bool is_failed_open(__s64 result)
{
	return result < 0 && result > FILE_ID_FAILED - FILE_ID_FIRST;
}

/* result is a long in older kernels; its lower half has the same value. */
SEC("fexit/do_sys_openat2")
int BPF_PROG(on_openat2, int folder, const char *name, void *how, int result)
{
	struct process_state *state;
	struct task_struct *task;

	if (!is_failed_open(result))
		return 0;
	task = task_rdonly(bpf_get_current_task_btf());
	state = state_of_caller(task);
	if (!state)
		return 0;
	file_count_failed(state, -result);
	open_note(state, task, -result, folder, name);
	return 0;
}

const volatile __s32 openat_number, openat2_number; /* the other calls are open, creat */

/* For kernels without fexit: at the tracepoints of the system calls (syscall_tracepoints_state.h).
 * The arguments of 32-bit programs are in other registers. */
SEC("tracepoint")
int on_open_failed(struct syscall_exit *call)
{
	struct process_state *state;
	struct task_struct *task;
	struct pt_regs *regs;
	bool at;

	if (!is_failed_open(call->error))
		return 0;
	task = bpf_get_current_task_btf();
	state = state_of_caller(task_rdonly(task));
	if (!state)
		return 0;
	file_count_failed(state, -call->error);
	if (IS_32_BIT(task))
		return 0;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	at = call->number == openat_number || call->number == openat2_number;
	open_note(state, task_rdonly(task), -call->error, at ? (int)PT_FIRST(regs) : AT_FDCWD,
		  (const void *)(at ? PT_SECOND(regs) : PT_FIRST(regs)));
	return 0;
}
