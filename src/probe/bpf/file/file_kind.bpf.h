/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/file.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/task_rdonly.bpf.h"

/* The id and the kind of a file. */

/* Reads a field: since 6.2 by loads, before by calls of a helper. */
#define FILE_AT(type, address)                                                                   \
	((struct type *)(bpf_rdonly_cast ? bpf_rdonly_cast((const void *)(address),              \
							   bpf_core_type_id_kernel(struct type)) \
					 : NULL))
#define FILE_READ(type, address, field)                  \
	(bpf_rdonly_cast ? FILE_AT(type, address)->field \
			 : BPF_CORE_READ((struct type *)(address), field))

/* A hash of device, inode number and generation: a file has the same id for all processes. */
static __always_inline __u64 file_id_of(__u64 inode)
{
	struct super_block *sb = FILE_READ(inode, inode, i_sb);
	__u64 id = FILE_READ(inode, inode, i_ino) * 0x9e3779b97f4a7c15ULL;

	id ^= FILE_READ(super_block, sb, s_dev) + (__u64)FILE_READ(inode, inode, i_generation) * 31;
	id *= 0xbf58476d1ce4e5b9ULL;
	return (id ^ id >> 32) >> 4 | FILE_ID_FIRST; /* it must fit into a BIGINT of the lake */
}

static __always_inline bool file_is_pseudo(__u64 inode)
{
	struct super_block *sb = FILE_READ(inode, inode, i_sb);

	switch (FILE_READ(super_block, sb, s_magic)) {
	case PROC_SUPER_MAGIC:
	case SYSFS_MAGIC:
	case CGROUP_SUPER_MAGIC:
	case CGROUP2_SUPER_MAGIC:
	case DEBUGFS_MAGIC:
	case TRACEFS_MAGIC:
		return true;
	}
	return false;
}

static __always_inline enum file_kind file_kind_of(__u64 inode)
{
	switch (FILE_READ(inode, inode, i_mode) & S_IFMT) {
	case S_IFREG:
		return file_is_pseudo(inode) ? FILE_PSEUDO : FILE_REGULAR;
	case S_IFDIR:
		return FILE_DIRECTORY;
	case S_IFIFO:
		return FILE_PIPE;
	case S_IFSOCK:
		return FILE_SOCKET;
	case S_IFCHR:
	case S_IFBLK:
		return FILE_DEVICE;
	}
	return FILE_OTHER;
}
