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

/* Where its next byte goes, at `position`: to the end if it is open to append. */
static __always_inline __u64 file_stands(__u64 address, __u64 inode, __u64 position)
{
	if (!position && FILE_READ(file, address, f_flags) & O_APPEND)
		position = FILE_READ(inode, inode, i_size);
	return position & FILE_REACHED_POSITION;
}

static __always_inline void file_watch(struct file_use *use, __u64 address, __u64 inode)
{
	__u64 position = FILE_READ(file, address, f_pos);

	use->reached = file_stands(address, inode, position) | FILE_REACHED_IS_KNOWN;
	use->watched = address;
}

/* Whether `address` is the descriptor that the entry watches, from now on or before. */
static __always_inline bool file_watches(struct file_use *use, __u64 address)
{
	__u64 watched = __sync_val_compare_and_swap(&use->watched, 0, address);

	return !watched || watched == address;
}

/* A barrier: what is read next is not older. */
static __always_inline __u64 file_reached(struct file_use *use)
{
	return __sync_val_compare_and_swap(&use->reached, 0, 0);
}

/* Counts the watched descriptor's open and its bytes, as far as they were not counted up to
 * `reached`. false: another CPU has done that since. */
static __always_inline bool file_claim(struct process_state *state, struct file_use *use,
				       const struct file_held *held, __u64 address, __u64 inode,
				       __u64 reached)
{
	__u64 position = FILE_READ(file, address, f_pos); /* once: it grows meanwhile */
	__u64 claimed = (reached & -FILE_REACHED_WATCH) | FILE_REACHED_OPEN |
			FILE_REACHED_IS_KNOWN | file_stands(address, inode, position);

	if (__sync_val_compare_and_swap(&use->reached, reached, claimed) != reached)
		return false;
	file_count(state, use, address, !(reached & FILE_REACHED_OPEN),
		   file_moved(reached, held, address, position));
	return true;
}

#define FILE_CLAIM_TRIES 4 /* a sample on another CPU may come once, or be late once */

/* The watched descriptor is closed: counts it, so that the entry may watch another. */
static __always_inline void file_unwatch(struct process_state *state, struct file_use *use,
					 const struct file_held *held, __u64 address, __u64 inode)
{
	for (int i = 0; i < FILE_CLAIM_TRIES; i++)
		if (file_claim(state, use, held, address, inode, file_reached(use)))
			break;
	use->reached = (use->reached & -FILE_REACHED_WATCH) + FILE_REACHED_WATCH;
	__sync_lock_test_and_set(&use->watched, 0);
}
