/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/connect.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/net/connect_table.bpf.h"
#include "probe/bpf/net/peer.bpf.h"
#include "probe/bpf/net/socket.bpf.h"

/*
 * Records of failed connections. Most fail while no thread of the process runs: then the fork of a
 * process that was not reported yet cannot be sent, and they wait for its end (connect_emit).
 */

/* Sends those that are new and, at the end of the image, those that failed again since. */
__noinline int connects_send(__u32 pid, __u64 start_ns, __u64 image_seq, __u32 ends)
{
	struct connect_failures *found = bpf_map_lookup_elem(&connects, &pid);

	if (!found || found->start_ns != start_ns)
		return 0;
	for (int i = 0; i < CONNECT_FAILURES_MAX; i++) {
		struct connect_noted *noted = &found->list[i];
		struct process_connect_record *record;
		__u32 report = noted->report;

		if (report == CONNECT_SENT || (report == CONNECT_AGAIN && !ends) ||
		    __sync_val_compare_and_swap(&noted->report, report, CONNECT_SENT) != report)
			continue;
		record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
		if (!record) {
			__sync_fetch_and_add(&losses.network, 1);
			continue;
		}
		__builtin_memset(&record->head, 0, sizeof(record->head));
		record->head.kind = PROCESS_CONNECT;
		record->head.pid = pid;
		record->head.start_ns = start_ns;
		record->head.at_ns = noted->failure.at_ns;
		record->head.image_seq = image_seq;
		record->failure = noted->failure;
		bpf_ringbuf_submit(record, ring_flags());
	}
	return 0;
}

static __noinline int connect_note(struct process_state *state,
				   const struct connect_failure *failure)
{
	struct connect_failures *all = connects_of(state);

	if (!all) {
		__sync_fetch_and_add(&losses.network, 1);
		return 0;
	}
	for (int i = 0; i < CONNECT_FAILURES_MAX; i++) {
		if (!connect_is(&all->list[i].failure, failure))
			continue;
		connect_repeat(&all->list[i], failure);
		return 0;
	}
	if (all->count >= CONNECT_FAILURES_MAX)
		return 0;
	connect_add(all, failure);
	__sync_fetch_and_or(&state->flags, PROCESS_CONNECT_FAILED);
	if (!(state->flags & PROCESS_FORK_PENDING))
		connects_send(state->pid, state->start_ns, state->image_seq, false);
	return 0;
}

static __always_inline void connect_peer(struct connect_failure *ret, struct sock *sk, bool typed)
{
	struct network_peer peer = {};

	ret->inet6 = peer_of(&peer, sk, typed);
	ret->port = peer.port;
	__builtin_memcpy(ret->address, peer.address, sizeof(ret->address));
}

/* The image ends; the fork is sent first, as before all other records of a process. */
static __always_inline void connect_emit(struct task_struct *leader, struct process_state *state)
{
	if (!(state->flags & PROCESS_CONNECT_FAILED))
		return;
	if (state->flags & PROCESS_FORK_PENDING)
		send_fork(state, leader);
	connects_send(state->pid, state->start_ns, state->image_seq, true);
}
