/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/memory.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/file/pipe.bpf.h"
#include "probe/bpf/wait/wall_image.bpf.h"

/* The records of fork, exit and residual. */

/* The fork of a process is reported by its first record: a process that execs at once, as most do,
 * costs one record less. */
static __always_inline void birth_take(struct process_birth *ret, struct process_state *state)
{
	ret->origin = state->origin;
	ret->fork_pending = !!(state->flags & PROCESS_FORK_PENDING);
	ret->unused = 0;
	state->flags &= ~PROCESS_FORK_PENDING;
}

static __always_inline void send_fork(struct process_state *state, struct task_struct *leader)
{
	struct process_fork_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record) {
		__sync_fetch_and_add(&losses.fork, 1);
		return;
	}
	head_of(&record->head, PROCESS_FORK, leader, state->origin.at_ns, state->image_seq);
	birth_take(&record->birth, state);
	bpf_ringbuf_submit(record, ring_flags());
}

/* The exit status as wait() gives it. */
static __always_inline __u32 code_of(struct task_struct *leader)
{
	struct signal_struct *signal = leader->signal;

	return signal->flags & SIGNAL_GROUP_EXIT ? signal->group_exit_code : leader->exit_code;
}

/* The end of a container wakes the reader at once, which must read the figures of the cgroup before
 * the runtime removes it. */
static __always_inline __u64 exit_flags(__u32 kind, struct task_struct *leader)
{
	return kind == PROCESS_EXIT && is_init(leader) ? BPF_RB_FORCE_WAKEUP : ring_flags();
}

/* task: the last thread; mm: its memory, or NULL if that is freed already. */
static __always_inline void send_exit(__u32 kind, struct task_struct *task,
				      struct process_state *state, struct mm_struct *mm,
				      __u64 now_ns)
{
	struct task_struct *leader = task->group_leader;
	__u64 pipes =
		kind == PROCESS_EXIT && leader->flags & PF_FORKNOEXEC ? pipes_of_current() : 0;
	struct process_exit_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record) {
		__sync_fetch_and_add(kind == PROCESS_RESIDUAL ? &losses.residual : &losses.exit, 1);
		return;
	}
	head_of(&record->head, kind, leader, now_ns, state->image_seq);
	birth_take(&record->birth, state);
	record->code = code_of(leader);
	record->pipes[0] = (__u32)pipes;
	record->pipes[1] = pipes >> 32;
	record->unused = 0;
	woken_of(&record->consumed, state);
	consumed_of(&record->consumed, state, &state->dead);
	consumed_peak(&record->consumed, state, task, mm);
	wall_take(&record->consumed, state, leader->tgid, true, now_ns);
	if (kind == PROCESS_RESIDUAL) /* after the life that it is of */
		record->consumed.wall = WALL_UNKNOWN;
	if (record->consumed.peak_exact)
		state->peak_pages = record->consumed.peak_pages; /* for a residual record */
	bpf_ringbuf_submit(record, exit_flags(kind, leader));
}
