/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/task_rdonly.bpf.h"

/* The files that threads work on. */

static __always_inline enum wait_where where_is(struct super_block *sb)
{
	switch (BPF_CORE_READ(sb, s_magic)) {
	case NFS_SUPER_MAGIC:
	case SMB_SUPER_MAGIC:
	case SMB2_SUPER_MAGIC:
	case CIFS_SUPER_MAGIC:
	case CEPH_SUPER_MAGIC:
	case LUSTRE_SUPER_MAGIC:
	case GPFS_SUPER_MAGIC:
	case BEEGFS_SUPER_MAGIC:
	case AFS_SUPER_MAGIC:
	case V9FS_MAGIC:
		return WAIT_SHARED;
	case FUSE_SUPER_MAGIC:
		return WAIT_FUSE;
	}
	return WAIT_LOCAL;
}

static __always_inline enum wait_where where_of(struct inode *inode)
{
	return inode ? where_is(BPF_CORE_READ(inode, i_sb)) : WAIT_LOCAL;
}

/* The dentry that the thread's path walk has reached, also while the file there is opened. NULL: no
 * path walk under way. */
static __always_inline struct dentry *walked_to(struct task_struct *task)
{
	return BPF_CORE_READ(task, nameidata, path.dentry);
}

/* NULL: no such descriptor. */
static __always_inline struct file *file_of(struct task_struct *task, __u64 fd)
{
	struct files_struct *files = task_rdonly(task)->files;
	struct fdtable *table;
	struct file *file = NULL;

	if (!files)
		return NULL;
	table = files->fdt;
	if (!table || fd >= table->max_fds ||
	    bpf_probe_read_kernel(&file, sizeof(file), &table->fd[fd]))
		return NULL;
	return file;
}

/* NULL: no such descriptor. */
static __always_inline struct inode *inode_of(struct task_struct *task, __u64 fd)
{
	struct file *file = file_of(task, fd);

	if (!file)
		return NULL;
	if (bpf_rdonly_cast) {
		struct file *known = bpf_rdonly_cast(file, bpf_core_type_id_kernel(struct file));

		return known->f_inode;
	}
	return BPF_CORE_READ(file, f_inode);
}

static __always_inline __u32 mode_of(struct inode *inode)
{
	if (bpf_rdonly_cast) {
		struct inode *known = bpf_rdonly_cast(inode, bpf_core_type_id_kernel(struct inode));

		return known->i_mode;
	}
	return BPF_CORE_READ(inode, i_mode);
}

static __always_inline bool is_kind(struct inode *inode, __u32 kind)
{
	return inode && (mode_of(inode) & S_IFMT) == kind;
}
