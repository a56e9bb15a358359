/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <linux/stat.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/bpf/core/core_types.h"

/* The pipes that a program begins with. */

/* The inode number of the pipe behind a descriptor; 0: none is there. */
static __always_inline __u32 pipe_at(struct files_struct *files, __u32 fd)
{
	struct file **all = BPF_CORE_READ(files, fdt, fd), *file = NULL;
	struct inode *inode;

	if (!all || bpf_probe_read_kernel(&file, sizeof(file), all + fd) || !file)
		return 0;
	inode = BPF_CORE_READ(file, f_inode);
	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) != S_IFIFO)
		return 0;
	return (__u32)BPF_CORE_READ(inode, i_ino);
}

/* What its parent has there, too, it has inherited: that ties it to nobody beside it. */
static __always_inline __u32 pipe_own(struct files_struct *files, struct files_struct *parents,
				      __u32 fd)
{
	__u32 pipe = pipe_at(files, fd);

	return pipe && pipe != pipe_at(parents, fd) ? pipe : 0;
}

/* Of the program that the current task begins: behind descriptor 0 (the lower half) and 1. A
 * function of its own, without arguments: verifiers before 6.7 add up the stacks of all that
 * on_exec calls. */
__noinline __u64 pipes_of_current(void)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct files_struct *files = BPF_CORE_READ(task, files);
	struct files_struct *parents = BPF_CORE_READ(task, real_parent, files);

	return pipe_own(files, parents, 0) | (__u64)pipe_own(files, parents, 1) << 32;
}
