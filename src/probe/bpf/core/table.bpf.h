/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"
#include "probe/abi/syscall_tracepoints_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/state.bpf.h"

/* The table of tracked processes. */

/* A slot is a process id modulo the table's size. The kernel assigns ids in sequence, so processes
 * that begin together are neighbours in memory, and nothing is allocated. Beginning, finding and
 * ending a state take 0.2 µs here, 0.9 µs in a BPF hash table, 2 µs in task-local storage (6.18,
 * nested virtual machine with expensive TLB misses), which also ends with the leader when another
 * thread execs. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, PROCESS_SLOTS);
	__type(key, __u32);
	__type(value, struct process_state);
} processes SEC(".maps");

/* The overflow table, for processes of which the slot is in use by a long-lived process. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, PROCESS_CROWD_MAX);
	__type(key, __u32);
	__type(value, struct process_state);
} crowd SEC(".maps");

__s64 crowd_count; /* mostly 0: then no search is needed */

/* start_ns 0 is a free slot; the idle task, pid 0 and parent of init, has it as well. */
static __always_inline bool state_is_of(const struct process_state *state, __u32 pid,
					struct task_struct *leader)
{
	return state && state->pid == pid && state->start_ns &&
	       state->start_ns == leader->start_boottime;
}

/* NULL: not tracked. */
static __always_inline struct process_state *state_of(struct task_struct *leader)
{
	__u32 pid = leader->tgid, slot = pid % PROCESS_SLOTS;
	struct process_state *state = bpf_map_lookup_elem(&processes, &slot);

	if (!state_is_of(state, pid, leader)) {
		if (!crowd_count)
			return NULL;
		state = bpf_map_lookup_elem(&crowd, &pid);
		if (!state_is_of(state, pid, leader))
			return NULL;
	}
	if (state->session != session)
		state_refresh(state, leader);
	return state;
}

static const volatile struct process_state blank;

static __always_inline struct process_state *state_new_in_crowd(__u32 pid, __u64 start_ns)
{
	struct process_state *state;

	if (bpf_map_update_elem(&crowd, &pid, (const void *)&blank, BPF_ANY))
		return NULL;
	state = bpf_map_lookup_elem(&crowd, &pid);
	if (!state)
		return NULL;
	__sync_fetch_and_add(&crowd_count, 1);
	state->start_ns = start_ns;
	return state;
}

/* A state that is zero but for pid and start_ns. NULL: no room, which is counted. */
static __always_inline struct process_state *state_new(struct task_struct *leader)
{
	__u32 pid = leader->tgid, slot = pid % PROCESS_SLOTS;
	struct process_state *state = bpf_map_lookup_elem(&processes, &slot);
	__u64 start_ns = leader->start_boottime;

	if (!state || state->start_ns || __sync_val_compare_and_swap(&state->start_ns, 0, start_ns))
		state = state_new_in_crowd(pid, start_ns);
	if (!state) {
		__sync_fetch_and_add(&losses.untracked, 1);
		return NULL;
	}
	state->pid = pid;
	state->session = 0;
	state->image_seq = 0; /* none of its images was seen */
	state->flags = 0;
	state->flows = 0;
	state->threads_peak = 0;
	state->base_maxrss = 0;
	state->cwd = state->files = state->ios = 0;
	state->io_count = 0;
	state->files_opened = state->files_failed = 0;
	__builtin_memset(state->held, 0, sizeof(state->held));
	__builtin_memset(state->woken_ns, 0, sizeof(state->woken_ns));
	__builtin_memset(&state->base, 0, sizeof(state->base));
	__builtin_memset(&state->dead, 0, sizeof(state->dead));
	if (syscall_tracepoints == SYSCALL_TRACEPOINTS_DETACHED)
		syscall_tracepoints = SYSCALL_TRACEPOINTS_DUE;
	return state;
}

static __always_inline void state_drop(struct process_state *state)
{
	__u32 pid = state->pid, slot = pid % PROCESS_SLOTS;

	if (bpf_map_lookup_elem(&processes, &slot) == state) {
		state->start_ns = 0;
		return;
	}
	if (!bpf_map_delete_elem(&crowd, &pid))
		__sync_fetch_and_sub(&crowd_count, 1);
}
