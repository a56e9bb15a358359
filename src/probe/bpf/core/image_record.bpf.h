/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/memory.bpf.h"
#include "probe/bpf/core/path.bpf.h"
#include "probe/bpf/core/path_walk.bpf.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/file/pipe.bpf.h"

/* The record of an exec: the new image, and what the replaced one consumed. */

/* Fills in exe, cwd and argv. Returns the length of image->bytes. */
static __always_inline __u64 image_texts(struct process_image_record *image,
					 struct task_struct *task)
{
	struct path_out exe = { image->bytes, &image->exe_len, &image->exe_cut };
	struct path_out cwd = { NULL, &image->cwd_len, &image->cwd_cut };
	struct mm_struct *mm = task->mm;
	struct file *file = mm->exe_file;
	__u64 argv = mm->arg_start, size = mm->arg_end - argv, kept, len;

	path_parts(&exe, file->f_path.mnt, file->f_path.dentry);
	len = image->exe_len;
	barrier_var(len);
	if (len > PROCESS_PATH_MAX)
		return 0;
	cwd.bytes = image->bytes + len;
	path_parts(&cwd, task->fs->pwd.mnt, task->fs->pwd.dentry);
	len += *cwd.len;
	kept = size <= PROCESS_ARGV_MAX ? size : PROCESS_ARGV_MAX;
	barrier_var(len);
	barrier_var(kept);
	if (len > 2 * PROCESS_PATH_MAX || kept > PROCESS_ARGV_MAX)
		return 0;
	if (bpf_probe_read_user(image->bytes + len, kept, (void *)argv))
		kept = 0;
	image->argv_len = kept;
	image->argv_missing_bytes = size - kept;
	return len + kept;
}

/* How often the reader is woken at most: by processes that begin tracking, and by any exec. */
#define ROOT_WAKE_NS  1000000
#define IMAGE_WAKE_NS 1000000000

__u64 root_wake_ns;  /* the time of the last exec that began tracking and woke the reader */
__u64 image_wake_ns; /* … of the last exec that woke it */

/* A process that begins tracking wakes the reader at once: the agent attributes it by its parent,
 * which may end soon. So does the first exec after a while: the agent sends it soon. */
static __always_inline __u64 image_flags(__u64 now_ns)
{
	__u64 flags = ring_flags();

	if (now_ns != root_wake_ns && now_ns - image_wake_ns < IMAGE_WAKE_NS)
		return flags;
	image_wake_ns = now_ns;
	return BPF_RB_FORCE_WAKEUP;
}

static __always_inline void send_image(struct process_image_record *image, struct task_struct *task,
				       __u64 now_ns)
{
	__u64 pipes, size;

	head_of(&image->head, PROCESS_IMAGE, task, now_ns, task->self_exec_id);
	image->pid_ns = pid_ns_of(task);
	image->mnt_ns = task->nsproxy->mnt_ns->ns.inum;
	pipes = pipes_of_current();
	image->pipes[0] = (__u32)pipes;
	image->pipes[1] = pipes >> 32;
	size = offsetof(struct process_image_record, bytes) + image_texts(image, task);
	barrier_var(size);
	if (size > sizeof(*image) || bpf_ringbuf_output(&ring, image, size, image_flags(now_ns)))
		__sync_fetch_and_add(&losses.image, 1);
}

/* Fills in what the image that ends here consumed. */
static __always_inline void image_replaced(struct process_image_record *image,
					   struct process_state *state, struct task_struct *task,
					   const struct process_counts *total, __u64 now_ns)
{
	image->replaced = state->image_seq != 0;
	image->replaced_image_seq = state->image_seq;
	birth_take(&image->birth, state);
	woken_of(&image->consumed, state);
	consumed_of(&image->consumed, state, total);
	consumed_peak(&image->consumed, state, task, NULL);
	wall_take(&image->consumed, state, task->tgid, true, now_ns);
}
