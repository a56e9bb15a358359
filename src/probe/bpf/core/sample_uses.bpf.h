/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/file/file.bpf.h"
#include "probe/bpf/file/file_emit.bpf.h"
#include "probe/bpf/file/file_use.bpf.h"
#include "probe/bpf/file/file_walk.bpf.h"
#include "probe/bpf/io/io_emit.bpf.h"

/* The use of files and disks by all live tracked processes, read every few samples. */

/* A program of its own, because older kernels add up the stack of a program and all functions that
 * it calls. */
SEC("iter/task")
int sample_uses(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_state *state;

	if (!task || task->pid != task->tgid)
		return 0;
	task = task_rdonly(task);
	state = state_of(task);
	if (!state || state->flags & PROCESS_ENDED)
		return 0;
	if (state->flags & PROCESS_FORK_PENDING)
		send_fork(state, task);
	if (!files_off) {
		files_walk(state, (__u64)BPF_CORE_READ(task, files), FILE_STAYS_OPEN);
		files_emit(state, false);
	}
	ios_emit(state, false);
	return 0;
}
