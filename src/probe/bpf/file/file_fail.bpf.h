/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/errno.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/file/file.bpf.h"
#include "probe/bpf/file/file_kind.bpf.h"
#include "probe/bpf/file/file_make.bpf.h"
#include "probe/bpf/file/file_emit_path.bpf.h"

/*
 * Writes that fail because the storage is full or broken: at functions of the kernel or, if that is
 * not allowed, at the tracepoints of system calls (file_fail_fd.bpf.h).
 */

static __always_inline bool is_of_storage(__s64 error)
{
	return error == -ENOSPC || error == -EDQUOT || error == -EIO;
}

/* The first failure of a file with an error is sent at once, with the path. */
__noinline int file_failed(struct process_state *state, __u64 address, __u32 error)
{
	__u64 inode = (__u64)FILE_READ(file, address, f_inode), id;
	struct file_use *use;

	if (!state || !inode || file_kind_of(inode) != FILE_REGULAR)
		return 0;
	id = file_id_of(inode);
	use = file_find(state, id);
	if (!use && file_has_room(state))
		use = file_make(state, id, FILE_REGULAR);
	if (!use)
		use = file_of_kind(state, FILE_MORE, FILE_MORE);
	if (!use)
		return 0;
	if (use->error != error)
		file_emit_path(state, id, address, error);
	if (use->kind == FILE_REGULAR)
		use->named = 1;
	use->error = error;
	use->last_tick = bpf_jiffies64();
	use->changed = 1;
	__sync_fetch_and_add(&use->failures, 1);
	return 0;
}

/* at: address of the function's argument that is the file. */
static __always_inline int file_written(const void *at, __s64 result)
{
	struct process_state *state;
	__u64 address;

	if (!is_of_storage(result))
		return 0;
	state = state_of_caller(task_rdonly(bpf_get_current_task_btf()));
	if (state && !bpf_probe_read_kernel(&address, sizeof(address), at))
		file_failed(state, address, -result);
	return 0;
}

SEC("fexit/vfs_write")
int BPF_PROG(on_write, struct file *file, const char *from, __u64 size, long long *at, __s64 result)
{
	return file_written(ctx, result);
}

SEC("fexit/vfs_writev")
int BPF_PROG(on_writev, struct file *file, const void *vector, __u64 count, long long *at,
	     int flags, __s64 result)
{
	return file_written(ctx, result);
}

SEC("fexit/vfs_fallocate")
int BPF_PROG(on_fallocate, struct file *file, int mode, long long from, long long size, int result)
{
	return file_written(ctx, result);
}

SEC("fexit/vfs_copy_file_range")
int BPF_PROG(on_copy_range, struct file *from, long long from_at, struct file *to, long long to_at,
	     __u64 size, unsigned int flags, __s64 result)
{
	return file_written(&ctx[2], result);
}

/* A failed write-back is returned to the first caller who asks: by fsync, or by closing a file of a
 * network file system. */
SEC("tp_btf/file_check_and_advance_wb_err")
int BPF_PROG(on_written_back, struct file *file, __u32 before)
{
	return file_written(ctx, -(__s64)(file->f_wb_err & 0xfff)); /* MAX_ERRNO */
}
