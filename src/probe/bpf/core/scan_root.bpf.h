/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/sample.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"

/* All live processes, for the agent to search by name, and the roots that it found. */

/* The processes that the agent found by name, by pid: the passes start with them. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u64); /* start_boottime, ROOT_EXCLUDED, ROOT_NAMED */
} roots SEC(".maps");

/* The leader of a user space process with a live thread; NULL: another task. */
static __always_inline struct task_struct *process_of(struct task_struct *task)
{
	if (!task)
		return NULL;
	task = task_rdonly(task);
	return task->pid == task->tgid && !(task->flags & PF_KTHREAD) &&
			       task->signal->live.counter > 0
		       ? task
		       : NULL;
}

/* Writes the identity of each live process, for the search by name. */
SEC("iter/task")
int list(struct bpf_iter__task *ctx)
{
	struct task_struct *task = process_of(ctx->task);
	struct process_alive_record *record = &alive;

	if (!task)
		return 0;
	__builtin_memset(record, 0, sizeof(*record));
	record->leader = true;
	alive_head(record, task);
	alive_spaces(record, task);
	origin_of(&record->birth.origin, task);
	bpf_seq_write(ctx->meta->seq, record, sizeof(*record));
	return 0;
}

/* The agent's value for a process; 0: none. */
static __always_inline __u64 root_of(struct task_struct *task)
{
	__u32 pid = task->tgid;
	const __u64 *root = bpf_map_lookup_elem(&roots, &pid);

	if (!root || (*root & ~(ROOT_EXCLUDED | ROOT_NAMED)) != task->start_boottime)
		return 0;
	return *root;
}
