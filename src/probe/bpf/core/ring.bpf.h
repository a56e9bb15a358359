/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/syscall_tracepoints_state.h"
#include "probe/bpf/core/state.bpf.h"

/* The ring buffer of records, and buffers for large records. */

/* One ring, because the order of records matters. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20); /* set before load */
} ring SEC(".maps");

__u64 ring_peak_bytes; /* the most that waited; the agent sets it to 0 */
const volatile __u64
	ring_wake_bytes; /* with fewer bytes waiting, the reader's own timer is enough */

/* Buffers for image records: a pool, because two programs may interrupt each other on one CPU.
 * max_entries is set before load. */
struct scratch {
	__u32 in_use;
	__u32 unused;
	struct process_image_record image;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct scratch);
} scratches SEC(".maps");

const volatile __u32 scratch_count;

/* NULL: four buffers in a row are in use, which happens only if four programs interrupt each other.
 */
static __always_inline struct scratch *scratch_take(void)
{
	__u32 first = bpf_get_smp_processor_id();

	for (__u32 i = 0; i < 4; i++) {
		__u32 key = (first + i) % scratch_count;
		struct scratch *scratch = bpf_map_lookup_elem(&scratches, &key);

		if (scratch && __sync_val_compare_and_swap(&scratch->in_use, 0, 1) == 0)
			return scratch;
	}
	return NULL;
}

static __always_inline __u64 ring_flags(void)
{
	__u64 waiting = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);

	if (waiting > ring_peak_bytes)
		ring_peak_bytes = waiting;
	if (syscall_tracepoints == SYSCALL_TRACEPOINTS_DUE)
		return BPF_RB_FORCE_WAKEUP;
	return waiting < ring_wake_bytes ? BPF_RB_NO_WAKEUP : BPF_RB_FORCE_WAKEUP;
}
