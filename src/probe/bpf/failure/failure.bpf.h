/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/failure.h"
#include "probe/abi/process.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/failure/attempt.bpf.h"
#include "probe/bpf/failure/kill_table.bpf.h"
#include "probe/bpf/failure/open.bpf.h"
#include "probe/bpf/failure/open_send.bpf.h"

/* Records of why a process ended, sent ahead of its exit record. */

/* The signal by which a process ended, or that it answered by ending with 128 + it, as JVMs and
 * shells with a trap do; 0: none. */
static __always_inline __u32 signal_of_end(__u32 code)
{
	__u32 exit_code = code >> 8 & 0xff;

	if (code & 0x7f)
		return code & 0x7f;
	return exit_code > 128 && exit_code < 128 + 65 ? exit_code - 128 : 0;
}

/* signal: as of signal_of_end. */
static __always_inline void send_kill(struct task_struct *leader, struct process_state *state,
				      __u32 signal, __u64 now_ns)
{
	const struct failure_kill *kill = kill_of(leader->tgid, state->start_ns, signal);
	struct process_kill_record *record;

	if (!kill)
		return;
	record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
	if (!record) {
		__sync_fetch_and_add(&losses.failure, 1);
		return;
	}
	head_of(&record->head, PROCESS_KILL, leader, now_ns, state->image_seq);
	record->kill = *kill;
	bpf_ringbuf_submit(record, 0);
}

/* The failed execs of the last image. */
static __always_inline void send_attempt(struct task_struct *leader, struct process_state *state,
					 __u64 now_ns)
{
	__u32 pid = leader->tgid;
	const struct failure_attempt *attempt = bpf_map_lookup_elem(&attempts, &pid);
	struct process_attempt_record *record;

	if (!attempt || attempt->start_ns != state->start_ns)
		return;
	record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
	if (!record) {
		__sync_fetch_and_add(&losses.failure, 1);
		return;
	}
	head_of(&record->head, PROCESS_ATTEMPT, leader, now_ns, state->image_seq);
	record->attempt = *attempt;
	bpf_ringbuf_submit(record, 0);
}

static __always_inline void failure_emit(struct task_struct *leader, struct process_state *state,
					 __u64 now_ns)
{
	__u32 code = code_of(leader);

	if (!code ||
	    !(state->flags & (PROCESS_EXEC_FAILED | PROCESS_SIGNALLED | PROCESS_OPEN_FAILED)))
		return;
	if (state->flags & PROCESS_FORK_PENDING)
		send_fork(state, leader);
	if (state->flags & PROCESS_EXEC_FAILED)
		send_attempt(leader, state, now_ns);
	if (state->flags & PROCESS_OPEN_FAILED && ended_badly(code))
		send_opens(leader, state, now_ns);
	if (signal_of_end(code) && state->flags & PROCESS_SIGNALLED)
		send_kill(leader, state, signal_of_end(code), now_ns);
}

/* A successful exec drops what failed before it. */
static __always_inline void failure_forget_image(struct process_state *state)
{
	__u32 pid = state->pid;

	if (state->flags & PROCESS_EXEC_FAILED)
		bpf_map_delete_elem(&attempts, &pid);
	if (state->flags & PROCESS_OPEN_FAILED)
		bpf_map_delete_elem(&opens, &pid);
}

static __always_inline void failure_forget(struct process_state *state)
{
	__u32 pid = state->pid, fault = pid | KILL_OF_FAULT;

	failure_forget_image(state);
	if (!(state->flags & PROCESS_SIGNALLED))
		return;
	bpf_map_delete_elem(&kills, &pid);
	bpf_map_delete_elem(&kills, &fault);
}
