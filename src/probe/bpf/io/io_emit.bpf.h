/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/io.h"
#include "probe/abi/process.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/loop.bpf.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/io/io.bpf.h"

/* Records of requests to block devices. */

/* Moves the counts into the record, which reports growth. Whoever ends a request meanwhile adds to
 * them first and sets `changed` then: the exchanges keep the order. */
static __always_inline void io_take(struct io_counts *ret, struct io_counts *counts)
{
	ret->bytes = __sync_lock_test_and_set(&counts->bytes, 0);
	ret->latency_ns = __sync_lock_test_and_set(&counts->latency_ns, 0);
	ret->failures = __sync_lock_test_and_set(&counts->failures, 0);
	for (__u32 i = 0; i < IO_BUCKETS; i++)
		ret->latencies[i] = __sync_lock_test_and_set(&counts->latencies[i], 0);
}

__noinline int io_send(struct process_state *state, struct io_entry *entry, __u64 name, __u32 ends)
{
	struct process_io_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record) {
		__sync_fetch_and_add(&losses.io, 1);
		return 0;
	}
	if (!state || !entry) {
		bpf_ringbuf_discard(record, 0);
		return 0;
	}
	__builtin_memset(record, 0, sizeof(*record));
	record->head.kind = PROCESS_IO;
	record->head.pid = state->pid;
	record->head.start_ns = state->start_ns;
	record->head.image_seq = state->image_seq;
	record->io.operation = (name & 0xff) - 1;
	record->io.unfinished = ends && entry->under_way > 0 ? entry->under_way : 0;
	__builtin_memcpy(record->io.device, entry->device, sizeof(record->io.device));
	entry->changed = 0;
	io_take(&record->io.counts, &entry->counts);
	bpf_ringbuf_submit(record, ring_flags());
	return 0;
}

struct io_emitting {
	struct process_state *state;
	__u64 name;
	__u32 ends;
};

static long io_emit_step(__u32 i, struct io_emitting *emitting)
{
	struct io_key key = io_key_of(emitting->state, emitting->name);
	struct io_entry *entry = key.name ? bpf_map_lookup_elem(&ios, &key) : NULL;

	if (!entry)
		return 1;
	emitting->name = entry->next;
	if (entry->changed || (emitting->ends && entry->under_way > 0))
		io_send(emitting->state, entry, key.name, emitting->ends);
	if (emitting->ends)
		bpf_map_delete_elem(&ios, &key);
	return 0;
}

/* Sends all entries of an image that changed. ends: the image ends, so drops the entries. */
__noinline int ios_emit(struct process_state *state, __u32 ends)
{
	struct io_emitting emitting = { .state = state, .ends = ends };

	if (!state || !state->ios)
		return 0;
	emitting.name = state->ios;
	LOOP(IO_CHAIN_MAX, io_emit_step, &emitting);
	if (ends) {
		state->ios = 0;
		state->io_count = 0;
	}
	return 0;
}

/* The fork is sent first, as before all other records of a process. */
static __always_inline void io_emit(struct task_struct *leader, struct process_state *state,
				    bool ends)
{
	if (!state->ios)
		return;
	if (state->flags & PROCESS_FORK_PENDING)
		send_fork(state, leader);
	ios_emit(state, ends);
}
