/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/folder.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/* Folders that an engine makes for a task before the task runs. */

const volatile __s32 mkdirat_number; /* number of mkdirat; the other call is mkdir */

#define FOLDER_TAIL (sizeof("/ab/cdefghijklmnopqrstuvwxyz012345") - 1)

/* Whether the path ends as Nextflow's task folders do. Other folders (of tar, conda) are not sent.
 * The agent checks that the characters are hexadecimal digits. */
static __always_inline bool folder_is_of_task(const char *path, __u64 len)
{
	__u64 tail = len - FOLDER_TAIL;

	if (len < FOLDER_TAIL || tail > FOLDER_PATH_MAX - FOLDER_TAIL)
		return false;
	barrier_var(tail);
	return tail <= FOLDER_PATH_MAX - FOLDER_TAIL && path[tail] == '/' && path[tail + 3] == '/';
}

static __always_inline void send_folder(struct process_state *state, struct task_struct *leader,
					const void *path)
{
	struct scratch *scratch = scratch_take();
	struct process_folder_record *record;
	long size;

	if (!scratch) {
		__sync_fetch_and_add(&losses.file, 1);
		return;
	}
	record = (void *)&scratch->image;
	size = bpf_probe_read_user_str(record->path, sizeof(record->path), path);
	if (size > 0 && folder_is_of_task(record->path, size - 1)) {
		head_of(&record->head, PROCESS_FOLDER, leader, bpf_ktime_get_boot_ns(),
			state->image_seq);
		if (bpf_ringbuf_output(&ring, record, sizeof(*record), ring_flags()))
			__sync_fetch_and_add(&losses.file, 1);
	}
	scratch->in_use = 0;
}

static __always_inline int folder_made(__s64 error, const void *path)
{
	struct task_struct *task = task_rdonly(bpf_get_current_task_btf());
	struct process_state *state;

	if (error || !waiter_known(task->pid))
		return 0;
	state = state_of(task->group_leader);
	if (state && !(state->flags & PROCESS_FORK_PENDING))
		send_folder(state, task->group_leader, path);
	return 0;
}

SEC("fexit/" SYSCALL_PREFIX "sys_mkdir")
int BPF_PROG(on_mkdir, const struct pt_regs *regs, long error)
{
	return folder_made(error, (const void *)PT_FIRST(regs));
}

SEC("fexit/" SYSCALL_PREFIX "sys_mkdirat")
int BPF_PROG(on_mkdirat, const struct pt_regs *regs, long error)
{
	return folder_made(error, (const void *)PT_SECOND(regs));
}

/* For kernels without fexit: at the tracepoints of the system calls (syscall_tracepoints_state.h).
 */
SEC("tracepoint")
int on_folder_made(struct syscall_exit *call)
{
	struct pt_regs *regs;

	if (call->error)
		return 0;
	regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
	return folder_made(0, (const void *)(call->number == mkdirat_number ? PT_SECOND(regs)
									    : PT_FIRST(regs)));
}
