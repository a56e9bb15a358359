/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/file/file.bpf.h"
#include "probe/bpf/file/file_held.bpf.h"
#include "probe/bpf/file/file_kind.bpf.h"
#include "probe/bpf/file/file_make.bpf.h"
#include "probe/bpf/file/file_emit_path.bpf.h"

/* The entry in which a descriptor is counted. */

/* An open with the bytes that went with it, or (opens: 0) more bytes of one that was counted. */
static __always_inline void file_count(struct process_state *state, struct file_use *use,
				       __u64 address, __u32 opens, __u64 moved)
{
	__u8 modes = FILE_READ(file, address, f_mode) & (FILE_READS | FILE_WRITES);

	if ((use->flags & modes) != modes)
		use->flags |= modes;
	use->last_tick = bpf_jiffies64();
	__sync_fetch_and_add(&state->files_opened, opens);
	__sync_fetch_and_add(&use->opens, opens);
	__sync_fetch_and_add(&use->moved_bytes, moved);
	use->changed = 1;
}

/* Files that are summed by kind are counted when their last descriptor is closed. */
static __always_inline void kind_used(struct process_state *state, __u64 address,
				      enum file_kind kind, __u64 moved)
{
	struct file_use *use = file_of_kind(state, kind, kind);

	if (use)
		file_count(state, use, address, 1, moved);
}

/* Bytes since `reached`: what was counted of the descriptor. With O_APPEND the first position is
 * unknown, unless a program was begun with it. */
static __always_inline __u64 file_moved(__u64 reached, const struct file_held *held, __u64 address,
					__u64 position)
{
	__u64 from = 0;

	if (reached & FILE_REACHED_IS_KNOWN)
		from = reached & FILE_REACHED_POSITION;
	else if (held)
		from = held->from;
	else if (FILE_READ(file, address, f_flags) & O_APPEND)
		from = position;
	return position >= from ? position - from : 0;
}

static __always_inline void more_used(struct process_state *state, __u64 address)
{
	__u64 position = FILE_READ(file, address, f_pos);

	kind_used(state, address, FILE_MORE, file_moved(0, NULL, address, position));
}

/* The entry of a regular file, made and its path sent if necessary. NULL: a file of the system or
 * beyond the limit; if it `goes` (is closed), it was counted as such. */
static __always_inline struct file_use *
file_entry(struct process_state *state, struct file_use *use, __u64 id, __u64 address, bool goes)
{
	__u32 slot = id % FILE_SYSTEM_TAGS;
	__u64 *tag = bpf_map_lookup_elem(&system_files, &slot);
	bool writes = FILE_READ(file, address, f_mode) & FILE_WRITES;

	if (use && use->named)
		return use;
	if (tag && *tag == id && !writes) {
		if (goes)
			kind_used(state, address, FILE_SYSTEM, 0);
		return NULL;
	}
	if (!use && !file_has_room(state)) {
		if (goes)
			more_used(state, address);
		return NULL;
	}
	if (file_emit_path(state, id, address, 0)) {
		if (tag)
			*tag = id;
		if (goes)
			kind_used(state, address, FILE_SYSTEM, 0);
		return NULL;
	}
	use = file_get(state, id, FILE_REGULAR);
	if (use)
		use->named = 1;
	else if (goes)
		more_used(state, address);
	return use;
}
