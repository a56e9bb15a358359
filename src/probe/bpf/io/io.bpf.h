/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/*
 * Requests to block devices: how many, how much, how long. A request is whose thread it began in;
 * what kernel threads write back later is nobody's. Part of process.bpf.c.
 */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, IO_ENTRIES_MAX);
	__type(key, struct io_key);
	__type(value, struct io_entry);
} ios SEC(".maps");

static __always_inline struct io_key io_key_of(const struct process_state *state, __u64 name)
{
	return (struct io_key){ .start_ns = state->start_ns, .name = name, .pid = state->pid };
}

/* Counts that were told are taken off: the record is growth. */
static __always_inline void io_take(struct io_counts *ret, struct io_counts *counts)
{
	ret->bytes = counts->bytes;
	ret->latency_ns = counts->latency_ns;
	ret->failures = counts->failures;
	__sync_fetch_and_sub(&counts->bytes, ret->bytes);
	__sync_fetch_and_sub(&counts->latency_ns, ret->latency_ns);
	__sync_fetch_and_sub(&counts->failures, ret->failures);
	for (__u32 i = 0; i < IO_BUCKETS; i++) {
		ret->latencies[i] = counts->latencies[i];
		__sync_fetch_and_sub(&counts->latencies[i], ret->latencies[i]);
	}
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

struct io_telling {
	struct process_state *state;
	__u64 name;
	__u32 ends;
};

static long io_tell_turn(__u32 i, struct io_telling *telling)
{
	struct io_key key = io_key_of(telling->state, telling->name);
	struct io_entry *entry = key.name ? bpf_map_lookup_elem(&ios, &key) : NULL;

	if (!entry)
		return 1;
	telling->name = entry->next;
	if (entry->changed || (telling->ends && entry->under_way > 0))
		io_send(telling->state, entry, key.name, telling->ends);
	if (telling->ends)
		bpf_map_delete_elem(&ios, &key);
	return 0;
}

/* All of an image that changed. ends: its last words, and forgets them. */
__noinline int ios_tell(struct process_state *state, __u32 ends)
{
	struct io_telling telling = { .state = state, .ends = ends };

	if (!state || !state->ios)
		return 0;
	telling.name = state->ios;
	EACH_TURN(IO_CHAIN_MAX, io_tell_turn, &telling);
	if (ends) {
		state->ios = 0;
		state->io_count = 0;
	}
	return 0;
}

/* Its fork is told first, as before everything else of a process. */
static __always_inline void io_tell(struct task_struct *leader, struct process_state *state,
				    bool ends)
{
	if (!state->ios)
		return;
	if (state->flags & PROCESS_UNBORN)
		send_fork(state, leader);
	ios_tell(state, ends);
}
