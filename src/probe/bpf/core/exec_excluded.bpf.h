/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/process.h"
#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/counts.bpf.h"
#include "probe/bpf/core/exclude.bpf.h"
#include "probe/bpf/core/names.bpf.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/failure/failure.bpf.h"
#include "probe/bpf/file/file_emit.bpf.h"
#include "probe/bpf/io/io_emit.bpf.h"
#include "probe/bpf/net/connect_table.bpf.h"
#include "probe/bpf/net/network.bpf.h"
#include "probe/bpf/net/network_record.bpf.h"
#include "probe/bpf/syscall/syscall.bpf.h"
#include "probe/bpf/syscall/syscall_emit.bpf.h"
#include "probe/bpf/wait/wait_end.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/* Tracking ends when a process execs an excluded program. */

/* The process exec'd an excluded program: close its last execution as "exec_excluded". If its fork
 * was not sent yet, nothing is sent. The counts of ended threads are in `dead` already. */
static __always_inline void tracking_ends(struct process_state *state, struct task_struct *task,
					  int old_pid)
{
	__u64 now_ns = bpf_ktime_get_boot_ns(), start_ns;
	struct process_counts own;
	__u32 flows;

	counts_of_thread(&own, task);
	times_take(&own, state, task, old_pid, now_ns);
	counts_add(&state->dead, &own);
	if (old_pid != task->pid)
		waiter_end(old_pid);
	waiter_end(task->pid);
	files_emit(state, true);
	ios_emit(state, true);
	if (syscalls_counted) {
		syscall_cut(state);
		syscalls_send(state, true);
	}
	if (!(state->flags & PROCESS_FORK_PENDING)) {
		network_emit(task, state, false);
		send_exit(PROCESS_EXEC_EXCLUDED, task, state, NULL, now_ns);
	}
	failure_forget(state);
	connect_forget(state);
	flows = state->flows;
	start_ns = state->start_ns;
	wall_drop(state, task->tgid);
	state_drop(state);
	if (flows)
		network_drop(task->tgid, start_ns);
}

/* Runs before on_exec (attach_in_order), which then finds no state. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec_excluded, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct process_state *state;
	__u32 mark;

	if (!names_excluded && !excluded_count)
		return 0;
	task = task_rdonly(task);
	mark = mark_of(bprm);
	if (mark == NAME_TRACKED)
		exclude_no_more(task);
	if (mark != NAME_EXCLUDED)
		return 0;
	exclude(task);
	state = state_of(task);
	if (state)
		tracking_ends(state, task, old_pid);
	return 0;
}
