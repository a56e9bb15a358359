/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/io.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/io/io.bpf.h"

/* The entry in which a request to a block device is counted. */

/* The thread that makes an entry links it into the chain. The image is set from the start: a
 * request of another thread may complete in it before this one goes on. */
static __always_inline struct io_entry *
io_entry_make(struct process_state *state, const struct io_key *key, struct gendisk *disk)
{
	struct io_entry made = { .image = (__u32)state->image_seq }, *entry;
	__u64 first;

	if (state->io_count >= IO_CHAIN_MAX)
		return NULL;
	if (disk)
		bpf_probe_read_kernel_str(made.device, sizeof(made.device), disk->disk_name);
	if (bpf_map_update_elem(&ios, key, &made, BPF_NOEXIST))
		return bpf_map_lookup_elem(&ios, key);
	entry = bpf_map_lookup_elem(&ios, key);
	if (!entry)
		return NULL;
	for (int i = 0; i < 8; i++) {
		first = state->ios;
		entry->next = first;
		if (__sync_val_compare_and_swap(&state->ios, first, key->name) != first)
			continue;
		__sync_fetch_and_add(&state->io_count, 1);
		return entry;
	}
	bpf_map_delete_elem(&ios, key);
	return NULL;
}

/* NULL: no room, which is counted. */
static __always_inline struct io_entry *io_entry_of(struct process_state *state,
						    const struct io_key *key, struct gendisk *disk)
{
	struct io_entry *entry = bpf_map_lookup_elem(&ios, key);

	if (entry)
		return entry;
	entry = io_entry_make(state, key, disk);
	if (!entry)
		__sync_fetch_and_add(&losses.io, 1);
	return entry;
}
