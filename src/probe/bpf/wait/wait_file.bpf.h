/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/stat.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/inode.bpf.h"

/* Waits of system calls on files, by the kind of the file and its file system. */

static __always_inline enum wait_state wait_on_file(struct waiter *waiter, struct inode *inode,
						    bool writes)
{
	__u32 mode = inode ? mode_of(inode) & S_IFMT : S_IFCHR;

	switch (mode) {
	case S_IFIFO:
		return writes ? WAIT_PIPE_WRITE : WAIT_PIPE_READ;
	case S_IFSOCK:
		return WAIT_NETWORK;
	case S_IFREG:
	case S_IFBLK:
	case S_IFDIR:
		waiter->where = where_of(inode);
		return WAIT_DISK;
	case 0: /* eventfd and similar */
		return WAIT_POLL;
	}
	return WAIT_OTHER;
}

/* A call that moves bytes between two files waits for the pipe before it waits for the other side.
 */
static __always_inline enum wait_state wait_on_two(struct waiter *waiter, struct task_struct *task,
						   __u64 from, __u64 to)
{
	struct inode *source = inode_of(task, from), *target = inode_of(task, to);

	if (is_kind(target, S_IFSOCK))
		return WAIT_NETWORK;
	if (is_kind(source, S_IFIFO) || !is_kind(target, S_IFIFO))
		return wait_on_file(waiter, source, false);
	return wait_on_file(waiter, target, true);
}

/* The open of a FIFO waits, interruptibly, for the other end. Any other open waits for the disk,
 * and interruptibly too where the file or a folder on its path is on FUSE: the state of the thread
 * alone does not decide. */
static __always_inline enum wait_state wait_on_open(struct waiter *waiter, struct dentry *dentry,
						    __u32 state)
{
	struct inode *inode = dentry ? BPF_CORE_READ(dentry, d_inode) : NULL;

	waiter->where = where_of(inode);
	return is_kind(inode, S_IFIFO) && state & TASK_INTERRUPTIBLE ? WAIT_PIPE_READ : WAIT_DISK;
}

/* A C library's fstat() may use the system call for paths, with an empty path or none. */
static __always_inline bool is_empty(struct task_struct *task, __u64 path)
{
	char first = 1;

	if (!path)
		return true;
	return (__u64)task ==
		       bpf_get_current_task() && /* only the current task's memory can be read */
	       !bpf_probe_read_user(&first, sizeof(first), (void *)path) &&
	       !first;
}

/* By the path walk under way. Once it is over, the file is known on the kernel's stack only. */
static __always_inline enum wait_state wait_on_path(struct waiter *waiter, struct task_struct *task,
						    struct pt_regs *regs, __u32 how)
{
	struct dentry *dentry = walked_to(task);

	if (dentry)
		waiter->where = where_is(BPF_CORE_READ(dentry, d_sb));
	else if (how == WAIT_CALL_AT && is_empty(task, PT_SECOND(regs)))
		waiter->where = where_of(inode_of(task, PT_FIRST(regs)));
	return WAIT_DISK;
}
