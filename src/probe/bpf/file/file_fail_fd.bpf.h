/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/file/file_fail.bpf.h"
#include "probe/bpf/wait/inode.bpf.h"

/* Failed writes to a descriptor that a system call names. */

const volatile __s32 copy_file_range_number; /* its third argument is the file written to */

static __always_inline int file_call_failed(__u32 fd, __s64 error)
{
	struct task_struct *task = task_rdonly(bpf_get_current_task_btf());
	struct process_state *state = state_of_caller(task);
	__u64 address = state ? (__u64)file_of(task, fd) : 0;

	if (address)
		file_failed(state, address, -error);
	return 0;
}

SEC("fexit/do_sendfile")
int BPF_PROG(on_sendfile, int to, int from, long long *at, __u64 size, long long most, __s64 result)
{
	return is_of_storage(result) ? file_call_failed(to, result) : 0;
}

SEC("tracepoint")
int on_write_failed(struct syscall_exit *call)
{
	struct pt_regs *regs;
	__u32 fd;

	if (!is_of_storage(call->error))
		return 0;
	regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
	fd = call->number == copy_file_range_number ? PT_THIRD(regs) : PT_FIRST(regs);
	return file_call_failed(fd, call->error);
}
