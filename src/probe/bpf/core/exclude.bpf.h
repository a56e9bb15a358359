/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/bpf/core/core_types.h"

/* Excluded programs, which are never tracked, and their descendants. */

/* Processes that run an excluded program or descend from one, until they exec a program with a name
 * that begins tracking. A process that finds no room here is not excluded. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, PROCESS_EXCLUDED_MAX);
	__type(key, __u32);
	__type(value, __u64); /* start_boottime */
} excluded SEC(".maps");

__s64 excluded_count; /* mostly 0: then no search is needed */
__u32 names_excluded; /* how many names are excluded */

static __always_inline bool is_excluded(struct task_struct *leader)
{
	__u32 pid = leader->tgid;
	const __u64 *start_ns;

	if (!excluded_count)
		return false;
	start_ns = bpf_map_lookup_elem(&excluded, &pid);
	return start_ns && *start_ns == leader->start_boottime;
}

static __always_inline void exclude(struct task_struct *leader)
{
	__u32 pid = leader->tgid;
	__u64 start_ns = leader->start_boottime;

	if (!is_excluded(leader) && !bpf_map_update_elem(&excluded, &pid, &start_ns, BPF_NOEXIST))
		__sync_fetch_and_add(&excluded_count, 1);
}

/* The process ends, or execs a program that begins tracking. */
static __always_inline void exclude_no_more(struct task_struct *leader)
{
	__u32 pid = leader->tgid;

	if (is_excluded(leader) && !bpf_map_delete_elem(&excluded, &pid))
		__sync_fetch_and_sub(&excluded_count, 1);
}
