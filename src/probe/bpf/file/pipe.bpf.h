/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <linux/stat.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/bpf/core/core_types.h"

/* The pipes that connect a program that begins, or a process that ends, to others. */

/* The inode number of the pipe behind a descriptor; 0: there is none. */
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

/* A pipe that the parent has at the same descriptor is inherited: it does not connect the program
 * to a sibling. */
static __always_inline __u32 pipe_own(struct files_struct *files, struct files_struct *parents,
				      __u32 fd)
{
	__u32 pipe = pipe_at(files, fd);

	return pipe && pipe != pipe_at(parents, fd) ? pipe : 0;
}

/* Inode numbers of the current task's pipes at descriptor 0 (the lower half) and at 1, or if there
 * is none at 2 (`2>&1 >file | tee log`, and what Nextflow writes around a task). Not inlined and
 * without arguments, because verifiers before 6.7 add up the stacks of all functions that on_exec
 * and on_exit call. */
__noinline __u64 pipes_of_current(void)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct files_struct *files = BPF_CORE_READ(task, files);
	struct files_struct *parents = BPF_CORE_READ(task, real_parent, files);

	__u32 out = pipe_own(files, parents, 1);

	if (!out)
		out = pipe_own(files, parents, 2);
	return pipe_own(files, parents, 0) | (__u64)out << 32;
}
