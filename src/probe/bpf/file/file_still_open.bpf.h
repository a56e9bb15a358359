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
		held->from = file_stands(address, inode);
		held->key = key;
		return;
	}
	if (!use && file_has_room(state))
		use = file_make(state, id, FILE_REGULAR);
	if (use && !use->watched)
		file_watch(use, address, inode);
}

/* A descriptor that is still open: counts the bytes since it was last read. */
static __always_inline void file_stays_open(struct process_state *state, __u64 address, __u64 inode,
					    __u64 id)
{
	struct file_held *held = file_held_at(state, file_held_key(address, id));
	struct file_use *use = file_find(state, id);
	bool mapped;
	__u64 moved;

	if ((use && use->watched && use->watched != address) ||
	    !file_is_used(use, held, address, inode, &mapped))
		return;
	moved = file_moved(use, held, address);
	if (use && use->counted && !moved)
		return;
	use = file_entry(state, use, id, address, false);
	if (!use)
		return;
	if (!use->counted)
		file_count_open(state, use, address);
	use->counted = 1;
	use->flags |= mapped ? FILE_MAPPED : 0;
	use->size_bytes = FILE_READ(inode, inode, i_size);
	use->last_tick = bpf_jiffies64();
	use->changed = 1;
	__sync_fetch_and_add(&use->moved_bytes, moved);
	if (held)
		held->key = 0;
	file_watch(use, address, inode);
}
