/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <linux/stat.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/task_rdonly.bpf.h"

/* The pipes that connect a program that begins, or a process that ends, to others. */

#define PIPE_FILES 3 /* descriptors 0, 1 and 2 */

struct pipe_files {
	struct file *at[PIPE_FILES];
};

/* The files behind the first descriptors; NULL: there is none. */
static __always_inline void pipe_files_of(struct pipe_files *ret, struct task_struct *task)
{
	struct file **all = task->files->fdt->fd;

	if (bpf_probe_read_kernel(ret, sizeof(*ret), all))
		__builtin_memset(ret, 0, sizeof(*ret));
}

/* The inode number of a pipe; 0: it is another file, or none. */
static __always_inline __u32 pipe_of(struct file *file)
{
	struct inode *inode = file ? BPF_CORE_READ(file, f_inode) : NULL;

	if (!inode || (BPF_CORE_READ(inode, i_mode) & S_IFMT) != S_IFIFO)
		return 0;
	return (__u32)BPF_CORE_READ(inode, i_ino);
}

/* A pipe that the parent has at the same descriptor is inherited: it does not connect the program
 * to a sibling. */
static __always_inline __u32 pipe_own(struct file *file, struct file *parents)
{
	__u32 pipe = file == parents ? 0 : pipe_of(file);

	return pipe && pipe != pipe_of(parents) ? pipe : 0;
}

/* Inode numbers of the current task's pipes at descriptor 0 (the lower half) and at 1, or if there
 * is none at 2 (`2>&1 >file | tee log`, and what Nextflow writes around a task). Not inlined and
 * without arguments, because verifiers before 6.7 add up the stacks of all functions that on_exec
 * and on_exit call. */
__noinline __u64 pipes_of_current(void)
{
	struct task_struct *task = task_rdonly(bpf_get_current_task_btf());
	struct pipe_files own, parents;
	__u32 out;

	pipe_files_of(&own, task);
	pipe_files_of(&parents, task->real_parent);
	out = pipe_own(own.at[1], parents.at[1]);
	if (!out)
		out = pipe_own(own.at[2], parents.at[2]);
	return pipe_own(own.at[0], parents.at[0]) | (__u64)out << 32;
}
