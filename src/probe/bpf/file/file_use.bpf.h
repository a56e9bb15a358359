/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/file/file.bpf.h"
#include "probe/bpf/file/file_entry.bpf.h"
#include "probe/bpf/file/file_held.bpf.h"
#include "probe/bpf/file/file_kind.bpf.h"
#include "probe/bpf/file/file_watched.bpf.h"

/* Descriptors that are closed, by a tracked process or by its end. */

enum file_how { FILE_CLOSES, FILE_AT_EXIT, FILE_INHERITED, FILE_STAYS_OPEN };

static __always_inline bool file_is_last(__u64 address)
{
	struct file___before_6_13 *old = (void *)address;

	if (bpf_core_field_exists(old->f_count))
		return BPF_CORE_READ(old, f_count.counter) == 1;
	return FILE_READ(file, address, f_ref.refcnt.counter) == 0; /* FILE_REF_ONEREF */
}

static __always_inline bool file_is_mapped(__u64 inode)
{
	struct address_space *mapping = FILE_READ(inode, inode, i_mapping);

	return mapping && FILE_READ(address_space, mapping, i_mmap.rb_root.rb_node);
}

/* Since it was last counted. */
static __always_inline bool file_has_moved(const struct file_use *use, const struct file_held *held,
					   __u64 address)
{
	__u64 reached = use && use->watched == address ? use->reached : 0;

	return file_moved(reached, held, address, FILE_READ(file, address, f_pos));
}

/* A descriptor with several holders (after a fork or dup) counts for the last holder. A program
 * that inherited it and moved its position used the file as well, and so did one that mapped it. */
static __always_inline bool file_is_used(const struct file_use *use, const struct file_held *held,
					 __u64 address, __u64 inode, bool *mapped)
{
	*mapped = false;
	if (file_is_last(address))
		return true;
	*mapped = file_is_mapped(inode);
	return *mapped ||
	       ((held || (use && use->watched == address)) && file_has_moved(use, held, address));
}

/* A descriptor is closed, or its process ends. */
static __always_inline void file_ends(struct process_state *state, __u64 address, __u64 inode,
				      __u64 id)
{
	struct file_held *held = file_held_at(state, file_held_key(address, id));
	struct file_use *use = file_find(state, id);
	bool mapped;

	if (!file_is_used(use, held, address, inode, &mapped))
		return;
	use = file_entry(state, use, id, address, true);
	if (!use)
		return;
	use->size_bytes = FILE_READ(inode, inode, i_size);
	if (mapped)
		use->flags |= FILE_MAPPED;
	if (file_watches(use, address))
		file_unwatch(state, use, held, address, inode);
	else
		file_count(state, use, address, 1,
			   file_moved(0, held, address, FILE_READ(file, address, f_pos)));
	if (held)
		held->key = 0;
}
