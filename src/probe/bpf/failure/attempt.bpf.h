/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/errno.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/failure.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"

/* Failed execs. */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, FAILURES_MAX);
	__type(key, __u32); /* pid */
	__type(value, struct failure_attempt);
} attempts SEC(".maps");

const volatile __s32 exec_number; /* number of execve; the other call is execveat */

static const volatile struct failure_attempt no_attempt;

static __always_inline struct failure_attempt *attempt_of(const struct process_state *state)
{
	__u32 pid = state->pid;
	struct failure_attempt *attempt = bpf_map_lookup_elem(&attempts, &pid);

	if (attempt && attempt->start_ns == state->start_ns)
		return attempt;
	bpf_map_update_elem(&attempts, &pid, (const void *)&no_attempt, BPF_ANY);
	attempt = bpf_map_lookup_elem(&attempts, &pid);
	if (attempt)
		attempt->start_ns = state->start_ns;
	return attempt;
}

/* The errors that a search along PATH gets in every folder but one. */
static __always_inline bool is_search(__s64 error)
{
	return error == -ENOENT || error == -ENOTDIR;
}

static __always_inline int exec_returned(__s64 error, const void *path)
{
	struct task_struct *task = task_rdonly(bpf_get_current_task_btf());
	struct failure_attempt *attempt;
	struct process_state *state;

	if (error >= 0)
		return 0;
	state = state_of(task->group_leader);
	attempt = state ? attempt_of(state) : NULL;
	if (!attempt)
		return 0;
	__sync_fetch_and_or(&state->flags, PROCESS_EXEC_FAILED);
	__sync_fetch_and_add(&execs_failed, 1);
	attempt->count++;
	if (attempt->error && is_search(error) && !is_search(attempt->error))
		return 0;
	attempt->error = error;
	if (bpf_probe_read_user_str(attempt->path, sizeof(attempt->path), path) < 0)
		attempt->path[0] = '\0';
	return 0;
}

SEC("fexit/" SYSCALL_PREFIX "sys_execve")
int BPF_PROG(on_execve, const struct pt_regs *regs, long error)
{
	return exec_returned(error, (const void *)PT_FIRST(regs));
}

SEC("fexit/" SYSCALL_PREFIX "sys_execveat")
int BPF_PROG(on_execveat, const struct pt_regs *regs, long error)
{
	return exec_returned(error, (const void *)PT_SECOND(regs));
}

/* For kernels without fexit: at the tracepoints of both system calls (tracefs.h). */
SEC("tracepoint")
int on_exec_exit(struct syscall_exit *context)
{
	struct pt_regs *regs;
	__u64 path;

	if (context->error >= 0)
		return 0;
	regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
	path = context->number == exec_number ? PT_FIRST(regs) : PT_SECOND(regs);
	return exec_returned(context->error, (const void *)path);
}
