/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/abi/syscall.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/syscall/syscall.bpf.h"

/* Records of counted system calls. */

/* Moves the counts into the record, which reports growth. Returns whether there are any. */
static __always_inline bool syscall_take(struct syscall_use *to, struct syscall_use *from)
{
	bool any = false;

	for (__u32 i = 0; i < SYSCALL_COUNTS; i++) {
		to->counts[i].calls = from->counts[i].calls;
		to->counts[i].ns = from->counts[i].ns;
		if (!to->counts[i].calls)
			continue;
		any = true;
		__sync_fetch_and_sub(&from->counts[i].calls, to->counts[i].calls);
		__sync_fetch_and_sub(&from->counts[i].ns, to->counts[i].ns);
	}
	for (__u32 i = 0; i < SYSCALL_FAILURES; i++)
		to->pairs[i] = from->pairs[i];
	return any;
}

static __always_inline void syscall_lose(const struct syscall_use *use)
{
	for (__u32 i = 0; i < SYSCALL_COUNTS; i++)
		__sync_fetch_and_add(&losses.syscall, use->counts[i].calls);
}

/* Sends the growth of a process. ends: the image ends, so drops its entry. */
__noinline int syscalls_send(struct process_state *state, __u32 ends)
{
	struct process_syscall_record *record;
	struct syscall_key key = {};
	struct syscall_use *use;

	if (!state)
		return 0;
	key = syscall_key_of(state);
	use = bpf_map_lookup_elem(&syscalls, &key);
	if (!use)
		return 0;
	record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
	if (!record) {
		if (ends) /* otherwise the next record reports them */
			syscall_lose(use);
	} else if (syscall_take(&record->use, use)) {
		__builtin_memset(&record->head, 0, sizeof(record->head));
		record->head.kind = PROCESS_SYSCALL;
		record->head.pid = state->pid;
		record->head.start_ns = state->start_ns;
		record->head.image_seq = state->image_seq;
		bpf_ringbuf_submit(record, ring_flags());
	} else {
		bpf_ringbuf_discard(record, BPF_RB_NO_WAKEUP);
	}
	if (ends)
		bpf_map_delete_elem(&syscalls, &key);
	return 0;
}

/* The fork is sent first, as before all other records of a process. */
static __always_inline void syscalls_emit(struct task_struct *leader, struct process_state *state,
					  __u32 ends)
{
	if (state->flags & PROCESS_FORK_PENDING)
		send_fork(state, leader);
	syscalls_send(state, ends);
}
