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

/* Waits of calls on files, told at the switch: what kind of file it is, and where. */

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
	case 0: /* eventfd and its like */
		return WAIT_POLL;
	}
	return WAIT_OTHER;
}

/* What moves bytes from one file to another waits for a pipe before it waits for the other side. */
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

/* The end of a path, or only the way to it, may be on FUSE: a signal can end that wait, too. */
static __always_inline enum wait_state wait_on_open(struct waiter *waiter, struct dentry *dentry,
						    __u32 state)
{
	struct inode *inode = dentry ? BPF_CORE_READ(dentry, d_inode) : NULL;

	waiter->where = where_of(inode);
	return is_kind(inode, S_IFIFO) && state & TASK_INTERRUPTIBLE ? WAIT_PIPE_READ : WAIT_DISK;
}

/* fstat() of a C library may be the call for paths: with an empty one, or none. */
static __always_inline bool is_empty(struct task_struct *task, __u64 path)
{
	char first = 1;

	if (!path)
		return true;
	return (__u64)task == bpf_get_current_task() && /* else its memory is not at hand */
	       !bpf_probe_read_user(&first, sizeof(first), (void *)path) && !first;
}

/* What becomes of a file once the walk along its path is over stands nowhere but on the stack. */
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
