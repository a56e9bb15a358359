/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/io.h"
#include "probe/abi/process_state.h"

/*
 * Requests to block devices: number, bytes, latency. A request belongs to the process of the thread
 * in which it began; what kernel threads write back later belongs to no process.
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
