/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/failure.h"
#include "probe/abi/process.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/failure/open.bpf.h"

/* The record of opens that failed. */

static __always_inline void send_opens(struct task_struct *leader, struct process_state *state,
				       __u64 now_ns)
{
	__u32 pid = leader->tgid;
	const struct failure_opens *found = bpf_map_lookup_elem(&opens, &pid);
	struct process_opens_record *record;

	if (!found || found->start_ns != state->start_ns)
		return;
	record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
	if (!record) {
		__sync_fetch_and_add(&losses.failure, 1);
		return;
	}
	head_of(&record->head, PROCESS_OPENS, leader, now_ns, state->image_seq);
	bpf_probe_read_kernel(&record->opens, sizeof(record->opens), found);
	bpf_ringbuf_submit(record, 0);
}

/* SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS: it gave up, or ran into a fault. */
#define KILL_CRASHES (1U << 4 | 1U << 5 | 1U << 6 | 1U << 7 | 1U << 8 | 1U << 11 | 1U << 31)

/* Its own doing: code as wait() gives it. */
static __always_inline bool ended_badly(__u32 code)
{
	__u32 signal = code & 0x7f;

	return signal ? signal < 32 && KILL_CRASHES >> signal & 1 : code != 0;
}
