/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/*
 * Files that are closed, and those that cannot be opened: at the kernel's own functions or, where
 * that is not allowed, at the system calls' tracepoints (syscall_tracepoints_state.h). Part of
 * process.bpf.c.
 */

/* NULL: not tracked. */
static __always_inline struct process_state *file_caller(struct task_struct *task)
{
	return waiter_known(task->pid) ? state_of(task->group_leader) : NULL;
}

/* For the waits that follow: by then the descriptor is gone. */
static __always_inline void file_goes(struct task_struct *task, __u64 address)
{
	struct waiter *waiter = waiter_of(task->pid);

	if (waiter)
		waiter->closes = where_of(FILE_READ(file, address, f_inode));
}

SEC("tracepoint")
int on_close(struct file_call *call)
{
	struct task_struct *task = plain(bpf_get_current_task_btf());
	struct process_state *state = file_caller(task);
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

/* Whoever closes it: close, close_range, dup2, an exec. What a process that ends still holds was
 * counted as it ended. */
static __always_inline int file_closed(const void *arguments)
{
	struct task_struct *task = plain(bpf_get_current_task_btf());
	struct process_state *state = file_caller(task);
	__u64 address;

	if (!state || state->flags & PROCESS_ENDED)
		return 0;
	/* As a number: functions that are verified by themselves take no typed pointers. */
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

static __always_inline int file_opened(__s64 result)
{
	struct process_state *state;
	struct file_use *use;
	__s64 error = -result;

	if (error <= 0 || error >= FILE_ID_FIRST - FILE_ID_FAILED)
		return 0;
	state = file_caller(plain(bpf_get_current_task_btf()));
	if (!state)
		return 0;
	__sync_fetch_and_add(&state->files_failed, 1);
	use = file_of_kind(state, FILE_ID_FAILED + error, FILE_FAILED);
	if (!use)
		return 0;
	if (!use->error)
		use->flags |= FILE_NEWS;
	use->error = error;
	use->last_tick = bpf_jiffies64();
	use->changed = 1;
	__sync_fetch_and_add(&use->failures, 1);
	return 0;
}

/* The result: a long in older kernels, of which the lower half is as good. */
SEC("fexit/do_sys_openat2")
int BPF_PROG(on_openat2, int folder, const char *name, void *how, int result)
{
	return file_opened(result);
}

SEC("tracepoint")
int on_open_failed(struct file_call *call)
{
	return file_opened(call->first);
}
