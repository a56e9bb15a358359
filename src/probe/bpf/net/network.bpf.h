/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/network.h"
#include "probe/abi/process_state.h"

/*
 * Counts of sockets: an entry for each process and kind of traffic, made when it is first used.
 * Functions that are not inlined are verified once, not at each call.
 */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, NETWORK_ENTRIES_MAX);
	__type(key, struct network_key);
	__type(value, struct network_entry);
} networks SEC(".maps");

static __always_inline void network_add(struct network_sums *sums, __u32 flow,
					const struct network_counts *counts)
{
	if (flow == NETWORK_UNIX_STREAM || flow == NETWORK_UNIX_DGRAM) {
		sums->unix_rx_bytes += counts->rx_bytes;
		sums->unix_tx_bytes += counts->tx_bytes;
	} else if (flow < NETWORK_UNIX_STREAM && flow & NETWORK_LOOPBACK) {
		sums->loopback_rx_bytes += counts->rx_bytes;
		sums->loopback_tx_bytes += counts->tx_bytes;
	} else if (flow < NETWORK_UNIX_STREAM) {
		sums->rx_bytes += counts->rx_bytes;
		sums->tx_bytes += counts->tx_bytes;
	}
	sums->connects += counts->connects;
	sums->connect_failures += counts->connect_failures;
	sums->connect_ns += counts->connect_ns;
	sums->accepts += counts->accepts;
	sums->resets += counts->resets;
	sums->retransmits += counts->retransmits;
}

/* flows: a bit for each kind of traffic with counts. */
__noinline int network_sum(struct network_sums *sums, __u32 pid, __u64 start_ns, __u32 flows)
{
	struct network_key key = { .pid = pid, .start_ns = start_ns };
	const struct network_entry *entry;

	if (!sums)
		return 0;
	for (__u32 flow = 0; flow < NETWORK_FLOWS; flow++) {
		if (!(flows >> flow & 1))
			continue;
		key.flow = flow;
		entry = bpf_map_lookup_elem(&networks, &key);
		if (entry)
			network_add(sums, flow, &entry->counts);
	}
	return 0;
}

/* Whether anything was counted since the last record. */
__noinline int network_changed(__u32 pid, __u64 start_ns, __u32 flows)
{
	struct network_key key = { .pid = pid, .start_ns = start_ns };
	const struct network_entry *entry;

	for (__u32 flow = 0; flow < NETWORK_FLOWS; flow++) {
		if (!(flows >> flow & 1))
			continue;
		key.flow = flow;
		entry = bpf_map_lookup_elem(&networks, &key);
		if (entry && entry->changed)
			return 1;
	}
	return 0;
}

/* Drops all entries of a process. */
__noinline int network_drop(__u32 pid, __u64 start_ns)
{
	struct network_key key = { .pid = pid, .start_ns = start_ns };

	for (__u32 flow = 0; flow < NETWORK_FLOWS; flow++) {
		key.flow = flow;
		bpf_map_delete_elem(&networks, &key);
	}
	return 0;
}

static __always_inline void network_sums_of(struct network_sums *ret,
					    const struct process_state *state)
{
	__builtin_memset(ret, 0, sizeof(*ret));
	if (state->flows)
		network_sum(ret, state->pid, state->start_ns, state->flows);
}
