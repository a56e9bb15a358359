/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/file/file.bpf.h"
#include "probe/bpf/file/file_entry.bpf.h"
#include "probe/bpf/file/file_held.bpf.h"
#include "probe/bpf/file/file_kind.bpf.h"
#include "probe/bpf/file/file_make.bpf.h"
#include "probe/bpf/file/file_use.bpf.h"
#include "probe/bpf/file/file_watched.bpf.h"

/* Descriptors that stay open: inherited by a program that begins, or held by a live one. */

/* Keeps the position of an inherited descriptor, so that later bytes count for the program that
 * begins. */
static __always_inline void file_inherited(struct process_state *state, __u64 address, __u64 inode,
					   __u64 id)
{
	struct file_use *use = state->files ? file_find(state, id) : NULL;
	__u64 key = file_held_key(address, id);
	struct file_held *held;

	if (use && !use->watched) {
		file_watch(use, address, inode);
		return;
	}
	if (file_held_at(state, key))
		return; /* by another descriptor number */
	held = file_held_at(state, 0);
	if (held) {
		held->from = file_stands(address, inode, FILE_READ(file, address, f_pos));
		held->key = key;
		return;
	}
	if (!use && file_has_room(state))
		use = file_make(state, id, FILE_REGULAR);
	if (use && !use->watched)
		file_watch(use, address, inode);
}

/* A descriptor that is still open: counts the bytes since it was last read. It may be closed
 * meanwhile, which counts it. A close takes it out of the table, at `slot`, before that (but not at
 * the tracepoint of close(2)). */
static __always_inline void file_stays_open(struct process_state *state, __u64 address, __u64 inode,
					    __u64 id, __u64 slot)
{
	struct file_held *held = file_held_at(state, file_held_key(address, id));
	struct file_use *use = file_find(state, id);
	__u64 holds = 0, reached;
	bool mapped;

	if ((use && use->watched && use->watched != address) ||
	    !file_is_used(use, held, address, inode, &mapped))
		return;
	if (use && use->reached & FILE_REACHED_OPEN && !file_has_moved(use, held, address))
		return;
	use = file_entry(state, use, id, address, false);
	if (!use || !file_watches(use, address))
		return;
	reached = file_reached(use);
	bpf_probe_read_kernel(&holds, sizeof(holds), (const void *)slot);
	if (holds != address || state->flags & PROCESS_ENDED) {
		__sync_val_compare_and_swap(&use->watched, address, 0);
		return;
	}
	if (mapped)
		use->flags |= FILE_MAPPED;
	use->size_bytes = FILE_READ(inode, inode, i_size);
	file_claim(state, use, held, address, inode, reached);
}
