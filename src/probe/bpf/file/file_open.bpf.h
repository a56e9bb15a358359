/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/file.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/file/file_make.bpf.h"

/* Files that cannot be opened. */

static __always_inline int file_opened(__s64 result)
{
	struct process_state *state;
	struct file_use *use;
	__s64 error = -result;

	if (error <= 0 || error >= FILE_ID_FIRST - FILE_ID_FAILED)
		return 0;
	state = state_of_caller(task_rdonly(bpf_get_current_task_btf()));
	if (!state)
		return 0;
	__sync_fetch_and_add(&state->files_failed, 1);
	use = file_of_kind(state, FILE_ID_FAILED + error, FILE_FAILED);
	if (!use)
		return 0;
	if (!use->error)
		use->flags |= FILE_ERROR_IS_NEW;
	use->error = error;
	use->last_tick = bpf_jiffies64();
	use->changed = 1;
	__sync_fetch_and_add(&use->failures, 1);
	return 0;
}

/* result is a long in older kernels; its lower half has the same value. */
SEC("fexit/do_sys_openat2")
int BPF_PROG(on_openat2, int folder, const char *name, void *how, int result)
{
	return file_opened(result);
}

SEC("tracepoint")
int on_open_failed(struct file_call *call)
{
	return file_opened(call->first);
}
