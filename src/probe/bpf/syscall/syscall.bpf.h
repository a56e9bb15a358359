/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"
#include "probe/abi/syscall.h"
#include "probe/bpf/core/state.bpf.h"

/*
 * System calls of tracked processes, counted on request: these tracepoints slow down every system
 * call on this host.
 */

const volatile bool syscalls_counted; /* false: the programs below are not loaded */
const volatile __u8 syscall_classes[SYSCALL_NUMBERS];

/* Preallocated: the allocator of a map that grows has one entry of this size ready for each CPU, so
 * the second of two processes that begin together would find none (seen on 6.1). */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* set before load */
	__type(key, struct syscall_key);
	__type(value, struct syscall_use);
} syscalls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct syscall_begun);
} syscalls_begun SEC(".maps");

static const volatile struct syscall_use syscall_blank;

static __always_inline struct syscall_key syscall_key_of(const struct process_state *state)
{
	return (struct syscall_key){ .pid = state->pid, .start = state->start_ns >> 10 };
}

/* NULL: no room, which is counted. */
static __always_inline struct syscall_use *syscall_use_of(const struct process_state *state)
{
	struct syscall_key key = syscall_key_of(state);
	struct syscall_use *use = bpf_map_lookup_elem(&syscalls, &key);

	if (use)
		return use;
	bpf_map_update_elem(&syscalls, &key, (const void *)&syscall_blank, BPF_NOEXIST);
	use = bpf_map_lookup_elem(&syscalls, &key);
	if (!use)
		__sync_fetch_and_add(&losses.syscall, 1);
	return use;
}

static __always_inline __u32 syscall_error_of(__s64 result)
{
	if (result >= 0 || result < -SYSCALL_ERRNO_MAX)
		return 0;
	if (-result >= SYSCALL_RESTART && -result <= SYSCALL_RESTART_LAST)
		return SYSCALL_RESTART;
	return -result;
}

/* The first pairs of an image are counted separately. */
static __always_inline __u32 syscall_place(struct syscall_use *use, __u32 class, __u32 error)
{
	__u32 pair = SYSCALL_PAIR(class, error);

	if (!error)
		return SYSCALL_DONE + class;
	for (__u32 i = 0; i < SYSCALL_FAILURES; i++) {
		__u32 held = use->pairs[i];

		if (!held)
			held = __sync_val_compare_and_swap(&use->pairs[i], 0, pair);
		if (!held || held == pair)
			return SYSCALL_PAIRS + i;
	}
	return SYSCALL_FAILED + class;
}

static __always_inline void syscall_ends(const struct process_state *state,
					 struct syscall_begun *begun, __s64 result)
{
	__u64 ns = bpf_ktime_get_ns() - begun->at_ns;
	struct syscall_use *use = syscall_use_of(state);
	__u32 place;

	begun->at_ns = 0;
	if (!use)
		return;
	place = syscall_place(use, begun->class, syscall_error_of(result));
	barrier_var(place);
	if (place >= SYSCALL_COUNTS)
		return;
	__sync_fetch_and_add(&use->counts[place].calls, 1);
	__sync_fetch_and_add(&use->counts[place].ns, ns);
}

/* The running thread execs or ends: the end of its call will not be seen. */
__noinline int syscall_cut(struct process_state *state)
{
	struct syscall_begun *begun =
		bpf_task_storage_get(&syscalls_begun, bpf_get_current_task_btf(), NULL, 0);

	if (state && begun && begun->at_ns)
		syscall_ends(state, begun, 0);
	return 0;
}
