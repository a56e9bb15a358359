/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/abi/process.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/path_walk.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/file/file_emit.bpf.h"
#include "probe/bpf/file/file_kind.bpf.h"

/* Records of the paths of files. */

/* By the first part of a path, which is the last one in the record. Little-endian, as all supported
 * architectures. */
static __always_inline bool path_is_of_system(const char *parts, __u64 len)
{
	__u64 tail;

	barrier_var(len);
	if (!len || len > PROCESS_PATH_MAX ||
	    bpf_probe_read_kernel(&tail, sizeof(tail), parts + len - sizeof(tail)))
		return false;
	switch (tail >> 24) {
	case 0x72737500: /* usr */
	case 0x62696c00: /* lib */
	case 0x6e696200: /* bin */
	case 0x63746500: /* etc */
		return true;
	}
	return tail >> 16 == 0x6e69627300 /* sbin */ || tail >> 8 == 0x343662696c00 /* lib64 */;
}

static __always_inline void path_of_file(struct file_record *record, __u64 address)
{
	struct path_out out = { record->path, &record->path_len, &record->path_cut };
	struct file *file = (struct file *)address;
	struct vfsmount *mnt = BPF_CORE_READ(file, f_path.mnt);
	struct path_walk walk = { .mnt = mnt,
				  .dentry = BPF_CORE_READ(file, f_path.dentry),
				  .root = BPF_CORE_READ(mnt, mnt_root) };

	path_read(&out, walk);
}

/* Sends the path of a file; error: also reports that a write failed with it for the first time.
 * Returns whether it is a file of the system, for which nothing is sent. */
__noinline int file_emit_path(struct process_state *state, __u64 id, __u64 address, __u32 error)
{
	struct scratch *scratch = state ? scratch_take() : NULL;
	struct process_file_record *record;
	__u64 size;
	int system = 0;

	if (!scratch) {
		__sync_fetch_and_add(&losses.file, 1);
		return 0;
	}
	record = (void *)&scratch->image;
	file_fill(record, state, id);
	path_of_file(&record->file, address);
	record->file.kind = FILE_REGULAR;
	record->file.error = error;
	record->file.flags = error ? FILE_ERROR_IS_NEW : 0;
	record->file.first_ns = record->file.last_ns = record->head.at_ns;
	if (!(FILE_READ(file, address, f_mode) & FILE_WRITES))
		system = path_is_of_system(record->file.path, record->file.path_len);
	size = FILE_RECORD_SIZE + record->file.path_len;
	barrier_var(size);
	if (!system &&
	    (size > sizeof(*record) || bpf_ringbuf_output(&ring, record, size, ring_flags())))
		__sync_fetch_and_add(&losses.file, 1);
	scratch->in_use = 0;
	return system;
}
