/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/network.h"
#include "probe/abi/process.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/net/network.bpf.h"

/* Records of sockets. */

static __always_inline void network_fill(struct process_network_record *record,
					 const struct network_key *key,
					 const struct network_entry *entry)
{
	__builtin_memset(&record->head, 0, sizeof(record->head));
	record->head.kind = PROCESS_NETWORK;
	record->head.pid = key->pid;
	record->head.start_ns = key->start_ns;
	record->flow = key->flow;
	record->counts = entry->counts;
	record->peer = entry->peer;
	record->unused = 0;
}

/* Sends a record for each kind of traffic. replaced: the image ends by an exec, so drops the
 * entries. */
__noinline int network_send(__u32 pid, __u64 start_ns, __u64 image_seq, __u32 flows, __u32 replaced)
{
	struct network_key key = { .pid = pid, .start_ns = start_ns };
	struct process_network_record *record;
	struct network_entry *entry;

	for (__u32 flow = 0; flow < NETWORK_FLOWS; flow++) {
		if (!(flows >> flow & 1))
			continue;
		key.flow = flow;
		entry = bpf_map_lookup_elem(&networks, &key);
		if (!entry)
			continue;
		record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
		if (!record) {
			__sync_fetch_and_add(&losses.network, 1);
		} else {
			network_fill(record, &key, entry);
			record->head.image_seq = image_seq;
			record->replaced = replaced;
			bpf_ringbuf_submit(record, ring_flags());
		}
		entry->changed = 0;
		if (replaced)
			bpf_map_delete_elem(&networks, &key);
	}
	return 0;
}

/* The fork is sent first, as before all other records of a process. */
static __always_inline void network_emit(struct task_struct *leader, struct process_state *state,
					 bool replaced)
{
	if (!state->flows)
		return;
	if (state->flags & PROCESS_FORK_PENDING)
		send_fork(state, leader);
	network_send(state->pid, state->start_ns, state->image_seq, state->flows, replaced);
}
