/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/steal_time.bpf.h"

/* The threads of tracked processes. */

/* A slot is a thread id modulo the table's size, as in `processes`. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, WAIT_SLOTS);
	__type(key, __u32);
	__type(value, struct waiter);
} waiters SEC(".maps");

/* The overflow table, for threads of which the slot is in use. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, WAIT_CROWD_MAX);
	__type(key, __u32);
	__type(value, struct waiter);
} waiters_crowd SEC(".maps");

__u64 waiters_known[WAIT_BITS / 64];

static __always_inline bool waiter_known(__u32 tid)
{
	return waiters_known[tid % WAIT_BITS / 64] >> tid % 64 & 1;
}

/* NULL: not a thread of a tracked process. */
static __always_inline struct waiter *waiter_of(__u32 tid)
{
	__u32 slot = tid % WAIT_SLOTS;
	struct waiter *waiter;

	if (!waiter_known(tid))
		return NULL;
	waiter = bpf_map_lookup_elem(&waiters, &slot);
	if (waiter && waiter->tid == tid)
		return waiter;
	return bpf_map_lookup_elem(&waiters_crowd, &tid);
}

static __always_inline void waiter_comes(struct waiter *waiter, struct task_struct *task,
					 __u64 now_ns)
{
	waiter->in_ns = now_ns;
	waiter->steal_time_ns = steal_time_ns(task);
}

static const volatile struct waiter blank_waiter; /* not on the stack, which is small */

/* Begins observing a thread. NULL: no room; only the kernel's own counts of the thread are known
 * then, which shows in the coverage. */
static __always_inline struct waiter *waiter_begin(__u32 tid, __u64 begin_ns)
{
	__u32 slot = tid % WAIT_SLOTS;
	struct waiter *waiter = bpf_map_lookup_elem(&waiters, &slot);

	__sync_fetch_and_or(&waiters_known[tid % WAIT_BITS / 64], 1ULL << tid % 64);
	if (waiter && (waiter->tid == tid || !__sync_val_compare_and_swap(&waiter->tid, 0, tid))) {
		waiter->pending = 0;
		waiter->reclaims = 0;
		waiter->closes = WAIT_LOCAL;
		waiter->wall = WAIT_WALL_NONE;
		waiter->in_ns = 0;
		waiter->before_ns = 0;
		waiter->begin_ns = begin_ns;
		return waiter;
	}
	bpf_map_update_elem(&waiters_crowd, &tid, (const void *)&blank_waiter, BPF_ANY);
	waiter = bpf_map_lookup_elem(&waiters_crowd, &tid);
	if (waiter) {
		waiter->tid = tid;
		waiter->begin_ns = begin_ns;
	}
	return waiter;
}

static __always_inline void waiter_end(__u32 tid)
{
	__u32 slot = tid % WAIT_SLOTS;
	struct waiter *waiter = bpf_map_lookup_elem(&waiters, &slot);

	if (!waiter_known(tid))
		return;
	__sync_fetch_and_and(&waiters_known[tid % WAIT_BITS / 64], ~(1ULL << tid % 64));
	if (waiter && waiter->tid == tid)
		waiter->tid = 0;
	else
		bpf_map_delete_elem(&waiters_crowd, &tid);
}
