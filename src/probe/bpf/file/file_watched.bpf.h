/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/file/file_entry.bpf.h"

/* The open descriptor of a file that its entry watches: its bytes are counted while it is open. */

static __always_inline __u64 file_stands(__u64 address, __u64 inode)
{
	__u64 position = FILE_READ(file, address, f_pos);

	if (!position && FILE_READ(file, address, f_flags) & O_APPEND)
		position = FILE_READ(inode, inode, i_size);
	return position;
}

static __always_inline void file_watch(struct file_use *use, __u64 address, __u64 inode)
{
	use->watched_from = file_stands(address, inode);
	use->watched = address;
}

/* Whether `address` is the descriptor that the entry watches, from now on or before. */
static __always_inline bool file_watches(struct file_use *use, __u64 address, __u64 inode)
{
	if (use->watched)
		return use->watched == address;
	if (FILE_READ(file, address, f_flags) & O_APPEND)
		use->watched_from = file_stands(address, inode);
	return !__sync_val_compare_and_swap(&use->watched, 0, address) || use->watched == address;
}

#define FILE_CLAIM_TRIES 4

/* The bytes from position `from` to that of the descriptor, which is the next `from`. A close and
 * a sample on another CPU may come at once: each byte goes to one of them. */
static __always_inline __u64 file_claim(__u64 *from, __u64 address)
{
	for (int i = 0; i < FILE_CLAIM_TRIES; i++) {
		__u64 seen = *(volatile __u64 *)from;
		__u64 position = FILE_READ(file, address, f_pos);

		if (__sync_val_compare_and_swap(from, seen, position) == seen)
			return position >= seen ? position - seen : 0;
	}
	return 0;
}

/* Counts its open, unless that was counted, and its bytes since the last count. */
static __always_inline void file_count_watched(struct process_state *state, struct file_use *use,
					       struct file_held *held, __u64 address)
{
	__u32 opens = !__sync_val_compare_and_swap(&use->counted, 0, 1);
	__u64 moved = file_claim(held ? &held->from : &use->watched_from, address);

	file_count(state, use, address, opens, moved);
}
