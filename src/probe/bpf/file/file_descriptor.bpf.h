/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/file/file.bpf.h"
#include "probe/bpf/file/file_entry.bpf.h"
#include "probe/bpf/file/file_kind.bpf.h"
#include "probe/bpf/file/file_still_open.bpf.h"
#include "probe/bpf/file/file_use.bpf.h"

/* One descriptor, of a file of any kind. */

/* 0: none, or one that was opened for its path only. */
static __always_inline __u64 file_inode(__u64 address)
{
	return FILE_READ(file, address, f_mode) & FMODE_PATH
		       ? 0
		       : (__u64)FILE_READ(file, address, f_inode);
}

/* A descriptor is closed, or its process ends or begins a program. */
__noinline int file_used(struct process_state *state, __u64 address, __u32 how)
{
	__u64 inode = file_inode(address), id;
	enum file_kind kind;

	if (!state || !inode)
		return 0;
	kind = file_kind_of(inode);
	if (kind != FILE_REGULAR) {
		if (how != FILE_INHERITED && file_is_last(address))
			kind_used(state, address, kind, 0);
		return 0;
	}
	id = file_id_of(inode);
	if (how == FILE_INHERITED)
		file_inherited(state, address, inode, id);
	else
		file_ends(state, address, inode, id);
	return 0;
}

/* A descriptor that stays open. Not in file_used(), which would need more stack for it. */
__noinline int file_kept(struct process_state *state, __u64 address, __u64 slot)
{
	__u64 inode = file_inode(address);

	if (state && inode && file_kind_of(inode) == FILE_REGULAR)
		file_stays_open(state, address, inode, file_id_of(inode), slot);
	return 0;
}
