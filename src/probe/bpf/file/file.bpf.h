/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/errno.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"

/* The table of files of tracked processes. */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, FILES_MAX);
	__type(key, struct file_key);
	__type(value, struct file_use);
} files SEC(".maps");

/* Preallocated entries, for those that find no room in `files`: the allocator of maps that grow is
 * refilled by an interrupt, and it refused up to 127 of 256 entries that one process asked for in a
 * row (6.18). */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, FILES_SPARE);
	__type(key, struct file_key);
	__type(value, struct file_use);
} files_spare SEC(".maps");

__s64 files_spare_count; /* mostly 0: then no search is needed */

/* Ids of files that were found to be of the system: their paths need not be walked again. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, FILE_SYSTEM_TAGS);
	__type(key, __u32);
	__type(value, __u64);
} system_files SEC(".maps");

const volatile bool files_off; /* files are not observed */

static __always_inline struct file_key file_key_of(const struct process_state *state, __u64 id)
{
	return (struct file_key){ .id = id, .pid = state->pid, .start = state->start_ns >> 10 };
}

static __always_inline struct file_use *file_at(const struct file_key *key)
{
	struct file_use *use = bpf_map_lookup_elem(&files, key);

	return use || !files_spare_count ? use : bpf_map_lookup_elem(&files_spare, key);
}

static __always_inline struct file_use *file_find(const struct process_state *state, __u64 id)
{
	struct file_key key = file_key_of(state, id);

	return file_at(&key);
}

static const volatile struct file_use file_blank;

static __always_inline bool file_add(const struct file_key *key)
{
	long error = bpf_map_update_elem(&files, key, (const void *)&file_blank, BPF_NOEXIST);

	if (!error)
		return true;
	/* Another thread was first, or there is no spare entry left. */
	if (error == -EEXIST ||
	    bpf_map_update_elem(&files_spare, key, (const void *)&file_blank, BPF_NOEXIST))
		return false;
	__sync_fetch_and_add(&files_spare_count, 1);
	return true;
}

static __always_inline void file_remove(const struct file_key *key)
{
	if (bpf_map_delete_elem(&files, key) && !bpf_map_delete_elem(&files_spare, key))
		__sync_fetch_and_sub(&files_spare_count, 1);
}
